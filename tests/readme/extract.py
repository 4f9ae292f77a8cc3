"""extract.py README OUTPUT...: writes the only ```cpp block to the .cpp output and the only ```toml block to the .toml."""

import re
import sys
from pathlib import Path

text = Path(sys.argv[1]).read_text(encoding="utf-8")
for output in map(Path, sys.argv[2:]):
    language = output.suffix[1:]
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    if len(blocks) != 1:
        sys.exit(f"{sys.argv[1]}: {len(blocks)} blocks of {language}, one is expected")
    output.write_text(blocks[0], encoding="utf-8")
