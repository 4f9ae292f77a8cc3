"""Installs evident, builds the examples against it and holds the printed evidences against exact ones.

    examples_test.py install WORK CMAKE BUILD CONFIG
    examples_test.py c|cpp   WORK CMAKE SOURCE GENERATOR CC CXX
    examples_test.py r       WORK RSCRIPT SOURCE
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys

T = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5, 2.0)
Y = (-0.9, 0.6, -0.3, 1.1, 0.4, 2.2, 1.3, 2.6)
NUMBER = r"(-?\d+\.\d+)"
ANSWER = re.compile(rf"^(.+): log evidence {NUMBER} \+- {NUMBER}(?:, exact {NUMBER})?$", re.M)


def exact(slope):
    """Log density of Y: normal with mean 0 and covariance 1 + 4 (1 + t t'), by elimination; shares nothing with the
    formula of the examples."""
    n = len(Y)
    a = [[(i == j) + 4 * (1 + slope * T[i] * T[j]) for j in range(n)] + [Y[i]] for i in range(n)]
    log_det = 0.0
    for k in range(n):
        log_det += math.log(a[k][k])
        for i in range(k + 1, n):
            f = a[i][k] / a[k][k]
            a[i] = [x - f * y for x, y in zip(a[i], a[k])]
    x = [0.0] * n
    for k in reversed(range(n)):
        x[k] = (a[k][n] - sum(a[k][j] * x[j] for j in range(k + 1, n))) / a[k][k]
    return -0.5 * (n * math.log(2 * math.pi) + log_det + sum(u * v for u, v in zip(Y, x)))


EXACT = {"level": exact(0), "line": exact(1)}


def run(*command, **options):
    print("---", *command, flush=True)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"failed with {done.returncode}")
    return done.stdout


def check(output, names):
    answers = ANSWER.findall(output)
    assert [a[0] for a in answers] == names, (answers, names)
    for name, value, error, told in answers:
        assert 0 < float(error) < 0.15, error
        assert abs(float(value) - EXACT[name]) < 5 * float(error), (name, value, EXACT[name])
        assert not told or abs(float(told) - EXACT[name]) < 1e-3, (told, EXACT[name])


def install(work, cmake, build, config):
    shutil.rmtree(work, ignore_errors=True)
    run(cmake, "--install", build, "--config", config, "--prefix", work / "prefix")


def built(language, work, cmake, source, generator, cc, cxx):
    build = work / language
    shutil.rmtree(build, ignore_errors=True)
    compilers = [f"-DCMAKE_C_COMPILER={cc}"] if language == "c" else [f"-DCMAKE_CXX_COMPILER={cxx}"]
    run(cmake, "-S", source, "-B", build, "-G", generator, f"-DCMAKE_PREFIX_PATH={work / 'prefix'}", *compilers)
    run(cmake, "--build", build)
    return build


def c(work, *arguments):
    check(run(built("c", work, *arguments) / "line"), ["level", "line"])


def cpp(work, *arguments):
    build = built("cpp", work, *arguments)
    for program, names in (("scalar_model", ["level", "line"]), ("batch_model", ["line"]), ("observers", ["level"]),
                           ("own_kernel", ["line"])):
        check(run(build / program), names)


def r(work, rscript, source):
    if not shutil.which("R") or not shutil.which("make"):
        print("skipped: R CMD SHLIB needs R and make")
        sys.exit(77)
    folder = work / "r"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source, folder)
    prefix = work / "prefix"
    lib = next(prefix.rglob("libevident_c.so")).parent
    os.environ.update(PKG_CPPFLAGS=f"-I{prefix / 'include'}", PKG_LIBS=f"-L{lib} -Wl,-rpath,{lib} -levident_c")
    run("R", "CMD", "SHLIB", "evident_r.c", cwd=folder)
    output = run(rscript, "sleep.R", cwd=folder)  # it checks itself, against integrals
    answers = ANSWER.findall(output)
    assert [a[0] for a in answers] == ["no effect", "effect"], answers
    for _, value, error, told in answers:
        assert 0 < float(error) < 0.3 and abs(float(value) - float(told)) < 5 * float(error), answers


if __name__ == "__main__":
    {"install": install, "c": c, "cpp": cpp, "r": r}[sys.argv[1]](pathlib.Path(sys.argv[2]), *sys.argv[3:])
