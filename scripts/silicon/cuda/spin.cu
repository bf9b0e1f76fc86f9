// A block that spins for a time, and notes when and where: what the CUDA scheduling examiner calls timer_spin.

static __device__ unsigned long long ws_now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

extern "C" __global__ void ws_spin(unsigned long long ns, unsigned long long *times, unsigned long long *places)
{
    unsigned long long begin = ws_now();
    while (ws_now() - begin < ns)
        ;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned smid;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(smid));
        times[2 * blockIdx.x] = begin;
        times[2 * blockIdx.x + 1] = ws_now();
        places[blockIdx.x] = smid;
    }
}

extern "C" __global__ void ws_time(unsigned long long *out, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = ws_now();
}
