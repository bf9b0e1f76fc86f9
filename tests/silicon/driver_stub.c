// A CUDA driver without a GPU, for the tests of scripts/silicon/driver.py: the calls have the types of cuda.h, the memory is
// the host's, handles need all of their 64 bits, and after the kernel `broken` every call fails, as on a device.
#include <stdlib.h>
#include <string.h>

typedef int CUresult, CUdevice, CUjit_option, CUdevice_attribute, CUfunction_attribute;
typedef unsigned long long CUdeviceptr;
typedef void *CUcontext, *CUmodule, *CUfunction, *CUstream;

#define CONTEXT ((CUcontext)0x7fffaaaa00000010)
#define MODULE ((CUmodule)0x7fffbbbb00000020)
#define GOOD ((CUfunction)0x7fffcccc00000030)
#define BROKEN ((CUfunction)0x7fffcccc00000031)
#define STREAM ((CUstream)0x7fffdddd00000040)

static int failed, current;
static unsigned long long constant;

// 0, or the error of a context that is broken, or 1 for an argument that is not what it should be.
static CUresult said(int good) { return failed ? failed : good && current ? 0 : 1; }

CUresult cuInit(unsigned flags)
{
    const char *loading = getenv("CUDA_MODULE_LOADING");
    return flags || !loading || strcmp(loading, "EAGER") ? 999 : 0;
}
CUresult cuDriverGetVersion(int *version) { *version = 12040; return 0; }
CUresult cuDeviceGetCount(int *count) { *count = 1; return 0; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { *device = 0; return ordinal != 0; }
CUresult cuDeviceGetName(char *name, int size, CUdevice device) { strncpy(name, "stub", size); return device != 0; }
CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device) { *bytes = 141ull << 30; return device != 0; }
CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    *value = attribute == 75 ? 9 : attribute == 16 ? 132 : 0;
    return device != 0;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) { *context = CONTEXT; return device != 0; }
CUresult cuCtxSetCurrent(CUcontext context) { current = context == CONTEXT; return said(1); }
CUresult cuCtxSynchronize(void) { return said(1); }
CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) { *least = 0; *greatest = -5; return said(1); }
CUresult cuGetErrorName(CUresult error, const char **text)
{
    *text = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : 0;
    return *text ? 0 : 1;
}
CUresult cuGetErrorString(CUresult error, const char **text) { return cuGetErrorName(error, text); }

CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) { *address = (CUdeviceptr)malloc(size); return said(1); }
CUresult cuMemFree_v2(CUdeviceptr address) { if (said(1) == 0) free((void *)address); return said(1); }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t size) { memcpy((void *)to, from, size); return said(1); }
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t size) { memcpy(to, (void *)from, size); return said(1); }
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char byte, size_t size) { memset((void *)to, byte, size); return said(1); }

CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *options, void **values)
{
    *module = MODULE;
    if (count == 2 && options[0] == 5 && options[1] == 6 && (size_t)values[1] == 8192 && !strcmp(image, "no PTX"))
        strcpy(values[0], "line 1: no PTX");
    return said(strcmp(image, "no PTX") != 0);
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name)
{
    *function = strcmp(name, "broken") ? GOOD : BROKEN;
    return said(module == MODULE);
}
CUresult cuModuleGetGlobal_v2(CUdeviceptr *address, size_t *size, CUmodule module, const char *name)
{
    *address = (CUdeviceptr)&constant;
    *size = sizeof constant;
    return said(module == MODULE && !strcmp(name, "constant"));
}
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function)
{
    *value = attribute;
    return said(function == GOOD);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value)
{
    return said(function == GOOD && attribute == 8 && value == 227 << 10);
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t shared)
{
    *blocks = 2048 / threads;
    return said(function == GOOD && shared == 1024);
}
CUresult cuStreamCreateWithPriority(CUstream *stream, unsigned flags, int priority) { *stream = STREAM; return said(flags == 1 && priority == -5); }
CUresult cuStreamSynchronize(CUstream stream) { return said(stream == STREAM); }
CUresult cuStreamDestroy_v2(CUstream stream) { return said(stream == STREAM); }

// The kernel of the tests: its arguments are an address, 32 bits, 64 bits and a float, and it stores all that it got.
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                        unsigned shared, CUstream stream, void **parameters, void **extra)
{
    if (function == BROKEN) {
        failed = 700;
        return 0;
    }
    if (function != GOOD || extra || (stream && stream != STREAM))
        return said(0);
    unsigned long long *out = (unsigned long long *)**(CUdeviceptr **)parameters;
    unsigned long long found[] = {gx, gy, gz, bx, by, bz, shared, stream != 0, *(unsigned *)parameters[1],
                                  *(unsigned long long *)parameters[2], *(float *)parameters[3] == 0.5f};
    memcpy(out, found, sizeof found);
    return said(1);
}
