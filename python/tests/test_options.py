"""Options: the same names, ranges and words in a study, on the command line, in C and here."""
import ctypes
import inspect
import os
import subprocess
import typing

import numpy as np
import pytest

import evident
from evident._options import PET_SWITCHES, PetOptions, SamplerOptions
from evident._program import program, run

KINDS = {name: str(kind.__forward_arg__) for name, kind in SamplerOptions.__annotations__.items()}
FLAGS = {"method", "particles", "cess", "seed", "threads", "replicates", "islands", "recipe", "precision", "decide", "time"}
LADDER, JUMPS, CHAINS = {"ladders", "update", "ladder", "adaptive_ladder"}, {"thin", "jump_passes"}, {"chains", "burn_in", "iterations"}


def bad_value(name):
    """One that no option of this kind takes."""
    if "int" in KINDS[name] or "float]]" in KINDS[name] or KINDS[name] == "Optional[float]":
        return [0.5, 7.0] if "Sequence" in KINDS[name] else -1
    return "no such word"


def others(name):
    """Options without which this one has no effect."""
    method = "population-mcmc" if name in LADDER | CHAINS else "rjmcmc" if name in JUMPS else None
    out = {"method": method} if method else {}
    if name == "steps" or name == "power":
        out["schedule"] = "prior"
    if name == "band":
        out["scale_rule"] = "band"
    return out


def toml(value):
    return f'"{value}"' if isinstance(value, str) else str(value)


def words_of_study(folder, options, flags=()):
    keys = "".join(f"{key} = {toml(value)}\n" for key, value in options.items())
    (folder / "study.toml").write_text("[sampler]\n" + keys + '[[model]]\nname = "m"\n[model.parameters]\nmu = "normal(0, 1)"\n'
                                       '[model.likelihood]\ny = "normal(mu, 1)"\n')
    done = subprocess.run([program(), "compare", "study.toml", *flags], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    return done.stderr.strip()


def words_of_python(options):
    with pytest.raises(evident.InputError) as caught:
        evident.compare([evident.Model("m", {"x": "normal(0, 1)"}, lambda t: -t[:, 0] ** 2)], **options)
    return str(caught.value)


def words_of_c(folder, options):
    """Of a study without models of its own; it is loaded from a file, or refused before that."""
    library = ctypes.CDLL(os.environ["EVIDENT_C_LIBRARY"])
    library.evident_study_new.restype = ctypes.c_void_p
    library.evident_study_error.restype = ctypes.c_char_p
    study = ctypes.c_void_p(library.evident_study_new())
    for key, value in options.items():
        assert library.evident_study_set(study, key.encode(), str(value).encode()) == 0
    assert library.evident_study_load(study, str(folder / "study.toml").encode()) != 0
    words = library.evident_study_error(study).decode()
    library.evident_study_free(study)
    return words


@pytest.mark.parametrize("name", KINDS)
def test_a_bad_value_is_refused_with_the_same_words_everywhere(name, tmp_path):
    options = {**others(name), name: bad_value(name)}
    said = words_of_study(tmp_path, options)
    place = f"'{name}' in [sampler] "
    assert place in said
    words = said.split(place)[1]
    assert words.startswith(("must be ", "has no choice "))
    assert words_of_python(options) == f"{name}= {words}"
    words_of_study(tmp_path, {})
    if name in FLAGS:
        assert words_of_study(tmp_path, {}, [f"--{name}", str(options[name])]) == f"evident: --{name} {words}"
        assert words_of_c(tmp_path, {name: options[name]}) == f"setting '{name}' {words}"
    else:
        assert words_of_c(tmp_path, {name: options[name]}) == f"setting '{name}' belongs into [sampler] of the study; write it there"


@pytest.mark.parametrize("function", [evident.compare, evident.evidence])
def test_every_option_is_in_the_signature(function):
    named = inspect.signature(function).parameters
    assert set(KINDS) <= set(named)
    assert named["particles"].kind is inspect.Parameter.KEYWORD_ONLY
    assert named["cess"].annotation == "Optional[float]"
    assert not any(p.kind is p.VAR_KEYWORD for p in named.values())


def test_the_types_are_known():
    kinds = typing.get_type_hints(SamplerOptions)
    assert kinds["particles"] == typing.Optional[int]
    assert "crank-nicolson" in typing.get_args(typing.get_args(kinds["kernel"])[0])


def test_a_typing_error_is_found():
    model = evident.Model("m", {"x": "normal(0, 1)"}, lambda t: -t[:, 0] ** 2)
    with pytest.raises(TypeError, match="^there is no option 'particels'; did you mean 'particles'\\?$"):
        evident.compare([model], particels=100)
    with pytest.raises(TypeError, match="^there is no option 'colour'$"):
        evident.compare("study.toml", colour="red")
    with pytest.raises(TypeError, match="are for studies"):
        evident.compare([model], only=["m"])


def test_options_of_pet(tmp_path):
    known = {name: str(kind.__forward_arg__) for name, kind in PetOptions.__annotations__.items()}
    assert set(PET_SWITCHES) <= set(known) <= set(inspect.signature(evident.pet.map).parameters)
    text = run(["pet", "--help"])
    for name in known:
        assert f"--{name.replace('_', '-')}" in text
    with pytest.raises(TypeError, match="^there is no option 'model'; did you mean 'models'"):
        evident.pet.map(tmp_path / "image.nii.gz", model="1,2")
    for name, value in (("vb", 0.75), ("particles", 1), ("chunk", 0), ("decay_reference", 1e6), ("noise", "loud"),
                        ("models", [1, 4]), ("delay", 301), ("units", "miles"), ("mem", "1X"), ("frames", "absent")):
        with pytest.raises(evident.InputError, match=rf"^{name}=?(:| must be| is)"):
            evident.pet.map(__file__, **{name: value})


def test_numbers_of_numpy_are_numbers():
    model = evident.Model("m", {"x": "normal(0, 1)"}, lambda t: -t[:, 0] ** 2)
    plain = evident.compare([model], particles=64, recipe="adaptive", schedule="list", alphas=[0.25, 1.0], seed=3)
    other = evident.compare([model], particles=np.int32(64), recipe="adaptive", schedule="list", alphas=np.array([0.25, 1]),
                            seed=np.uint64(3), mix_scales=np.bool_(False), decide=None)
    assert other[0].log_evidence == plain[0].log_evidence
