"""The command line of `evident pet`: what it refuses, and its help."""
from pet_case import PetCase


class Options(PetCase):
    """What a command line may get wrong."""

    def test_contradictions(self):
        self.refused("nothing to analyse: give a BIDS data set, or --image FILE, or --tacs FILE", "pet")
        self.refused("--out DIR is needed", *self.arguments(out=None))
        self.refused("an arterial input is needed: give --blood FILE", *self.arguments(blood=None))
        self.refused("--image: there is no file 'absent.nii.gz'", *self.arguments(image="absent.nii.gz"))
        self.refused("--models must be a whole number between 1 and 3, was '4'", *self.arguments("--models", "1,4"))
        self.refused("--models: 2 is given twice", *self.arguments("--models", "2,2"))
        self.refused("--noise: 'loud' is none of normal, t", *self.arguments("--noise", "loud"))
        self.refused("'wde' is neither a prior .*did you mean 'wide'", *self.arguments("--prior", "wde"))
        self.refused("--resume goes on .*--force starts", *self.arguments("--resume", "--force"))
        self.refused("unknown option '--partciles'; did you mean '--particles'", *self.arguments("--partciles", 5))
        self.refused("--region is for tables", *self.arguments("--region", "x"))
        self.refused("more than --mem allows; use a smaller mask", *self.arguments("--mem", "1K"))

    def test_help(self):
        text = self.succeeds("pet", "--help").stdout
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        for option in ("--image", "--blood", "--region", "--resume", "--dry-run", "--preset"):
            self.assertRegex(text, rf"\n  {option} ")
        for group in ("A BIDS data set", "Where the files say nothing", "Sampler", "Running"):
            self.assertIn("\n" + group, text)
