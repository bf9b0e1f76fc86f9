// Matrix products and transposes.
// Launches, values of parameters and bounds of loops: matmul.toml.

extern "C" __global__ void matmul_naive(const float *a, const float *b, float *c, int n)
{
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row >= n || col >= n)
        return;
    float sum = 0.0f;
    for (int k = 0; k < n; k++) // loop: k
        sum += a[row * n + k] * b[k * n + col];
    c[row * n + col] = sum;
}

#define TILE 16
extern "C" __global__ void matmul_tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float as[TILE][TILE], bs[TILE][TILE];
    int col = blockIdx.x * TILE + threadIdx.x;
    int row = blockIdx.y * TILE + threadIdx.y;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; t++) { // loop: tiles
        as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

// Each thread computes 4 x 4 results; a block of 16 x 16 threads computes 64 x 64.
extern "C" __global__ void matmul_register_blocked(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float as[8][64], bs[8][64];
    int tid = threadIdx.y * 16 + threadIdx.x;
    float acc[4][4] = {};
    for (int k0 = 0; k0 < k; k0 += 8) { // loop: k
        for (int i = tid; i < 512; i += 256) { // loop: copy
            as[i & 7][i >> 3] = a[(blockIdx.y * 64 + (i >> 3)) * k + k0 + (i & 7)];
            bs[i >> 6][i & 63] = b[(k0 + (i >> 6)) * n + blockIdx.x * 64 + (i & 63)];
        }
        __syncthreads();
#pragma unroll
        for (int kk = 0; kk < 8; kk++) {
            float ra[4], rb[4];
            for (int i = 0; i < 4; i++) {
                ra[i] = as[kk][threadIdx.y * 4 + i];
                rb[i] = bs[kk][threadIdx.x * 4 + i];
            }
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    acc[i][j] += ra[i] * rb[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(blockIdx.y * 64 + threadIdx.y * 4 + i) * n + blockIdx.x * 64 + threadIdx.x * 4 + j] = acc[i][j];
}

extern "C" __global__ void transpose_naive(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height)
        out[x * height + y] = in[y * width + x];
}

extern "C" __global__ void transpose_tiled(const float *in, float *out, int width, int height)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width)
            out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

// One step of LU decomposition in place: row and column k are final, the rest is updated.
extern "C" __global__ void lu_step(float *a, int n, int k)
{
    float pivot = a[k * n + k];
    for (int row = k + 1 + blockIdx.x; row < n; row += gridDim.x) { // loop: rows
        float factor = a[row * n + k] / pivot;
        __syncthreads();
        for (int col = k + 1 + threadIdx.x; col < n; col += blockDim.x) // loop: columns
            a[row * n + col] -= factor * a[k * n + col];
        if (threadIdx.x == 0)
            a[row * n + k] = factor;
    }
}
