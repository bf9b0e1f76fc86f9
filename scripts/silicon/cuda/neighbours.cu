// What runs around a measured kernel: copies of its data, a sweep of the cache, and neighbours on other multiprocessors.

extern "C" __global__ void ws_copy(unsigned char *to, const unsigned char *from, unsigned long long bytes)
{
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < bytes; i += stride)
        to[i] = from[i];
}

// Writes a buffer larger than the L2 cache, so that nothing else is left in it.
extern "C" __global__ void ws_sweep(unsigned *buffer, unsigned long long words)
{
    unsigned long long stride = (unsigned long long)gridDim.x * blockDim.x;
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < words; i += stride)
        buffer[i] += 1;
}

static __device__ unsigned long long ws_now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

// Fills the whole GPU, waits until all blocks are there, and then leaves the multiprocessors below `free`: what is launched
// later finds room on those alone. The others spin, or read and write memory, until the host sets control[1] or the
// time is over. control[0] counts the blocks that have come, control[2] those that stay.
extern "C" __global__ void __launch_bounds__(1024, 2)
ws_neighbours(volatile unsigned *control, unsigned long long *buffer, unsigned long long words, unsigned blocks, unsigned free,
              unsigned memory, unsigned long long most_ns)
{
    __shared__ volatile unsigned over;
    unsigned smid;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
    unsigned long long begin = ws_now();
    if (threadIdx.x == 0) {
        over = 0;
        atomicAdd((unsigned *)&control[0], 1u);
        while (control[0] < blocks && ws_now() - begin < most_ns)
            ;
        if (smid >= free)
            atomicAdd((unsigned *)&control[2], 1u);
    }
    __syncthreads();
    if (smid < free)
        return;
    unsigned long long at = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x, stride = (unsigned long long)gridDim.x * blockDim.x, sum = 0;
    while (!over) {
        if (memory)
            for (int k = 0; k < 16; k++) {
                at = (at + stride) % words;
                sum += ((volatile unsigned long long *)buffer)[at];
                if (k == 15)
                    ((volatile unsigned long long *)buffer)[at] = sum;
            }
        else
            for (long long start = clock64(); clock64() - start < 20000;)
                ;
        // One thread of a block asks, and seldom: if all did all the time, neighbours that spin would be heavy users of one
        // place of the L2 cache.
        if (threadIdx.x == 0 && (control[1] != 0 || ws_now() - begin >= most_ns))
            over = 1;
    }
}
