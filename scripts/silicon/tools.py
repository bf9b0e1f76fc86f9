"""Compilers and disassemblers: those of the CUDA toolkit if it is there, else what stands in for them.

From CUDA to what a device runs, the first way that is there: a cubin prepared beforehand of exactly this source (`prepare`
of `scripts/on-gpu`), `nvcc`, the library NVRTC and then `ptxas`, PTX prepared beforehand, which the driver compiles. PTX
goes the second half of that way. A disassembly is made by `nvdisasm` or `cuobjdump`, or was prepared beside the cubin.
"""

import collections
import ctypes
import glob
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOLKITS = ("/usr/local/cuda/bin", "/usr/local/cuda-*/bin", "/opt/cuda/bin", "/opt/*/nvidia/cu*/bin", "/usr/local/nvidia/bin")
WHEEL_PROGRAMS = "target/nvidia-tools/lib/python*/site-packages/triton/backends/nvidia/bin"
NVRTC = ("libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2", "/usr/local/cuda*/lib64/libnvrtc.so*",
         "/usr/local/cuda*/targets/*/lib/libnvrtc.so*", "/opt/*/lib/python*/site-packages/nvidia/*/lib/libnvrtc.so*",
         "/opt/*/.venv/lib/python*/site-packages/nvidia/*/lib/libnvrtc.so*",
         str(ROOT / "target/nvidia-tools/lib/python*/site-packages/nvidia/cuda_nvrtc/lib/libnvrtc.so*"))
SECONDS = 120  # for one run of a tool

# What was loaded and how it was made; `sass` is None where nothing can disassemble it.
Image = collections.namedtuple("Image", "data how sass")


class ToolError(Exception):
    """A compiler is missing or refused a source."""


class Tools:
    def __init__(self, prepared=None, programs=None):
        """`prepared`: a folder that `prepare` filled. `programs`: names to paths, for tests; None looks for them."""
        self.prepared = Path(prepared) if prepared else None
        self.programs = {name: find(name) for name in ("nvcc", "ptxas", "cuobjdump", "nvdisasm")} if programs is None else programs
        self._nvrtc = None

    def describe(self):
        """What there is, for the record."""
        found = {name: path and f"{path}: {version(path)}" for name, path in self.programs.items()}
        found["nvrtc"] = self.nvrtc.name if self.nvrtc else None
        found["prepared"] = str(self.prepared) if self.prepared else None
        return found

    @property
    def nvrtc(self):
        if self._nvrtc is None:
            self._nvrtc = Nvrtc.find() or False
        return self._nvrtc or None

    def of_source(self, path, capability, defines=()):
        """The Image of a CUDA source for a capability (major, minor). `defines` are words such as `N=4`."""
        path = Path(path)
        text = path.read_text()
        stem = stem_of(path.stem, text, capability, defines)
        found = self._prepared(stem)
        if found:
            return found
        errors = []
        if self.programs.get("nvcc"):
            try:
                arguments = [f"-arch=sm_{digits(capability)}", "-std=c++17", "-lineinfo", *(f"-D{word}" for word in defines)]
                data = self._made("nvcc", ["-cubin", *arguments, str(path)])
                return Image(data, "nvcc", self.disassemble(data))
            except ToolError as error:
                errors.append(f"nvcc: {error}")
        ptx = None
        try:
            # Of PTX that is newer than the driver, the driver makes nothing; so NVRTC goes the whole way where ptxas is missing.
            if self.nvrtc and not self.programs.get("ptxas"):
                data = self.nvrtc.compile(path, capability, defines, cubin=True)
                return Image(data, "NVRTC", self.disassemble(data))
            ptx = self.ptx(path, capability, defines)
        except ToolError as error:
            errors.append(f"NVRTC: {error}")
        if ptx is None and self.prepared and (self.prepared / f"{stem}.ptx").exists():
            ptx = (self.prepared / f"{stem}.ptx").read_text()
        if ptx is None:
            raise ToolError(f"nothing can compile {path.name}: " + "; ".join(errors))
        return self.of_ptx(ptx, capability)

    def of_ptx(self, ptx, capability, name="ptx"):
        """The Image of PTX for a capability."""
        found = self._prepared(stem_of(name, ptx, capability))
        if found:
            return found
        if not self.programs.get("ptxas"):
            return Image(ptx.encode(), "the driver, from PTX", None)
        data = self.cubin(ptx, capability)
        return Image(data, "ptxas", self.disassemble(data))

    def ptx(self, path, capability, defines=()):
        """The PTX that NVRTC makes of a source."""
        if not self.nvrtc:
            raise ToolError("the library libnvrtc is not on this machine")
        return self.nvrtc.compile(Path(path), capability, defines)

    def cubin(self, ptx, capability):
        """The cubin that ptxas makes of PTX."""
        if not self.programs.get("ptxas"):
            raise ToolError("ptxas is not on this machine")
        return self._made("ptxas", [f"-arch=sm_{digits(capability)}"], ptx)

    def _made(self, program, arguments, text=None):
        """The file that a program writes to `-o`; `text` goes in as a file of PTX."""
        with tempfile.TemporaryDirectory() as folder:
            if text is not None:
                source = Path(folder, "source.ptx")
                source.write_text(text)
                arguments = [*arguments, str(source)]
            out = Path(folder, "out.cubin")
            run(self.programs[program], *arguments, "-o", str(out))
            return out.read_bytes()

    def disassemble(self, data):
        """The SASS of a cubin as `cuobjdump -sass` prints it, or None."""
        if not data.startswith(b"\x7fELF"):
            return None
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "in.cubin")
            path.write_bytes(data)
            for program, option in (("cuobjdump", "-sass"), ("nvdisasm", "-c")):
                if self.programs.get(program):
                    try:
                        return run(self.programs[program], option, str(path))
                    except ToolError:
                        continue
        return None

    def _prepared(self, stem):
        if not self.prepared or not (self.prepared / f"{stem}.cubin").exists():
            return None
        sass = self.prepared / f"{stem}.sass"
        return Image((self.prepared / f"{stem}.cubin").read_bytes(), "prepared", sass.read_text() if sass.exists() else None)

    def prepare(self, folder, name, capability, path=None, ptx=None, defines=()):
        """Writes cubin, PTX and SASS of a source or of PTX to a folder; returns the stem of the files."""
        folder = Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        stem = stem_of(name, Path(path).read_text() if path else ptx, capability, defines)
        if (folder / f"{stem}.cubin").exists():
            return stem
        text = self.ptx(path, capability, defines) if path else ptx
        data = self.cubin(text, capability)
        (folder / f"{stem}.ptx").write_text(text)
        sass = self.disassemble(data)
        if sass:
            (folder / f"{stem}.sass").write_text(sass)
        part = folder / f"{stem}.part"
        part.write_bytes(data)
        part.replace(folder / f"{stem}.cubin")
        return stem


