"""Tests of `evident pet`: python3 pet_test.py path/to/evident [names]. They need nibabel and numpy."""
import importlib.util
import sys
import unittest

import program

NAMES = ["pet_bad_input", "pet_options", "pet_results", "pet_resume"]
SKIPPED = 77  # for CTest


def main():
    program.PROGRAM = sys.argv[1]
    if not all(importlib.util.find_spec(module) for module in ("nibabel", "numpy")):
        print("skipped: needs python3-nibabel and python3-numpy")
        sys.exit(SKIPPED)
    suite = unittest.TestSuite(
        unittest.defaultTestLoader.loadTestsFromName(name) for name in sys.argv[2:] or NAMES)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


main()
