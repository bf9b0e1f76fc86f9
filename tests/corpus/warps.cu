// Code in which the threads of a warp work together: ballots, sub-warps, persistent blocks.
// Launches, values of parameters and bounds of loops: warps.toml.

// Keeps the positive values; one atomic operation a warp.
extern "C" __global__ void compact_ballot(const int *in, int *out, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31;
    int v = i < n ? in[i] : 0;
    unsigned keep = __ballot_sync(0xffffffffu, v > 0);
    int base = 0;
    if (lane == 0 && keep)
        base = atomicAdd(count, __popc(keep));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (v > 0)
        out[base + __popc(keep & ((1u << lane) - 1))] = v;
}

// Sub-warps of eight threads add the rows of a narrow matrix.
extern "C" __global__ void rows_by_eight(const float *in, float *sums, int rows, int columns)
{
    int group = (blockIdx.x * blockDim.x + threadIdx.x) >> 3, lane = threadIdx.x & 7;
    float s = 0.0f;
    if (group < rows)
        for (int c = lane; c < columns; c += 8) // loop: columns
            s += in[group * columns + c];
    unsigned mask = 0xffu << (threadIdx.x & 24);
    s += __shfl_xor_sync(mask, s, 4, 8);
    s += __shfl_xor_sync(mask, s, 2, 8);
    s += __shfl_xor_sync(mask, s, 1, 8);
    if (group < rows && lane == 0)
        sums[group] = s;
}

// A tree within a warp over shared memory, with __syncwarp between the steps.
extern "C" __global__ void warp_synchronous(const int *in, int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, lane = t & 31;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1) { // loop: tree
        int v = lane < d ? s[t + d] : 0;
        __syncwarp();
        if (lane < d)
            s[t] += v;
        __syncwarp();
    }
    if (lane == 0)
        out[(blockIdx.x * blockDim.x + t) >> 5] = s[t];
}

// Even and odd lanes do different things, then meet.
extern "C" __global__ void parted_lanes(int *data, int passes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = data[i];
    for (int k = 0; k < passes; k++) { // loop: passes
        if (threadIdx.x & 1) {
            v = v * 5 + 1;
            data[i] = v;
        } else {
            v ^= v >> 3;
            v += data[i ^ 1];
        }
        __syncwarp();
    }
    data[i] = v;
}

// A block takes pieces of work from a counter until there are none left.
extern "C" __global__ void persistent_blocks(const float *in, float *out, int *next, int pieces)
{
    __shared__ int piece;
    for (;;) { // loop: pieces
        if (threadIdx.x == 0)
            piece = atomicAdd(next, 1);
        __syncthreads();
        int p = piece;
        __syncthreads();
        if (p >= pieces)
            break;
        out[p * blockDim.x + threadIdx.x] = 2.0f * in[p * blockDim.x + threadIdx.x];
    }
}

// One thread of a warp at a time is in the section.
extern "C" __global__ void spin_lock(int *lock, int *counter)
{
    bool done = false;
    while (!done) { // loop: spin
        if (atomicCAS(lock, 0, 1) == 0) {
            *(volatile int *)counter += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// Groups of lanes with the same key are served together.
extern "C" __global__ void match_keys(const int *keys, int *totals, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int key = i < n ? keys[i] : -1;
    unsigned todo = __ballot_sync(0xffffffffu, key >= 0);
    while (todo) { // loop: keys
        int leader = __ffs(todo) - 1;
        int k = __shfl_sync(0xffffffffu, key, leader);
        unsigned same = __ballot_sync(0xffffffffu, key == k);
        if ((threadIdx.x & 31) == leader)
            atomicAdd(&totals[k], __popc(same));
        todo &= ~same;
    }
}
