"""The CUDA driver API by ctypes: enough of it to load kernels, launch them and read what they wrote.

`libcuda.so.1` comes with NVIDIA's driver, so nothing needs to be installed. `fake.FakeDriver` has the same calls and needs
no GPU. Everything here raises `CudaError`, whose text names the call that failed and what the driver said.
"""

import ctypes
import os

# Containers get the driver's folder mounted, often without an entry in the loader's cache.
LIBRARIES = ("libcuda.so.1", "/usr/local/nvidia/lib64/libcuda.so.1", "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
             "/usr/lib/aarch64-linux-gnu/libcuda.so.1", "/usr/lib64/libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1")
# Read by the driver when it starts. A kernel that is loaded only at its first launch would wait for neighbours that spin until
# the host ends them, as would a host that waits for each launch; and streams that share one of the 8 queues of the default
# would wait for each other.
ENVIRONMENT = {"CUDA_MODULE_LOADING": "EAGER", "CUDA_DEVICE_MAX_CONNECTIONS": "32", "CUDA_LAUNCH_BLOCKING": "0"}

# The numbers of CUdevice_attribute, from cuda.h; they never change.
ATTRIBUTES = {
    "max_threads_per_block": 1, "shared_per_block": 8, "constant_memory": 9, "warp_size": 10, "registers_per_block": 12,
    "clock_khz": 13, "multiprocessors": 16, "kernel_timeout": 17, "integrated": 18, "compute_mode": 20,
    "concurrent_kernels": 31, "ecc": 32, "memory_clock_khz": 36, "memory_bus_bits": 37, "l2_bytes": 38,
    "threads_per_multiprocessor": 39, "capability_major": 75, "capability_minor": 76, "stream_priorities": 78,
    "shared_per_multiprocessor": 81, "registers_per_multiprocessor": 82, "compute_preemption": 90,
    "cooperative_launch": 95, "shared_per_block_optin": 97, "blocks_per_multiprocessor": 106,
}
FUNCTION_ATTRIBUTES = {"max_threads": 0, "shared": 1, "constant": 2, "local": 3, "registers": 4, "ptx": 5, "binary": 6}
DYNAMIC_SHARED, SHARED_CARVE_OUT = 8, 9  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT
NON_BLOCKING = 1
JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES = 5, 6


class CudaError(Exception):
    """A call of the driver failed, or there is no driver."""


class Driver:
    """One device, its primary context, and all that is made in it."""

    fake = False

    def __init__(self, device=0):
        os.environ.update(ENVIRONMENT)
        self.cuda = self.library()
        self.call("cuInit", 0)
        count = ctypes.c_int()
        self.call("cuDeviceGetCount", ctypes.byref(count))
        if device >= count.value:
            raise CudaError(f"there is no device {device}: the driver sees {count.value}")
        handle = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(handle), device)
        self.device = handle.value
        self.context = ctypes.c_void_p()
        # The primary context, because cuCtxCreate has other arguments in each generation of the driver.
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), self.device)
        self.call("cuCtxSetCurrent", self.context)
        self.properties = self._properties()
        self.capability = (self.properties["capability_major"], self.properties["capability_minor"])

    @staticmethod
    def library():
        errors = []
        for name in LIBRARIES:
            try:
                return ctypes.CDLL(name)
            except OSError as error:
                errors.append(str(error))
        raise CudaError("there is no CUDA driver on this machine: " + "; ".join(errors))

    def call(self, name, *arguments):
        """Calls a function of the driver. Handles, addresses and sizes must come as ctypes values of 64 bits: a bare int goes
        as 32 bits."""
        function = getattr(self.cuda, name, None)
        if function is None:
            raise CudaError(f"this driver has no {name}")
        result = function(*arguments)
        if result:
            raise CudaError(f"{name}: {self._text(result)}")

    def _text(self, result):
        parts = []
        for name in ("cuGetErrorName", "cuGetErrorString"):
            text = ctypes.c_char_p()
            if getattr(self.cuda, name)(result, ctypes.byref(text)) == 0 and text.value:
                parts.append(text.value.decode(errors="replace"))
        return f"{result} ({': '.join(parts)})" if parts else str(result)

    def _properties(self):
        name = ctypes.create_string_buffer(256)
        self.call("cuDeviceGetName", name, 256, self.device)
        memory, version = ctypes.c_size_t(), ctypes.c_int()
        self.call("cuDeviceTotalMem_v2", ctypes.byref(memory), self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        found = {"name": name.value.decode(errors="replace"), "memory_bytes": memory.value, "driver_version": version.value}
        for attribute, number in ATTRIBUTES.items():
            value = ctypes.c_int()
            # An attribute that an old driver does not know is left out.
            if self.cuda.cuDeviceGetAttribute(ctypes.byref(value), number, self.device) == 0:
                found[attribute] = value.value
        return found

    def module(self, image):
        """Loads a cubin, or PTX, which the driver then compiles."""
        return Module(self, image)

    def alloc(self, size):
        return Buffer(self, size)

    def stream(self, priority=0):
        return Stream(self, priority)

    def priorities(self):
        """The least and the greatest priority of a stream; the greatest is the smaller number."""
        least, greatest = ctypes.c_int(), ctypes.c_int()
        self.call("cuCtxGetStreamPriorityRange", ctypes.byref(least), ctypes.byref(greatest))
        return least.value, greatest.value

    def launch(self, function, grid, block, arguments=(), shared=0, stream=None):
        """Launches a kernel and does not wait. `grid` and `block` are a number or up to three; an argument is a Buffer or a
        ctypes value of the parameter's type (a bare int goes as 32 bits, a bare float as a C float)."""
        values = [as_ctypes(argument) for argument in arguments]
        pointers = (ctypes.c_void_p * max(1, len(values)))(*[ctypes.addressof(value) for value in values])
        where = stream.handle if stream else None
        shape = [ctypes.c_uint(side) for side in (*three(grid), *three(block))]
        self.call("cuLaunchKernel", function.handle, *shape, ctypes.c_uint(shared), where, pointers, None)

    def synchronize(self):
        """Waits for all streams, also for neighbours that spin."""
        self.call("cuCtxSynchronize")


class Module:
    """A loaded cubin or PTX."""

    def __init__(self, driver, image):
        self.driver, self.handle = driver, ctypes.c_void_p()
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(JIT_ERROR_LOG, JIT_ERROR_LOG_BYTES)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        data = image if image.startswith(b"\x7fELF") else image.rstrip(b"\0") + b"\0"
        try:
            driver.call("cuModuleLoadDataEx", ctypes.byref(self.handle), data, 2, options, values)
        except CudaError as error:
            said = log.value.decode(errors="replace").strip()
            raise CudaError(f"{error}{'; the compiler in the driver says: ' + said if said else ''}") from None

    def function(self, name):
        return Function(self.driver, self, name)

    def constant(self, name):
        """The Buffer of a global variable of the module."""
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.driver.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), self.handle, name.encode())
        return Buffer(self.driver, size.value, address)


