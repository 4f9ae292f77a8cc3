"""Tests of the program: python3 program_test.py path/to/evident"""
import sys
import unittest

import program


def main():
    program.PROGRAM = sys.argv.pop(1)
    names = ["bad_input", "results", "signals", "usage"]
    suite = unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromName(name) for name in names)
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


main()
