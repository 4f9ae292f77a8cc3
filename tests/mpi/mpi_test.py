"""evident under mpirun:  python3 mpi_test.py PROGRAM (launch|same|faults|batch|work)"""
import sys
import unittest

import case
import ranks

if __name__ == "__main__":
    if not ranks.available():
        print("skipped: there is no mpirun (Debian package openmpi-bin)")
        sys.exit(77)
    case.PROGRAM = sys.argv[1]
    part = __import__(f"part_{sys.argv[2]}")
    outcome = unittest.TextTestRunner(verbosity=2).run(unittest.defaultTestLoader.loadTestsFromModule(part))
    sys.exit(0 if outcome.wasSuccessful() and outcome.testsRun else 1)