class Nvrtc:
    """The compiler from CUDA to PTX that is a library."""

    def __init__(self, library, name):
        self.library, self.name = library, name

    @classmethod
    def find(cls):
        for pattern in NVRTC:
            for name in sorted(glob.glob(pattern)) if "/" in pattern else [pattern]:
                if "builtins" in name or "static" in name or ".alt" in name:
                    continue
                try:
                    return cls(ctypes.CDLL(name), name)
                except OSError:
                    continue
        return None

    def compile(self, path, capability, defines, cubin=False):
        """PTX as text, or a cubin as bytes."""
        program = ctypes.c_void_p()
        options = [f"--gpu-architecture={'sm' if cubin else 'compute'}_{digits(capability)}", "-std=c++17", "-lineinfo", f"--include-path={path.parent}",
                   *(f"-D{word}" for word in defines)]
        words = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        self._check(self.library.nvrtcCreateProgram(ctypes.byref(program), path.read_bytes(), path.name.encode(), 0, None, None))
        try:
            if self.library.nvrtcCompileProgram(program, len(options), words):
                raise ToolError(self._bytes(program, "ProgramLog").rstrip(b"\0").decode(errors="replace").strip())
            return self._bytes(program, "CUBIN") if cubin else self._bytes(program, "PTX").rstrip(b"\0").decode()
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))

    def _bytes(self, program, what):
        size = ctypes.c_size_t()
        self._check(getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        text = ctypes.create_string_buffer(size.value)
        self._check(getattr(self.library, f"nvrtcGet{what}")(program, text))
        return text.raw

    @staticmethod
    def _check(result):
        if result:
            raise ToolError(f"NVRTC failed with error {result}")


def digits(capability):
    return f"{capability[0]}{capability[1]}"


def stem_of(name, text, capability, defines=()):
    """The name of prepared files: it changes with the source, so what is stale is never used."""
    mark = hashlib.sha256("\0".join([text, *defines]).encode()).hexdigest()[:12]
    return f"{name}-{mark}.sm_{digits(capability)}"


def find(name):
    """The path of a program of the toolkit, or None."""
    on_path = shutil.which(name)
    if on_path:
        return on_path
    for folder in (*TOOLKITS, str(ROOT / WHEEL_PROGRAMS)):
        for path in sorted(glob.glob(f"{folder}/{name}"), reverse=True):
            if not os.access(path, os.X_OK):
                try:
                    os.chmod(path, 0o755)  # programs in wheels are not marked as such
                except OSError:
                    continue
            return path
    return None


def version(path):
    try:
        found = re.search(r"release [\d.]+, V[\d.]+", run(path, "--version"))
    except (ToolError, OSError) as error:
        return f"does not run: {error}"
    return found.group(0) if found else "version not said"


def run(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ToolError(f"{command[0]}: {error}") from None
    if done.returncode:
        raise ToolError((done.stderr or done.stdout).strip()[-2000:])
    return done.stdout
