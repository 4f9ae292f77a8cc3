"""Clocks that jump: whoever sets the time of day while a run goes on changes nothing."""
import os
import re
import shutil
import subprocess
import unittest

from fault_case import STUDY, FaultCase

# The time of day leaps by days, forwards and backwards, at each look; time that passes is left as it is.
LEAPS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
static long leap(void) { static unsigned n; n = n * 1103515245u + 12345u; return (long)(n >> 8) % 4000000 - 2000000; }
int clock_gettime(clockid_t which, struct timespec* out) {
  static int (*real)(clockid_t, struct timespec*);
  if (!real) real = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
  int status = real(which, out);
  if (which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE) out->tv_sec += leap();
  return status;
}
int gettimeofday(struct timeval* out, void* zone) {
  struct timespec now; (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  out->tv_sec = now.tv_sec; out->tv_usec = now.tv_nsec / 1000;
  return 0;
}
time_t time(time_t* out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (out) *out = now.tv_sec;
  return now.tv_sec;
}
"""


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class Clock(FaultCase):
    def setUp(self):
        super().setUp()
        self.write("leaps.c", LEAPS)
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "leaps.so", "leaps.c", "-ldl"], cwd=self.folder, check=True)
        self.leaping = {**os.environ, "LD_PRELOAD": str(self.folder / "leaps.so")}
        self.write("study.toml", STUDY.format(500))

    def test_the_clock_leaps(self):
        """The test tests something."""
        seen = {subprocess.run(["date", "+%s"], env=self.leaping, capture_output=True, text=True).stdout for _ in range(2)}
        now = int(subprocess.run(["date", "+%s"], capture_output=True, text=True).stdout)
        self.assertGreater(max(abs(int(s) - now) for s in seen), 1000)

    def test_compare(self):
        self.succeeds("compare", "study.toml", "--out", "steady", "--quiet")
        self.succeeds("compare", "study.toml", "--out", "leaps", "--quiet", env=self.leaping)
        times = re.compile(r'"seconds": [0-9.e+-]+')
        for name in ("m-draws.csv", "result.json"):
            texts = [times.sub("", (self.folder / out / name).read_text()) for out in ("steady", "leaps")]
            self.assertEqual(texts[0], texts[1])
        seconds = [float(s) for s in re.findall(r'"seconds": ([0-9.e+-]+)', (self.folder / "leaps/result.json").read_text())]
        self.assertTrue(seconds and all(0 <= s < 60 for s in seconds), seconds)

    def test_a_time_limit_is_kept(self):
        text = STUDY.format(500).replace("replicates = 1\n", "islands = 2\n")
        self.write("study.toml", text)
        self.succeeds("compare", "study.toml", "--time", "1s", "--out", "out", "--quiet", env=self.leaping, timeout=60)

    def test_batch(self):
        self.write("d1.csv", "y\n1\n2\n")
        for out, env in (("steady", None), ("leaps", self.leaping)):
            self.succeeds("batch", "study.toml", "--data", "d*.csv", "--out", out, "--quiet", env=env)
        self.assertEqual(*((self.folder / out / "parameters.csv").read_bytes() for out in ("steady", "leaps")))
