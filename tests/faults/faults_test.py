"""Faults: python3 faults_test.py path/to/evident PART"""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import program


def main():
    program.PROGRAM = str(pathlib.Path(sys.argv[1]).resolve())
    suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv[2])
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


main()
