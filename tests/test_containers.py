"""The files for containers agree with the server: its options, its ports, its routes and the time it takes to stop."""

import inspect
import re
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi.routing import APIRoute

from quintet.cli.serve import OPERATOR_TOKEN, read_proxies, serve
from quintet.store.database import find_database
from quintet.web import health
from quintet.web.runner import STOP_SECONDS

ROOT = Path(__file__).parent.parent
COMPOSE: dict[str, Any] = msgspec.yaml.decode((ROOT / "compose.yaml").read_bytes())
CONTAINERFILE = (ROOT / "Containerfile").read_text()
CADDYFILE = (ROOT / "Caddyfile").read_text()
SERVERS = ("server-1", "server-2")
SERVER = COMPOSE["services"]["server-1"]
OPTIONS = dict(word.removeprefix("--").split("=", 1) for word in SERVER["command"][1:])


def test_both_servers_are_started_alike_with_options_that_exist() -> None:
    assert all(COMPOSE["services"][name] == SERVER for name in SERVERS) and SERVER["command"][0] == "serve"
    known = {name.replace("_", "-") for name in inspect.signature(serve).parameters}
    assert OPTIONS.keys() <= known and OPTIONS["host"] == "0.0.0.0"
    [command] = re.findall(r"^CMD (\[.*\])$", CONTAINERFILE, re.MULTILINE)
    assert {word.removeprefix("--") for word in msgspec.json.decode(command) if word.startswith("--")} <= known


def test_everybody_means_the_same_port_and_route() -> None:
    port = OPTIONS["port"]
    assert f"EXPOSE {port}\n" in CONTAINERFILE
    assert f"{{$QUINTET_SERVERS:{' '.join(f'{name}:{port}' for name in SERVERS)}}}" in CADDYFILE
    assert COMPOSE["services"]["proxy"]["environment"]["QUINTET_SERVERS"] in CADDYFILE
    [route] = [one.path for one in health.router.routes if isinstance(one, APIRoute) and one.name == "ready"]
    assert (
        f"http://127.0.0.1:{port}{route}" in SERVER["healthcheck"]["test"][-1] and f"health_uri {route}\n" in CADDYFILE
    )
    assert "ports" not in SERVER and "ports" not in COMPOSE["services"]["database"]


def test_only_the_proxy_is_trusted() -> None:
    [network] = COMPOSE["networks"]["inside"]["ipam"]["config"]
    assert read_proxies([OPTIONS["trusted-proxy"]]) == (str(ip_network(network["subnet"])),)
    assert SERVER["networks"] == ["inside"] and COMPOSE["networks"]["inside"]["internal"]


def test_a_server_has_the_time_that_draining_takes() -> None:
    assert SERVER["stop_grace_period"].endswith("s")
    assert float(SERVER["stop_grace_period"][:-1]) > float(OPTIONS["drain"]) + STOP_SECONDS
    [interval] = re.findall(r"health_interval (\d+)s", CADDYFILE)
    assert float(OPTIONS["drain"]) > int(interval)
    assert "STOPSIGNAL SIGTERM\n" in CONTAINERFILE


def test_the_server_reads_these_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    names = SERVER["environment"].keys()
    assert names == {"QUINTET_DATABASE", OPERATOR_TOKEN}
    secret = re.compile(r"\$\{(\w+)[^}]*\}")
    monkeypatch.setenv("QUINTET_DATABASE", secret.sub("word", SERVER["environment"]["QUINTET_DATABASE"]))
    address, database = find_database(None), COMPOSE["services"]["database"]["environment"]
    assert (address.host, address.password) == ("database", "word")
    assert (address.username, address.database) == (database["POSTGRES_USER"], database["POSTGRES_DB"])


def test_no_secret_has_a_default_and_nobody_is_root() -> None:
    text = (ROOT / "compose.yaml").read_text()
    assert set(re.findall(r"\$\{\w*PASSWORD(..)", text)) == {":?"}
    assert set(re.findall(r"\$\{\w*TOKEN([^}]*)", text)) == {":-"}
    assert re.findall(r"^USER (.*)$", CONTAINERFILE, re.MULTILINE) == ["10001:10001"]
    for service in COMPOSE["services"].values():
        assert service["read_only"]
    assert SERVER["cap_drop"] == ["ALL"]


def test_what_the_image_is_built_from_exists_and_is_not_ignored() -> None:
    allowed = {line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", CONTAINERFILE, re.MULTILINE)
    names = {name for line in copied for name in line.split()}
    assert names == allowed and all((ROOT / name).exists() for name in names)
