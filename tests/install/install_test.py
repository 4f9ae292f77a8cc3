"""Installs evident and builds programs against it, as its users do: install_test.py NAME WORK --cmake CMAKE ...

    prefix         installs, and moves what was installed: nothing in it may depend on where it was put
    find_package   a project that knows evident as an installed package runs
    components     a program for each component links that component alone
    core           a program of the component core has nothing of studies, reports and images in it
    pkg_config     the same programs, compiled with the flags of pkg-config
    not_built      an installation before the build copies nothing and names the target that builds all it needs
    page           docs/library.md: its commands are run, with its files
    subproject     the project of that page that takes evident's sources
"""
import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(ROOT / "tests/docs"))
from pages import blocks  # noqa: E402
PARTS_OF_PROGRAM = ["share/man/man1/evident.1", "share/man/man1/evident-compare.1", "share/bash-completion/completions/evident",
                    "share/zsh/site-functions/_evident", "share/fish/vendor_completions.d/evident.fish",
                    "share/evident/examples/decay/study.toml"]
COMPONENTS = ["core", "formula", "study", "report", "batch", "imaging"]
# Libraries and names of functions that a program of the component core has no use for.
NOT_IN_CORE = re.compile(r"toml|netcdf|\bnc_\w+|nifti|html|zlib|libz\b|\bcrc32|(in|de)flate|evident::(study|report|imaging|batch|formula)::", re.I)


def run(*command, expect=0, **options):
    print("---", *command, flush=True)
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, **options)
    print(done.stdout, flush=True)
    assert (done.returncode == 0) == (expect == 0), f"ended with {done.returncode}"
    return done.stdout


def configure(o, source, build, *settings):
    shutil.rmtree(build, ignore_errors=True)
    run(o.cmake, "-S", source, "-B", build, "-G", o.generator, f"-DCMAKE_BUILD_TYPE={o.config}", f"-DCMAKE_CXX_COMPILER={o.cxx}", *settings)
    return build


def built(o, name, *settings):
    build = configure(o, HERE / name, o.work / name, f"-DCMAKE_PREFIX_PATH={o.prefix}", *settings)
    run(o.cmake, "--build", build)
    return build


def prefix(o):
    shutil.rmtree(o.work, ignore_errors=True)
    run(o.cmake, "--install", o.build, "--config", o.config, "--prefix", o.work / "first")
    (o.work / "first").rename(o.prefix)
    if o.program:
        run(o.prefix / "bin/evident", "--version")
        for file in PARTS_OF_PROGRAM:
            assert (o.prefix / file).exists(), f"{file} was not installed"
        run(o.prefix / "bin/evident", "check", o.prefix / "share/evident/examples/decay/study.toml", "--quick")
    for file in [*o.prefix.glob("bin/*"), *o.prefix.rglob("*.so")]:  # none looks for libraries in the working folder
        run(sys.executable, "-B", ROOT / "tests/hardening/check.py", o.readelf, file)


def find_package(o):
    run(built(o, "consumer", f"-DEXPECTED_VERSION={o.version}") / "consumer")
    said = run(o.cmake, "-S", HERE / "core", "-B", o.work / "unknown", "-G", o.generator, f"-DCMAKE_PREFIX_PATH={o.prefix}",
               f"-DCMAKE_CXX_COMPILER={o.cxx}", "-DCOMPONENT=unknown", expect=1)
    assert "there is no component 'unknown'" in " ".join(said.split()), said


def components(o):
    build = built(o, "components", f"-DEVIDENT_SOURCES={ROOT / 'src'}")
    for name in COMPONENTS[1:]:
        run(build / name)


def core(o):
    program = built(o, "core") / "core"
    run(program)
    files = [program, *(p for p in o.prefix.rglob("libevident_core.so*") if not p.is_symlink())]
    for file in files:
        needed = re.findall(r"\(NEEDED\).*\[(.*)\]", run(o.readelf, "-d", "-W", file))
        names = run(o.nm, "-C", "--defined-only", file).splitlines() + run(o.nm, "-C", "-u", file).splitlines()
        assert any("evident::compare" in name for name in names), "nm shows no names"
        wrong = [name for name in needed + names if NOT_IN_CORE.search(name)]
        assert not wrong, wrong


