"""Tests of one file here: python3 batch_test.py path/to/evident (batch_runs|batch_resume|compare_resume)"""
import sys
import unittest

import program


def main():
    program.PROGRAM = sys.argv.pop(1)
    suite = unittest.defaultTestLoader.loadTestsFromName(sys.argv.pop(1))
    sys.exit(not unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful())


main()
