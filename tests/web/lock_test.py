"""What the build installs from npm is pinned by hash, and no host is named: any registry will do."""
import json
import re
import sys
from pathlib import Path

web = Path(__file__).resolve().parents[2] / "web"
text = (web / "package-lock.json").read_text()
lock, package = json.loads(text), json.loads((web / "package.json").read_text())
wrong = [f"'{url}' names a host" for url in re.findall(r"\w+://[^\"]*", text)]
wrong += [f"{name} has no hash" for name, entry in lock["packages"].items() if name and "integrity" not in entry]
for group in ("dependencies", "devDependencies"):
    for name, version in package[group].items():
        if not re.fullmatch(r"\d+\.\d+\.\d+", version):
            wrong.append(f"{name}: '{version}' is not one version")
if len(lock["packages"]) < 4:
    wrong.append("the lock file has hardly any packages")
print("\n".join(wrong) or f"{len(lock['packages'])} packages pinned")
sys.exit(bool(wrong))
