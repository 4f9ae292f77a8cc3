"""Tests of the program: python3 program_test.py path/to/evident [--no-reports]"""
import sys
import unittest

import program


def main():
    program.PROGRAM = sys.argv.pop(1)
    program.REPORTS = "--no-reports" not in sys.argv
    names = ["bad_input", "check", "doctor", "formula_input", "hostile", "outside", "own_models", "pet_image", "report", "results", "signals",
             "usage"]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromName(name) for name in names)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


main()
