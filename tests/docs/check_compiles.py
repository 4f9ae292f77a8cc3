"""check_compiles.py CXX: blocks of C++ and C with a main() compile without a warning; the others are parts and are not tried."""
import subprocess
import sys

from pages import ROOT, blocks, pages

COMPILERS = {"cpp": [sys.argv[1], "-x", "c++", "-std=c++20"], "c": [sys.argv[1], "-x", "c", "-std=c99"]}
ELSEWHERE = {"README.md"}  # tests/readme compiles and runs its block


def main():
    whole = [b for p in pages() if str(p.relative_to(ROOT)) not in ELSEWHERE for b in blocks(p)
             if b.language in COMPILERS and "int main(" in b.text]
    failed = 0
    for block in whole:
        command = [*COMPILERS[block.language], "-fsyntax-only", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I", ROOT / "include", "-"]
        done = subprocess.run(command, input=block.text, capture_output=True, text=True, check=False)
        if done.returncode:
            failed += 1
            print(f"{block.place}: {done.stderr}")
    print(f"{len(whole)} programs, {failed} do not compile")
    return 1 if failed or not whole else 0


sys.exit(main())
