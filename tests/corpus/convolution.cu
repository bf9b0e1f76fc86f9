// Convolutions in one and two dimensions, and separable.
// Launches, values of parameters and bounds of loops: convolution.toml.

__constant__ float taps[64];

extern "C" __global__ void convolution_1d(const float *in, float *out, int n, int radius)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0.0f;
    for (int r = -radius; r <= radius; r++) { // loop: taps
        int at = i + r;
        if (at >= 0 && at < n)
            sum += in[at] * taps[r + radius];
    }
    out[i] = sum;
}

extern "C" __global__ void convolution_2d(const float *in, float *out, int width, int height, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float sum = 0.0f;
    for (int dy = 0; dy < size; dy++) // loop: dy
        for (int dx = 0; dx < size; dx++) { // loop: dx
            int sx = min(max(x + dx - size / 2, 0), width - 1);
            int sy = min(max(y + dy - size / 2, 0), height - 1);
            sum += in[sy * width + sx] * taps[dy * size + dx];
        }
    out[y * width + x] = sum;
}

// Rows of the separable convolution, with a halo in shared memory.
#define HALF 4
extern "C" __global__ void convolution_rows(const float *in, float *out, int width)
{
    __shared__ float line[128 + 2 * HALF];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    for (int i = threadIdx.x; i < blockDim.x + 2 * HALF; i += blockDim.x) { // loop: halo
        int sx = (int)(blockIdx.x * blockDim.x) + i - HALF;
        line[i] = sx >= 0 && sx < width ? in[y * width + sx] : 0.0f;
    }
    __syncthreads();
    if (x >= width)
        return;
    float sum = 0.0f;
#pragma unroll
    for (int r = 0; r <= 2 * HALF; r++)
        sum += line[threadIdx.x + r] * taps[r];
    out[y * width + x] = sum;
}

extern "C" __global__ void convolution_columns(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= width)
        return;
    float window[2 * HALF + 1];
    for (int r = 0; r <= 2 * HALF; r++)
        window[r] = r < HALF ? 0.0f : in[min(r - HALF, height - 1) * width + x];
    for (int y = 0; y < height; y++) { // loop: y
        float sum = 0.0f;
#pragma unroll
        for (int r = 0; r <= 2 * HALF; r++)
            sum += window[r] * taps[r];
        out[y * width + x] = sum;
#pragma unroll
        for (int r = 0; r < 2 * HALF; r++)
            window[r] = window[r + 1];
        int next = y + HALF + 1;
        window[2 * HALF] = next < height ? in[next * width + x] : 0.0f;
    }
}
