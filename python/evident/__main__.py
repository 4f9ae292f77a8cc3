"""python -m evident compare study.toml"""
from ._program import main

main()
