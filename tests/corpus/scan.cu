// Prefix sums: Hillis-Steele, Blelloch, within warps, and the offsets of blocks added.
// Launches, values of parameters and bounds of loops: scan.toml.

extern "C" __global__ void scan_hillis_steele(const int *in, int *out, int n)
{
    __shared__ int buf[2][256];
    int t = threadIdx.x, from = 0;
    buf[0][t] = t < n ? in[t] : 0;
    __syncthreads();
    for (int d = 1; d < n; d *= 2) { // loop: distance
        int to = 1 - from;
        buf[to][t] = t >= d ? buf[from][t] + buf[from][t - d] : buf[from][t];
        from = to;
        __syncthreads();
    }
    if (t < n)
        out[t] = buf[from][t];
}

extern "C" __global__ void scan_blelloch(int *data, int *block_sums, int n)
{
    extern __shared__ int tree[];
    int t = threadIdx.x, base = blockIdx.x * n, offset = 1;
    tree[2 * t] = data[base + 2 * t];
    tree[2 * t + 1] = data[base + 2 * t + 1];
    for (int d = n >> 1; d > 0; d >>= 1) { // loop: up
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            tree[b] += tree[a];
        }
        offset *= 2;
    }
    if (t == 0) {
        block_sums[blockIdx.x] = tree[n - 1];
        tree[n - 1] = 0;
    }
    for (int d = 1; d < n; d *= 2) { // loop: down
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int v = tree[a];
            tree[a] = tree[b];
            tree[b] += v;
        }
    }
    __syncthreads();
    data[base + 2 * t] = tree[2 * t];
    data[base + 2 * t + 1] = tree[2 * t + 1];
}

extern "C" __global__ void scan_warp(const int *in, int *out, int n)
{
    __shared__ int totals[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = i < n ? in[i] : 0;
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int up = __shfl_up_sync(0xffffffffu, v, d);
        if (lane >= d)
            v += up;
    }
    if (lane == 31)
        totals[warp] = v;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < warp; w++) // loop: warps
        before += totals[w];
    if (i < n)
        out[i] = v + before;
}

extern "C" __global__ void scan_add_offsets(int *data, const int *sums, int n)
{
    __shared__ int offset;
    if (threadIdx.x == 0) {
        int s = 0;
        for (int b = 0; b < blockIdx.x; b++) // loop: before
            s += sums[b];
        offset = s;
    }
    __syncthreads();
    for (int i = blockIdx.x * n + threadIdx.x; i < (blockIdx.x + 1) * n; i += blockDim.x) // loop: items
        data[i] += offset;
}
