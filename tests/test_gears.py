"""The compiled gear, where its files are damaged."""

from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("numba")

import numba

from quintet.gears.fast import compile_names


def twice(number: int) -> int:
    return 2 * number


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "cut": lambda data: data[: len(data) // 2],
    "changed": lambda data: data[:-100] + b"x" + data[-99:],
    "something else": lambda data: b"cos\nsystem\n" * len(data),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
@pytest.mark.parametrize("kind", ["*.nbi", "*.nbc"])
def test_damaged_machine_code_is_compiled_again(
    kind: str,
    damage: Callable[[bytes], bytes],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))

    def compile_twice() -> Callable[[int], int]:
        function: Callable[[int], int] = compile_names({"twice": twice}, "twice", label="test")["twice"]
        return function

    assert compile_twice()(21) == 42
    (file,) = tmp_path.rglob(kind)
    file.write_bytes(damage(file.read_bytes()))
    assert compile_twice()(21) == 42
    said = [message.replace(str(tmp_path), "").split("/")[0] for message in caplog.messages]
    assert said == ["quintet: saved machine code in "] or (kind == "*.nbi" and not said), "a changed key is another key"
    caplog.clear()
    assert compile_twice()(21) == 42 and not caplog.messages, "it is saved again"


def test_a_full_disk_is_no_reason_not_to_compile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    function = compile_names({"twice": twice}, "twice", label="full")["twice"]
    monkeypatch.setattr(function._cache._cache_file, "_index_path", "/dev/full/index")
    assert function(21) == 42
