"""The integrations: every script names its environment, and the driver runs them and tells which fail."""

import re
import runpy
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quintet.text import TextEpisode

ROOT = Path(__file__).parents[1]
DRIVER = ROOT / "integrations/run_all.py"
SCRIPTS = sorted(ROOT.glob("integrations/*/run.py"))


def test_there_is_one_for_each_library() -> None:
    libraries = {"maskable_ppo", "nemo_gym", "openenv", "rllib", "skyrl_gym", "tianshou", "trl", "verifiers"}
    assert {script.parent.name for script in SCRIPTS} == libraries


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.parent.name)
def test_a_script_names_its_environment(script: Path) -> None:
    text = script.read_text()
    header = re.search(r"^# /// script\n((?:#.*\n)+?)# ///\n", text, re.MULTILINE)
    assert header, "no header"
    facts = tomllib.loads(re.sub(r"^# ?", "", header[1], flags=re.MULTILINE))
    ours = [line for line in facts["dependencies"] if line.startswith("quintet-games")]
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert len(ours) == 1 and set(re.findall(r"\w+", ours[0])[2:]) <= set(extras)
    assert facts["requires-python"] and facts["tool"]["uv"]["sources"]["quintet-games"]["path"] == "../.."
    pages = "".join((ROOT / "docs" / page).read_text() for page in ("environments.md", "training.md"))
    assert f"integrations/{script.parent.name}/run.py" in pages


def test_the_scripted_agents_see_a_leak() -> None:
    """What the checks of training environments compare: games played as they should be pass, others do not."""
    scripted = runpy.run_path(str(ROOT / "integrations/scripted.py"))
    played = []

    def play(rows: list[dict[str, Any]], answer: Callable[[str], str]) -> list[Any]:
        played.append(len(rows))
        return [play_one(TextEpisode(**row), answer) for row in rows]

    def play_one(episode: TextEpisode, answer: Callable[[str], str]) -> Any:
        texts = []
        while not episode.over:
            texts.append(episode.text)
            episode.step(answer(episode.text))
        return scripted["Transcript"](texts, episode.rewards)

    scripted["check"](play)
    assert played == [256] * 6
    with pytest.raises(AssertionError, match="read something else"):
        scripted["check"](lambda rows, answer: play([rows[0], rows[0], *rows[2:]], answer))
    with pytest.raises(AssertionError, match="other rewards"):
        scripted["check"](lambda rows, answer: [one._replace(rewards=one.rewards[::-1]) for one in play(rows, answer)])


def test_the_driver_tells_what_fails(tmp_path: Path) -> None:
    (tmp_path / "run_all.py").write_text(DRIVER.read_text())
    for name, line in (("good", "print('played')"), ("bad", "raise SystemExit('broken')")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.py").write_text(f"# /// script\n# requires-python = '>=3.11'\n# ///\n{line}\n")

    def drive(*names: str) -> tuple[int, str]:
        # Not in a folder of ours: the interpreter beside it is the one that has uv.
        run = subprocess.run(
            [sys.executable, tmp_path / "run_all.py", *names], capture_output=True, text=True, cwd=tmp_path
        )
        return run.returncode, run.stdout + run.stderr

    code, out = drive("good")
    assert code == 0 and "played" in out and "ok     good" in out and "bad" not in out
    code, out = drive()
    assert code == 1 and "broken" in out and "FAILED bad" in out
    code, out = drive("nothing")
    assert code == 1 and "no integration called 'nothing'. There are bad, good." in out and "Traceback" not in out
