"""The components of cmake/components.cmake against the sources: a component includes itself and those that it needs, directly or
through others, and it links the libraries that its sources include, all of them and no more."""

import re

MODULES, NEEDS, LIBRARIES, HEADERS = FIELDS = "MODULES", "NEEDS", "LIBRARIES", "HEADERS"
# How the sources include what a component names under LIBRARIES or HEADERS.
INCLUDED_AS = {
    "tbb": r"(oneapi/)?tbb/", "hwy": r"hwy/", "fmt": r"fmt/", "nlopt": r"nlopt\.h", "toml": r"toml\+\+/", "zlib": r"zlib\.h",
    "dl": r"dlfcn\.h", "${evident_netcdf}": r"netcdf\.h", "Eigen3::Eigen": r"Eigen/",
    "nlohmann_json::nlohmann_json": r"nlohmann/",
}
UNCHECKED = {"${evident_netcdf_headers}"}  # comes with ${evident_netcdf}


def read_components(text):
    """{name: {field: [words]}}, of the calls of evident_component(NAME ...)."""
    found = {}
    for name, body in re.findall(r"^evident_component\((\w+)([^)]*)\)", text, flags=re.M):
        words, fields, field = body.split(), {f: [] for f in FIELDS}, None
        for word in words:
            if word in FIELDS:
                field = word
            else:
                fields[field].append(word)
        found[name] = fields
    return found


def below(name, components):
    """The component and all that it needs."""
    return {name}.union(*(below(other, components) for other in components[name][NEEDS]))


def check_components(text, includes):
    """Violations as text. `includes`: (file, line number, module of the file, name, module of the included file or None)."""
    components = read_components(text)
    if not components:
        return ["cmake/components.cmake: no component is found in it"]
    home = {module: name for name, fields in components.items() for module in fields[MODULES]}
    used = {name: set() for name in components}
    found = []
    for path, number, module, name, included in includes:
        own = home.get(module)
        if own is None:  # the program, the C interface
            continue
        other = home.get(included)
        if other and other not in below(own, components):
            found.append(f"{path}:{number}: component {own} includes '{name}' of {other}, which it does not need")
        used[own].update(library for library, pattern in INCLUDED_AS.items() if re.match(pattern, name))
    for name, fields in components.items():
        linked = set(fields[LIBRARIES] + fields[HEADERS]) - UNCHECKED
        for library in sorted(used[name] - linked):
            found.append(f"cmake/components.cmake: component {name} includes {library} and does not name it")
        for library in sorted(linked - used[name]):
            found.append(f"cmake/components.cmake: component {name} names {library} and does not include it")
    return found
