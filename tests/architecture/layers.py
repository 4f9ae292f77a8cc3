"""The architecture of evident as data: which module stands where, and who may use which library.

A module includes only modules with a lower number. A new module gets its number here first.
"""

LAYERS = {
    "base": 0,
    "dist": 1,
    "model": 2,
    "models": 3,
    "particles": 3,
    "path": 4,
    "schedule": 5,
    "kernel": 5,
    "transdim": 5,
    "evidence": 5,
    "smc": 6,
    "baseline": 7,
    "compare": 8,
    "imaging": 9,
    "study": 9,
    "report": 9,
    "cluster": 10,
    "cli": 11,
    "capi": 11,
    "python": 11,
}

# Samplers work with any model, so none of them may know one; models meet samplers from this layer up.
MODELS_SEEN_FROM = 9

# Third-party headers that belong to one place: (pattern of the include, patterns of the files that may use it).
OWNERS = [
    (r"hwy/", [r"src/.*\.cpp", r"src/.*-inl\.hpp"]),
    (r"(oneapi/)?tbb/", [r"src/base/.*"]),
    (r"toml\+\+/|toml\.hpp", [r"src/study/.*"]),
    (r"nlohmann/", [r"src/report/.*", r"cli/.*"]),
    (r"CLI/|CLI11", [r"cli/.*"]),
    (r"mpi\.h|boost/mpi", [r"src/cluster/.*"]),
    (r"nlopt", [r"src/baseline/.*"]),
    (r"nifti", [r"src/imaging/.*"]),
    (r"Random123/", []),
    (r"gtest/|gmock/", []),
]

MAX_LINES = 400
