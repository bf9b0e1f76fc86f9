// Sums of an array: in shared memory, with warp shuffles, with atomics.
// Launches, values of parameters and bounds of loops: reduce.toml.

// Tree in shared memory; one partial sum a block.
extern "C" __global__ void reduce_shared(const float *in, float *out, int n)
{
    __shared__ float part[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    part[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s >>= 1) { // loop: halve
        if (threadIdx.x < s)
            part[threadIdx.x] += part[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = part[0];
}

// Each thread adds with a grid-stride loop; then the tree, of dynamic shared memory.
extern "C" __global__ void reduce_stride(const int *in, int *out, int n)
{
    extern __shared__ int sums[];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) // loop: grid
        sum += in[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) { // loop: double
        if (threadIdx.x % (2 * s) == 0)
            sums[threadIdx.x] += sums[threadIdx.x + s];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = sums[0];
}

__device__ __forceinline__ int warp_sum(int v)
{
    for (int d = 16; d > 0; d >>= 1)
        v += __shfl_down_sync(0xffffffffu, v, d);
    return v;
}

// Shuffles in a warp, then one warp adds the sums of the warps.
extern "C" __global__ void reduce_shuffle(const int *in, int *out, int n)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = warp_sum(i < n ? in[i] : 0);
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    if (lane == 0)
        sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < (blockDim.x >> 5) ? sums[lane] : 0;
        v = warp_sum(v);
        if (lane == 0)
            out[blockIdx.x] = v;
    }
}

// The sum of a warp is added to one word by its first lane.
extern "C" __global__ void reduce_atomic(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = warp_sum(i < n ? in[i] : 0);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(out, v);
}

// The largest value of floats, by compare and swap.
extern "C" __global__ void reduce_max_cas(const float *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = in[i];
    int seen = *out;
    while (__int_as_float(seen) < v) { // loop: retry
        int before = atomicCAS(out, seen, __float_as_int(v));
        if (before == seen)
            break;
        seen = before;
    }
}

// The last block to finish adds the sums of all blocks.
__device__ unsigned finished;
extern "C" __global__ void reduce_last_block(const int *in, int *part, int *out, int n)
{
    __shared__ int sums[8];
    __shared__ bool last;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = warp_sum(i < n ? in[i] : 0);
    if ((threadIdx.x & 31) == 0)
        sums[threadIdx.x >> 5] = v;
    __syncthreads();
    if (threadIdx.x == 0) {
        int s = 0;
        for (int w = 0; w < 8; w++)
            s += sums[w];
        part[blockIdx.x] = s;
        __threadfence();
        last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        int s = 0;
        for (int b = 0; b < gridDim.x; b++) // loop: blocks
            s += ((volatile int *)part)[b];
        *out = s;
    }
}
