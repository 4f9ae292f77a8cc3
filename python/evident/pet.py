"""PET: compartment models compared in every voxel of a dynamic image.

    maps = evident.pet.map(nibabel.load("sub-01_pet.nii.gz"), blood="blood.tsv", mask=mask, sidecar=sidecar)
    maps["BMA", "VT"].get_fdata()            # volume of distribution, averaged over models
    maps["2TCM", "postprob"]                 # probability of two compartments
    maps["order"]                            # the most probable number of compartments
"""
from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Sequence, Union

from ._keywords import checked, takes
from ._options import PET_SWITCHES, PetOptions
from ._program import arguments, run

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Maps", "map"]

_FILE = re.compile(r"(?:_model-(?P<model>[A-Za-z0-9]+))?_meas-(?P<measure>[A-Za-z0-9]+)_mimap\.nii\.gz$")


class Maps(Mapping):
    """The maps of a scan, as NiBabel images: ``maps["BMA", "VT"]`` of a model, ``maps["order"]`` of the voxel."""

    def __init__(self, folder: Any, summary: str = ""):
        self.folder, self.summary = Path(folder), summary
        self._files: dict[Any, Path] = {}
        for file in sorted(self.folder.glob("*_mimap.nii.gz")):
            found = _FILE.search(file.name)
            if found:
                key = (found["model"], found["measure"]) if found["model"] else found["measure"]
                self._files[key] = file
        if not self._files:
            raise FileNotFoundError(f"{self.folder} holds no maps of evident")

    def __getitem__(self, key: Union[str, tuple[str, str]]) -> Any:
        if key not in self._files:
            raise KeyError(f"there is no map {key!r}; there are {', '.join(map_name(k) for k in self._files)}")
        return _nibabel().load(self._files[key])

    def __iter__(self) -> Iterator:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    @property
    def models(self) -> list[str]:
        """Those that were compared."""
        return sorted({k[0] for k in self._files if isinstance(k, tuple)} - {"BMA"})

    @property
    def report(self) -> Optional[Path]:
        """The HTML report."""
        return next(iter(sorted(self.folder.glob("*_report.html"))), None)

    def __repr__(self) -> str:
        return f"<{len(self)} maps in {self.folder}: {', '.join(map_name(k) for k in self._files)}>"


def map_name(key: Any) -> str:
    return " ".join(key) if isinstance(key, tuple) else str(key)


def _nibabel() -> Any:
    try:
        import nibabel
    except ImportError as error:
        raise ImportError("PET images need NiBabel: pip install nibabel") from error
    return nibabel


def _as_file(image: Any, file: Path) -> Any:
    """The name of an image's file; one in memory is written to `file`."""
    if image is None or isinstance(image, (str, os.PathLike)):
        return image
    if not hasattr(image, "to_filename"):
        raise TypeError(f"expected a NiBabel image or the name of a file, found {type(image).__name__}")
    _nibabel().save(image, file)
    return file


@takes(PetOptions)
def map(image: Any, *, blood: Union[str, os.PathLike, Sequence, None] = None, mask: Any = None, atlas: Any = None,
        sidecar: Optional[Mapping] = None, out: Any = None, progress: bool = False,
        **options: Unpack[PetOptions]) -> Maps:
    """Compares compartment models in every voxel; as ``evident pet`` does, whose options it takes.

    Parameters
    ----------
    image:
        A NiBabel image with four dimensions, or the name of a file.
    blood:
        Files of blood samples. ``input_function`` names a finished input function instead.
    mask, atlas:
        NiBabel images, or names of files.
    sidecar:
        The fields of the image's JSON sidecar (BIDS) as a dictionary; that beside the file unless given.
    out:
        Folder for the maps; a new temporary one unless given.
    progress:
        Shows how far it is.
    models, preset, vb, threads, seed, ...:
        ``models="1,2"``, ``preset="fast"``, ``vb=0.05``, ``threads=2``, ``seed=1`` ...: see ``evident pet --help``.
    """
    out = Path(out) if out is not None else Path(tempfile.mkdtemp(prefix="evident-pet-")) / "maps"
    work = tempfile.mkdtemp(prefix="evident-")
    try:
        folder = Path(work)
        given = {"image": _as_file(image, folder / "sub-image_pet.nii.gz"), "mask": _as_file(mask, folder / "mask.nii.gz"),
                 "atlas": _as_file(atlas, folder / "atlas.nii.gz"), "blood": blood, "out": out,
                 **checked(PetOptions, options)}
        if sidecar is not None:
            (folder / "sidecar.json").write_text(json.dumps(dict(sidecar)))
            given["json"] = folder / "sidecar.json"
        if not progress:
            given["quiet"] = True
        summary = run(["pet", *arguments(given, flags=(*PET_SWITCHES, "quiet"), lists=["blood"])], show=progress)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Maps(out, summary)
