"""Compiles the instrumented kernels of a file of the corpus, with the listing and the declarations that bounds need.

For each file and capability a folder gets `corpus-FILE-MARK.sm_90.cubin`, the listing beside it (`.sass`, as
`nvdisasm -g -c -hex` prints it) and `.json`, which says of each kernel how it is launched. MARK changes with the source, the
declarations and the programs that make these files of them, so nothing stale is used.
"""

import hashlib
import json
import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from . import corpus, instrument, listing
from .tools import ROOT, ToolError, digits, run, stem_of

CORPUS = ROOT / "tests" / "corpus"
# Kernels that keep one unit busy each. They tell of bounds, but not of what engineers write, so the corpus is without them.
UNITS = ROOT / "scripts" / "silicon" / "units"
UNITS_SINCE = (9, 0)  # has all their instructions
NEIGHBOURS = ROOT / "scripts" / "silicon" / "cuda" / "neighbours.cu"


def folder_of(file):
    return UNITS if (UNITS / f"{file}.cu").exists() else CORPUS


def stem(file, capability):
    made_of = [folder_of(file) / f"{file}.cu", folder_of(file) / f"{file}.toml", *(Path(module) for module in (corpus.__file__, instrument.__file__, listing.__file__, __file__))]
    text = "".join(path.read_text() for path in made_of)
    return stem_of(f"corpus-{file}", text, capability)


def files(capability):
    folders = (CORPUS, UNITS) if tuple(capability) >= UNITS_SINCE else (CORPUS,)
    return sorted(path.stem for folder in folders for path in folder.glob("*.cu"))


def manifest(tools, folder, capability, file):
    """What is known of the kernels of a file, which is compiled if that has not happened yet."""
    folder = Path(folder)
    base = folder / stem(file, capability)
    path = base.with_name(base.name + ".json")
    if not path.exists():
        make(tools, folder, capability, file, base)
    return json.loads(path.read_text())


def make(tools, folder, capability, file, base):
    kernels = {name: kernel for name, kernel in corpus.load(folder_of(file)).items() if kernel.file == file}
    folder.mkdir(parents=True, exist_ok=True)
    source = instrument.instrument((folder_of(file) / f"{file}.cu").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        # The name is the same in every run, because line information holds it.
        path = Path(scratch, f"{file}.cu")
        path.write_text(source)
        if tools.nvrtc and tools.programs.get("ptxas"):
            how, data = "NVRTC and ptxas", tools._made("ptxas", [f"-arch=sm_{digits(capability)}", "-lineinfo"], tools.ptx(path, capability))
        elif tools.programs.get("nvcc"):
            how, data = "nvcc", tools._made("nvcc", ["-cubin", f"-arch=sm_{digits(capability)}", "-std=c++17", "-lineinfo", str(path)])
        else:
            raise ToolError(f"nothing here compiles {file}.cu: want nvcc, or NVRTC and ptxas, or what --prepare made")
        cubin = Path(scratch, "out.cubin")
        cubin.write_bytes(data)
        text = run(tools.programs["nvdisasm"], "-g", "-c", "-hex", str(cubin)) if tools.programs.get("nvdisasm") else None
    # The folder of the compilation (of nvcc) or of this process (NVRTC) says nothing, and would make every listing another one.
    text = text and re.sub(r'(?<=//## File ")[^"]*/', "", text)
    found = {"file": file, "capability": f"{capability[0]}.{capability[1]}", "how": how, "cubin": base.name + ".cubin",
             "listing": base.name + ".sass" if text else None,
             "sha256": hashlib.sha256(text.encode()).hexdigest() if text else None, "kernels": {}}
    for name, kernel in kernels.items():
        entry = kernel._asdict()
        try:
            entry["declared"] = listing.declarations(text, kernel, source) if text else None
        except listing.ListingError as error:
            entry["declared"], entry["undeclared"] = None, str(error)
        found["kernels"][name] = entry
    (folder / found["cubin"]).write_bytes(data)
    if text:
        (folder / found["listing"]).write_text(text)
    # Last, since it says that all of it is there.
    base.with_name(base.name + ".json").write_text(json.dumps(found, indent=1))


def manifests(tools, folder, capability):
    """Those of all files; several are compiled at a time."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(lambda file: manifest(tools, folder, capability, file), files(capability)))


def prepare(tools, folder, capability):
    manifests(tools, folder, capability)
    tools.prepare(folder, "neighbours", capability, NEIGHBOURS)
