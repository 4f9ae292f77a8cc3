"""The architecture of evident as data: which module stands where, and who may use which library.

A module includes only modules with a lower number. A new module gets its number here first.
"""

LAYERS = {
    "base": 0,
    "dist": 1,
    "journal": 1,
    "tables": 1,
    "model": 2,
    "models": 3,
    "particles": 3,
    "path": 4,
    "schedule": 5,
    "kernel": 5,
    "transdim": 5,
    "evidence": 5,
    "proposal": 6,
    "judge": 6,
    "smc": 7,
    "scout": 7,
    "nested": 8,
    "baseline": 8,
    "compare": 9,
    "formula": 9,
    "external": 9,
    "study": 10,
    "report": 10,
    "results": 11,
    "imaging": 12,
    "batch": 12,
    "cluster": 13,
    "cli": 14,
    "capi": 14,
    "python": 14,
}

# Samplers work with any model, so none of them may know one; models meet samplers from this layer up.
MODELS_SEEN_FROM = 10

# Third-party headers that belong to one place: (pattern of the include, patterns of the files that may use it).
OWNERS = [
    (r"hwy/", [r"src/.*\.cpp", r"src/.*-inl\.hpp"]),
    (r"(oneapi/)?tbb/", [r"src/base/.*"]),
    (r"toml\+\+/|toml\.hpp", [r"src/study/.*"]),
    (r"nlohmann/", [r"src/report/.*", r"src/imaging/.*", r"src/batch/.*", r"cli/.*"]),
    (r"CLI/|CLI11", [r"cli/.*"]),
    (r"mpi\.h|boost/mpi", [r"src/cluster/.*"]),
    (r"netcdf", [r"src/report/netcdf_file\.cpp"]),
    (r"nlopt", [r"src/scout/climb\.cpp"]),
    (r"dlfcn\.h", [r"src/external/dynamic_library\.cpp", r"src/cluster/launch\.cpp"]),
    (r"zlib\.h", [r"src/imaging/.*"]),
    (r"nifti", [r"src/imaging/.*"]),
    (r"Random123/", []),
    (r"gtest/|gmock/", []),
]

MAX_LINES = 400

# A user reads the list of public headers to learn what there is: it must fit a screen.
MAX_PUBLIC_HEADERS = 30

# Namespaces. What is part of the component core is in `evident`, and each module above it in `evident::<module>`.
IN_EVIDENT = {"base", "dist", "journal", "tables", "model", "models", "particles", "path", "schedule", "kernel", "transdim",
              "evidence", "proposal", "judge", "smc", "scout", "nested", "baseline", "compare"}
# Others, each inside the one of its module: HWY_NAMESPACE, what one kind of model needs, and these.
NESTED = {
    "base": {"fields_detail", "philox", "random_fill", "simd_math", "vector_math"},
    "dist": {"dist"},  # densities and draws that families share
    "particles": {"reweighting"},
    "proposal": {"student"},
    "models": {"goodwin", "mixture", "pet", "regression"},
    "compare": {"runs"},  # one file a method
    "formula": {"tsitouras"},
    "imaging": {"field"},  # names of the fields of a NIfTI header
    "cli": {"doctor", "reference", "templates"},
}

# Flags of other programs that messages may name: those of srun.
FLAGS_OF_OTHERS = {"--mpi"}
