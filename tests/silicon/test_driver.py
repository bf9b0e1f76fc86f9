"""The calls of the CUDA driver, against a library of the same calls that plays one: arguments keep all their bits."""

import ctypes
import shutil
import struct
import subprocess
from pathlib import Path

import pytest
from silicon import driver as cuda
from silicon import steps
from silicon.bench import Bench, long


@pytest.fixture
def driver(tmp_path, monkeypatch):
    compiler = shutil.which("cc")
    if not compiler:
        pytest.skip("there is no C compiler for the library that plays a driver")
    # Another file for each test, since a library that is loaded keeps what failed in it.
    library = tmp_path / "libstub.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(Path(__file__).with_name("driver_stub.c"))], check=True)
    monkeypatch.setattr(cuda, "LIBRARIES", (str(library),))
    for name in cuda.ENVIRONMENT:
        monkeypatch.setenv(name, "")
    return cuda.Driver()


def test_handles_addresses_and_sizes_keep_their_bits(driver):
    assert driver.properties["name"] == "stub" and driver.properties["memory_bytes"] == 141 << 30
    assert driver.capability == (9, 0) and driver.properties["multiprocessors"] == 132 and driver.priorities() == (0, -5)
    module, stream, out = driver.module(b"any PTX"), driver.stream(-5), driver.alloc(88)
    kernel = module.function("good")
    kernel.allow_shared(227 << 10)
    assert kernel.resident(256, 1024) == 8
    assert kernel.attributes == {name: number for name, number in cuda.FUNCTION_ATTRIBUTES.items()}
    module.constant("constant").write(struct.pack("<Q", 7))
    assert module.constant("constant").read() == struct.pack("<Q", 7)
    out.fill(1)
    assert out.read(4, 80) == b"\1\1\1\1"
    driver.launch(kernel, (2, 3), (32, 4, 5), [out, 9, long(2**40 + 1), 0.5], 1024, stream)
    stream.synchronize()
    assert struct.unpack("<11Q", out.read()) == (2, 3, 1, 32, 4, 5, 1024, 1, 9, 2**40 + 1, 1)
    driver.launch(kernel, 1, 32, [out, ctypes.c_uint(8), long(0), 0.25])
    assert struct.unpack("<11Q", out.read()) == (1, 1, 1, 32, 1, 1, 0, 0, 8, 0, 0)
    for one in (stream, out):
        one.free()


def test_what_the_compiler_in_the_driver_says_is_in_the_error(driver):
    with pytest.raises(cuda.CudaError, match="cuModuleLoadDataEx: 1; the compiler in the driver says: line 1: no PTX"):
        driver.module(b"no PTX")


def test_the_error_that_came_first_is_the_one_that_is_said(driver, monkeypatch):
    """A kernel that fails leaves a context in which tidying up fails too."""
    def step(context):
        bench = object.__new__(Bench)
        bench.owned, bench.stream, bench.beside = [driver.alloc(8)], driver.stream(-5), driver.stream(-5)
        try:
            try:
                driver.launch(driver.module(b"any PTX").function("broken"), 1, 32)
                bench.stream.synchronize()
            finally:
                driver.synchronize()
        finally:
            bench.close()

    monkeypatch.setattr(steps, "all_steps", lambda: [steps.Step("one", "k", step, 9, "")])
    assert steps.perform("one", steps.Context(fake=True)) == ("failed", None, "CudaError: cuStreamSynchronize: 700 (CUDA_ERROR_ILLEGAL_ADDRESS: CUDA_ERROR_ILLEGAL_ADDRESS)")


def test_what_was_measured_before_a_failure_is_kept(monkeypatch):
    def step(context):
        raise steps.Broken("the device failed", {"runs": [1]})

    monkeypatch.setattr(steps, "all_steps", lambda: [steps.Step("one", "k", step, 9, "")])
    assert steps.perform("one", steps.Context(fake=True)) == ("failed", {"runs": [1]}, "the device failed")
