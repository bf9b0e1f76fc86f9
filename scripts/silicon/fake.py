"""A device that is not there, with the calls of `driver.Driver`, so that all above the driver is tested without a GPU.

`FakeDriver(players)` plays kernels: for each launch the first entry of `players` whose pattern matches the kernel's name is
called with a `Launch` and writes what the kernel would have written. What comes of it is never a measurement: `fake` is
true, the name of the device says so, and a record made with it carries `"measured": false`.
"""

import collections
import re
import struct

from .driver import CudaError, three

Launch = collections.namedtuple("Launch", "name image grid block arguments shared stream driver")

PROPERTIES = {
    "name": "made-up device (nothing measured)", "memory_bytes": 8 << 30, "driver_version": 0, "capability_major": 9,
    "capability_minor": 0, "multiprocessors": 132, "warp_size": 32, "max_threads_per_block": 1024, "clock_khz": 1_000_000,
    "memory_clock_khz": 1_000_000, "l2_bytes": 50 << 20, "threads_per_multiprocessor": 2048, "shared_per_block": 48 << 10,
    "shared_per_block_optin": 227 << 10, "shared_per_multiprocessor": 228 << 10, "registers_per_multiprocessor": 65536,
    "registers_per_block": 65536, "blocks_per_multiprocessor": 32, "integrated": 0, "stream_priorities": 1,
    "concurrent_kernels": 1, "compute_preemption": 1, "cooperative_launch": 1, "constant_memory": 65536, "compute_mode": 0,
    "ecc": 0, "kernel_timeout": 0, "memory_bus_bits": 0,
}


class FakeDriver:
    fake = True

    def __init__(self, players=None, properties=None):
        """`players`: a list of (pattern of kernel names, function of a Launch)."""
        self.properties = dict(PROPERTIES, **(properties or {}))
        self.capability = (self.properties["capability_major"], self.properties["capability_minor"])
        self.players = list(players or [])
        self.launches = []
        self.pending = []  # launches that nobody has waited for, so that players know what runs beside a kernel
        self.next_address = 1 << 20

    def module(self, image):
        return FakeModule(self, image)

    def alloc(self, size):
        return FakeBuffer(self, size)

    def stream(self, priority=0):
        return FakeStream(self, priority)

    def priorities(self):
        return 0, -5

    def launch(self, function, grid, block, arguments=(), shared=0, stream=None):
        launch = Launch(function.name, function.module.image, three(grid), three(block), list(arguments), shared, stream, self)
        threads = launch.block[0] * launch.block[1] * launch.block[2]
        if not 0 < threads <= self.properties["max_threads_per_block"]:
            raise CudaError(f"cuLaunchKernel: a block of {threads} threads")
        self.launches.append(launch)
        for pattern, player in self.players:
            if re.search(pattern, function.name):
                player(launch)
                self.pending.append(launch)
                return
        raise CudaError(f"the made-up device cannot play the kernel {function.name}")

    def synchronize(self):
        self.pending = []


class FakeModule:
    def __init__(self, driver, image):
        self.driver, self.image = driver, bytes(image)
        self.constants = {}

    def function(self, name):
        # PTX names its kernels, so a kernel that is not there fails here as it does on a device.
        if b".entry" in self.image and not re.search(rb"\.entry\s+" + name.encode() + rb"\b", self.image):
            raise CudaError(f"cuModuleGetFunction: 500 (CUDA_ERROR_NOT_FOUND: named symbol not found): {name}")
        return FakeFunction(self.driver, self, name)

    def constant(self, name):
        return self.constants.setdefault(name, FakeBuffer(self.driver, 65536))


class FakeFunction:
    def __init__(self, driver, module, name):
        self.driver, self.module, self.name = driver, module, name
        self.attributes = {"max_threads": 1024, "shared": 0, "constant": 0, "local": 0, "registers": 32, "ptx": 0, "binary": 0}

    def allow_shared(self, size):
        pass

    def carve_out(self, percent):
        pass

    def resident(self, threads, shared=0):
        found = self.driver.properties
        blocks = min(found["threads_per_multiprocessor"] // (-(-threads // 32) * 32), found["blocks_per_multiprocessor"])
        return min(blocks, found["shared_per_multiprocessor"] // shared) if shared else blocks


class FakeBuffer:
    def __init__(self, driver, size):
        self.driver, self.size, self.data = driver, size, bytearray(size)
        self.address = driver.next_address
        driver.next_address += (size // 4096 + 1) * 4096

    def write(self, data, offset=0):
        if offset + len(data) > self.size:
            raise CudaError(f"{len(data)} bytes at {offset} do not fit a buffer of {self.size}")
        self.data[offset:offset + len(data)] = data

    def read(self, size=None, offset=0):
        return bytes(self.data[offset:self.size if size is None else offset + size])

    def fill(self, byte=0):
        self.driver.synchronize()
        self.data[:] = bytes([byte]) * self.size

    def free(self):
        self.driver.synchronize()

    def put(self, form, index, *values):
        """For players: writes numbers of one `struct` form as an array from `index` on."""
        struct.pack_into(f"<{len(values)}{form}", self.data, index * struct.calcsize(form), *values)

    def numbers(self, form):
        """For players: the whole buffer as numbers of one `struct` form."""
        return list(struct.unpack(f"<{self.size // struct.calcsize(form)}{form}", self.data))


class FakeStream:
    def __init__(self, driver, priority):
        self.driver, self.priority, self.handle = driver, priority, None

    def synchronize(self):
        self.driver.pending = [one for one in self.driver.pending if one.stream is not self]

    def free(self):
        pass
