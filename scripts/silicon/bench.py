"""A loaded kernel of the corpus with its data, and the neighbours that fill the other multiprocessors."""

import array
import ctypes
import time

from . import corpus, corpus_files
from .driver import CudaError
from .instrument import MARKS
from .steps import Unsupported

# Neighbours leave by themselves after this time, so that nothing hangs where the host is gone.
NEIGHBOURS_NS = 15_000_000_000
SWEEP_BYTES, NEIGHBOUR_BYTES = 128 << 20, 512 << 20


def volume(sides):
    return sides[0] * sides[1] * sides[2]


class Bench:
    """A loaded kernel with its data, and the neighbours."""

    def __init__(self, context, name, file):
        self.driver, self.context, self.owned = context.driver, context, []
        self.manifest = corpus_files.manifest(context.tools, context.prepared, context.capability, file)
        self.kernel = self.manifest["kernels"][name]
        module = self.driver.module((context.prepared / self.manifest["cubin"]).read_bytes())
        helpers = self.driver.module(context.tools.of_source(corpus_files.NEIGHBOURS, context.capability).data)
        self.function = module.function(name)
        self.copy, self.sweep, self.neighbours = (helpers.function(f"ws_{part}") for part in ("copy", "sweep", "neighbours"))
        self.attributes = self.function.attributes
        if self.kernel["shared"] + self.attributes["shared"] > 48 << 10:
            self.function.allow_shared(self.kernel["shared"])
        self.stream, self.beside = self.driver.stream(), self.driver.stream()
        self.control = self.alloc(16)
        # What is swept and read on a made-up device is never looked at.
        self.swept = self.alloc(4096 if self.driver.fake else max(SWEEP_BYTES, 2 * self.driver.properties.get("l2_bytes", 0)))
        self.region = None
        blocks = volume(self.kernel["grid"])
        # A multiprocessor holds 64 warps at most.
        warps = max(-(-volume(self.kernel["block"]) // 32) * blocks, 64)
        self.marks = self.alloc(8 * MARKS * warps)
        self._data()

    def alloc(self, size):
        self.owned.append(self.driver.alloc(size))
        return self.owned[-1]

    def close(self):
        """Gives memory and streams back: the process goes on with the next kernel."""
        try:
            for one in (*self.owned, self.stream, self.beside):
                one.free()
        except CudaError:
            pass  # what failed before this has been said, and the process is replaced

    def _data(self):
        """The arguments; `self.restored` has what is copied before each run."""
        self.arguments, self.restored = [], []
        for number, parameter in enumerate(self.kernel["parameters"]):
            if not corpus.is_pointer(parameter):
                self.arguments.append(scalar(parameter))
                continue
            data = corpus.data(parameter, f"{self.kernel['name']} {number}")
            buffer = self.alloc(len(data))
            buffer.write(data)
            self.arguments.append(buffer)
            if not corpus.is_input(parameter):
                pristine = self.alloc(len(data))
                pristine.write(data)
                self.restored.append((buffer, pristine, len(data)))
        self.driver.synchronize()

    def launch(self, shape):
        arguments = [*self.arguments, number(self.kernel["grid"][0]), self.marks]
        self.driver.launch(self.function, shape["grid"], shape["block"], arguments, self.kernel["shared"], self.stream)

    def restore(self):
        for buffer, pristine, size in self.restored:
            self.driver.launch(self.copy, min(-(-size // 256), 1024), 256, [buffer, pristine, long(size)], 0, self.stream)

    def once(self, shape, cache):
        """One run; returns its marks."""
        self.restore()
        if cache == "cold":
            self.driver.launch(self.sweep, 1024, 256, [self.swept, long(self.swept.size // 4)], 0, self.stream)
        self.launch(shape)
        self.stream.synchronize()
        warps = volume(shape["grid"]) * -(-volume(shape["block"]) // 32)
        return array.array("Q", self.marks.read(8 * MARKS * warps))

    def surround(self, memory):
        """Starts neighbours on all multiprocessors but the one with number 0, and waits until they are there."""
        if getattr(self.context, "no_neighbours", None):
            raise Unsupported(self.context.no_neighbours)
        properties = self.driver.properties
        threads = properties["threads_per_multiprocessor"] // 2
        blocks = 2 * properties["multiprocessors"]
        if self.region is None:
            self.region = self.alloc(4096 if self.driver.fake else min(NEIGHBOUR_BYTES, properties["memory_bytes"] // 8))
        self.control.write(b"\0" * 16)
        self.driver.synchronize()
        self.driver.launch(self.neighbours, blocks, threads,
                           [self.control, self.region, long(self.region.size // 8), number(blocks), number(1), number(int(memory)),
                            long(NEIGHBOURS_NS)], 0, self.beside)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            came, _, stay, _ = array.array("I", self.control.read())
            if came == blocks and stay == blocks - 2:
                return
        self.dismiss()
        # Each try takes 3 seconds, so the kernels that follow in this process do not try again.
        self.context.no_neighbours = f"{came} of {blocks} neighbours came, {stay} stayed: they do not fill the GPU as they should"
        raise Unsupported(self.context.no_neighbours)

    def dismiss(self):
        self.control.write(b"\1", 4)
        self.beside.synchronize()


def number(value):
    return ctypes.c_uint(value & 0xFFFFFFFF)


def long(value):
    return ctypes.c_ulonglong(value)


def scalar(parameter):
    kinds = {"int": ctypes.c_int, "unsigned": ctypes.c_uint, "float": ctypes.c_float, "double": ctypes.c_double,
             "unsigned long long": ctypes.c_ulonglong, "long long": ctypes.c_longlong}
    return kinds[parameter["type"].replace("const ", "").strip()](parameter.get("value", parameter.get("float")))
