"""Simulations, and PET images through NiBabel."""
import json

import numpy as np
import pytest

import evident


def test_simulate(tmp_path):
    folder = evident.simulate("gaussian-mixture", tmp_path / "mix", seed=3, observations=40, means=[-2.0, 2.0])
    assert len((folder / "data.csv").read_text().splitlines()) == 41
    with pytest.raises(evident.InputError, match="mix: exists; give force=True to replace it, or another folder .out=."):
        evident.simulate("gaussian-mixture", tmp_path / "mix")
    evident.simulate("gaussian-mixture", tmp_path / "mix", force=True)
    with pytest.raises(evident.InputError, match="did you mean 'goodwin'"):
        evident.simulate("goodwinn", tmp_path / "x")
    with pytest.raises(evident.InputError, match="--observation"):
        evident.simulate("goodwin", tmp_path / "x", observation=3)


@pytest.fixture(scope="module")
def scan(tmp_path_factory):
    folder = evident.simulate("pet-image", tmp_path_factory.mktemp("pet") / "scan", voxels=12, noise="low", seed=2)
    return folder, folder / "sub-01/pet", folder / "derivatives/truth/sub-01/pet"


def test_pet_map(scan, tmp_path):
    nibabel = pytest.importorskip("nibabel")
    _, raw, truth = scan
    image = nibabel.load(raw / "sub-01_pet.nii.gz")
    in_memory = nibabel.Nifti1Image(image.get_fdata(), image.affine, image.header)
    mask = nibabel.load(truth / "sub-01_desc-brain_mask.nii.gz")
    sidecar = json.loads((raw / "sub-01_pet.json").read_text())
    options = dict(blood=raw / "sub-01_recording-manual_blood.tsv", mask=mask, preset="fast", particles=200, seed=4)
    maps = evident.pet.map(in_memory, sidecar=sidecar, **options)
    assert maps.models == ["1TCM", "2TCM", "3TCM"]
    vt = maps["BMA", "VT"]
    np.testing.assert_allclose(vt.affine, image.affine, atol=1e-5)
    inside = np.asarray(mask.dataobj) > 0
    assert np.all(np.isfinite(vt.get_fdata()[inside])) and np.all(np.isnan(vt.get_fdata()[~inside]))
    total = sum(maps[m, "postprob"].get_fdata()[inside] for m in maps.models)
    np.testing.assert_allclose(total, 1, atol=1e-5)
    exact = nibabel.load(truth / "sub-01_meas-VT_mimap.nii.gz").get_fdata()[inside]
    assert np.median(np.abs(vt.get_fdata()[inside] / exact - 1)) < 0.2
    assert maps.report.stat().st_size > 1000 and "voxels" in maps.summary
    again = evident.pet.map(raw / "sub-01_pet.nii.gz", out=tmp_path / "again", **options)
    np.testing.assert_array_equal(again["BMA", "VT"].get_fdata(), vt.get_fdata())
    with pytest.raises(KeyError, match="there is no map"):
        maps["BMA", "Vt"]


def test_pet_errors(scan, tmp_path):
    _, raw, _ = scan
    with pytest.raises(evident.InputError, match="give blood=FILE .* or input_function=FILE"):
        evident.pet.map(raw / "sub-01_pet.nii.gz", out=tmp_path / "x")
    blood = raw / "sub-01_recording-manual_blood.tsv"
    with pytest.raises(evident.InputError, match="^resume=True goes on .* force=True starts"):
        evident.pet.map(raw / "sub-01_pet.nii.gz", blood=blood, out=tmp_path / "x", resume=True, force=True)
    with pytest.raises(evident.InputError, match="^vb= must be a number from 0 to 0.5, was '2.0'"):
        evident.pet.map(raw / "sub-01_pet.nii.gz", blood=blood, vb=2.0)
    with pytest.raises(TypeError, match="NiBabel"):
        evident.pet.map(np.zeros((2, 2, 2, 3)), blood="b.tsv")
    with pytest.raises(FileNotFoundError, match="no maps"):
        evident.pet.Maps(tmp_path)
