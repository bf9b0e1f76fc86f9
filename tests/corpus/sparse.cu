// Sparse matrices and graphs.
// Launches, values of parameters and bounds of loops: sparse.toml.

extern "C" __global__ void spmv_csr_scalar(const int *start, const int *column, const float *value, const float *x, float *y, int rows)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int k = start[r]; k < start[r + 1]; k++) // loop: entries
        sum += value[k] * x[column[k]];
    y[r] = sum;
}

extern "C" __global__ void spmv_csr_warp(const int *start, const int *column, const float *value, const float *x, float *y, int rows)
{
    int r = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
    if (r >= rows)
        return;
    float sum = 0.0f;
    int end = start[r + 1];
    for (int k = start[r] + lane; k < end; k += 32) // loop: entries
        sum += value[k] * x[column[k]];
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (lane == 0)
        y[r] = sum;
}

extern "C" __global__ void spmv_ell(const int *column, const float *value, const float *x, float *y, int rows, int width)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows)
        return;
    float sum = 0.0f;
    for (int k = 0; k < width; k++) { // loop: width
        int c = column[k * rows + r];
        if (c < 0)
            break;
        sum += value[k * rows + r] * x[c];
    }
    y[r] = sum;
}

extern "C" __global__ void bfs_step(const int *start, const int *edges, int *level, int *changed, int now, int nodes)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= nodes || level[v] != now)
        return;
    for (int e = start[v]; e < start[v + 1]; e++) { // loop: edges
        int u = edges[e];
        if (level[u] < 0) {
            level[u] = now + 1;
            *changed = 1;
        }
    }
}

// Roots of a forest by jumping over pointers.
extern "C" __global__ void pointer_jumping(int *parent, int n, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int p = parent[i];
    for (int k = 0; k < most; k++) { // loop: jumps
        int q = parent[p];
        if (q == p)
            break;
        p = q;
    }
    parent[i] = p;
}
