"""check_study.py PROGRAM STUDY DATA_FOLDER: runs the README's study beside a copy of the data that it names."""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

program, study, data = map(Path, sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    work = Path(folder)
    shutil.copy(study, work / "study.toml")
    for table in data.glob("*.csv"):
        shutil.copy(table, work)
    before = set(work.iterdir())
    result = subprocess.run([program, "compare", "study.toml"], cwd=work, capture_output=True, text=True, check=False)
    print(result.stdout, result.stderr)
    assert result.returncode == 0, result.returncode
    for name in ("one", "two"):
        assert any(name in line and "-" in line for line in result.stdout.splitlines()), f"no row of '{name}'"
    assert set(work.iterdir()) - before, "no results were written"