def pkg_config(o):
    if not o.pkg_config:
        print("skipped: there is no pkg-config")
        sys.exit(77)
    files = sorted(o.prefix.rglob("*.pc"))
    assert {f.stem for f in files} == {"evident", "evident_c", *(f"evident-{c}" for c in COMPONENTS)}, files
    os.environ["PKG_CONFIG_PATH"] = str(files[0].parent)
    cpp, c = [o.cxx, "-std=c++20"], [o.cc, "-std=c99"]
    for package, compiler, source in (("evident-core", cpp, HERE / "consumer/main.cpp"), ("evident", cpp, HERE / "components/imaging.cpp"),
                                      ("evident_c", c, ROOT / "examples/c/line.c")):
        assert run(o.pkg_config, "--modversion", package).strip() == o.version
        flags = shlex.split(run(o.pkg_config, "--cflags", "--libs", package))
        program = o.work / f"of-{package}"
        run(*compiler, "-I", ROOT / "src", source, *flags, "-lm", "-o", program)
        run(program, env={**os.environ, "LD_LIBRARY_PATH": str(files[0].parent.parent)})


def not_built(o):
    build = configure(o, ROOT, o.work.with_name("not-built"), "-DEVIDENT_TESTS=OFF", "-DEVIDENT_BENCHES=OFF", "-DEVIDENT_PAPERS=OFF")
    target = o.work.with_name("not-built-prefix")
    said = run(o.cmake, "--install", build, "--prefix", target, expect=1)
    assert "--target installable" in said and not target.exists(), "something was installed"
    assert "--target installable" in (ROOT / "tools/demo").read_text(encoding="utf-8"), "the demo builds less than is installed"
    if o.generator == "Ninja":
        steps = run(o.cmake, "--build", build, "--", "-t", "commands", "installable")
        copied = re.findall(rf'"{build}/([^"/]+)"', (build / "cmake_install.cmake").read_text(encoding="utf-8"))
        made = [name for name in copied if re.search(r"\.a$|\.so[.\d]*$|^evident$", name)]
        assert len(made) > len(COMPONENTS), made
        for name in made:
            assert re.search(rf"(?<![\w/.-]){re.escape(name)}(?![\w.-])", steps), f"installable does not build {name}"


def page_blocks(o):
    """The blocks of the page, with the folders of this test in place of its own."""
    here = {"/opt/evident": o.prefix, "build/release": o.build, "/src/evident": ROOT}
    for block in blocks(ROOT / "docs/library.md"):
        block.text = re.sub("|".join(here), lambda name: str(here[name[0]]), block.text)
        yield block


def write_page(o, folder):
    shutil.rmtree(folder, ignore_errors=True)
    for block in page_blocks(o):
        if block.word == "new":
            (folder / block.argument).parent.mkdir(parents=True, exist_ok=True)
            (folder / block.argument).write_text(block.text, encoding="utf-8")


def page(o):
    folder = o.work.with_name("page")
    o.prefix = folder / "opt"
    write_page(o, folder)
    commands = [b.text for b in page_blocks(o) if b.language == "sh" and (o.pkg_config or "pkg-config" not in b.text)]
    assert len(commands) > 1, commands
    for text in commands:
        run("bash", "-eux", "-c", text, cwd=folder, env={**os.environ, "LD_LIBRARY_PATH": str(o.prefix / "lib"), "CXX": o.cxx})


def subproject(o):
    folder = o.work.with_name("subproject")
    write_page(o, folder)
    shutil.copy(folder / "main.cpp", folder / "with-sources")
    build = configure(o, folder / "with-sources", folder / "build")
    if o.generator == "Ninja":  # only the program's own file is compiled: the library would take minutes
        run(o.cmake, "--build", build, "--target", "CMakeFiles/app.dir/main.cpp.o")
        link = run(o.cmake, "--build", build, "--", "-t", "commands", "app").splitlines()[-1]
        assert "libevident_core" in link and not re.search("libevident_(study|report|imaging)|toml|netcdf", link), link


def main():
    parser = argparse.ArgumentParser()
    tests = [prefix, find_package, components, core, pkg_config, not_built, page, subproject]
    parser.add_argument("test", choices=[t.__name__ for t in tests])
    parser.add_argument("work", type=Path)
    for name in ("cmake", "build", "config", "generator", "cc", "cxx", "version", "nm", "readelf", "pkg-config"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--program", action="store_true")
    o = parser.parse_args()
    o.prefix = o.work / "prefix"
    next(t for t in tests if t.__name__ == o.test)(o)


main()
