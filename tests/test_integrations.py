"""The integrations: every script names its environment, and the driver runs them and tells which fail."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DRIVER = ROOT / "integrations/run_all.py"
SCRIPTS = sorted(ROOT.glob("integrations/*/run.py"))


def test_there_is_one_for_each_library() -> None:
    assert {"maskable_ppo", "rllib", "tianshou"} <= {script.parent.name for script in SCRIPTS}


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
    assert f"integrations/{script.parent.name}/run.py" in (ROOT / "docs/environments.md").read_text()


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