class Function:
    """A kernel of a module."""

    def __init__(self, driver, module, name):
        self.driver, self.module, self.name, self.handle = driver, module, name, ctypes.c_void_p()
        driver.call("cuModuleGetFunction", ctypes.byref(self.handle), module.handle, name.encode())

    @property
    def attributes(self):
        """Registers of a thread, bytes of shared, local and constant memory, most threads of a block, code versions."""
        found = {}
        for name, number in FUNCTION_ATTRIBUTES.items():
            value = ctypes.c_int()
            self.driver.call("cuFuncGetAttribute", ctypes.byref(value), number, self.handle)
            found[name] = value.value
        return found

    def allow_shared(self, size):
        """Lets a launch ask for more dynamic shared memory than the 48 KiB that need no leave."""
        self.driver.call("cuFuncSetAttribute", self.handle, DYNAMIC_SHARED, size)

    def carve_out(self, percent):
        """Which part of the memory that L1 and shared memory divide is to be shared; -1 leaves it to the driver."""
        self.driver.call("cuFuncSetAttribute", self.handle, SHARED_CARVE_OUT, percent)

    def resident(self, threads, shared=0):
        """How many blocks of this kernel the driver says a multiprocessor holds at once."""
        blocks = ctypes.c_int()
        self.driver.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks), self.handle, threads,
                         ctypes.c_size_t(shared))
        return blocks.value


class Buffer:
    """Memory of the device. What is written and read are bytes."""

    def __init__(self, driver, size, address=None):
        self.driver, self.size, self.address = driver, size, address
        if address is None:
            self.address = ctypes.c_uint64()
            driver.call("cuMemAlloc_v2", ctypes.byref(self.address), ctypes.c_size_t(size))

    def write(self, data, offset=0):
        if offset + len(data) > self.size:
            raise CudaError(f"{len(data)} bytes at {offset} do not fit a buffer of {self.size}")
        place = ctypes.c_uint64(self.address.value + offset)
        self.driver.call("cuMemcpyHtoD_v2", place, bytes(data), ctypes.c_size_t(len(data)))

    def read(self, size=None, offset=0):
        size = self.size - offset if size is None else size
        data = ctypes.create_string_buffer(size)
        self.driver.call("cuMemcpyDtoH_v2", data, ctypes.c_uint64(self.address.value + offset), ctypes.c_size_t(size))
        return data.raw

    def fill(self, byte=0):
        self.driver.call("cuMemsetD8_v2", self.address, ctypes.c_ubyte(byte), ctypes.c_size_t(self.size))
        self.driver.synchronize()

    def free(self):
        self.driver.call("cuMemFree_v2", self.address)


class Stream:
    """A stream that does not wait for the default one."""

    def __init__(self, driver, priority):
        self.driver, self.priority, self.handle = driver, priority, ctypes.c_void_p()
        driver.call("cuStreamCreateWithPriority", ctypes.byref(self.handle), NON_BLOCKING, priority)

    def synchronize(self):
        self.driver.call("cuStreamSynchronize", self.handle)

    def free(self):
        self.driver.call("cuStreamDestroy_v2", self.handle)


def three(shape):
    sides = (shape,) if isinstance(shape, int) else tuple(shape)
    return sides + (1,) * (3 - len(sides))


def as_ctypes(argument):
    if isinstance(argument, Buffer):
        return ctypes.c_uint64(argument.address.value)
    if isinstance(argument, bool) or not isinstance(argument, (int, float)):
        return argument
    return ctypes.c_float(argument) if isinstance(argument, float) else ctypes.c_int(argument)
