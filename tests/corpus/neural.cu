// Layers of networks: softmax, layer norm, dense, maximum pooling, activation.
// Launches, values of parameters and bounds of loops: neural.toml.

__device__ float block_reduce(float v, float *scratch, bool largest)
{
    scratch[threadIdx.x] = v;
    __syncthreads();
    for (int s = blockDim.x / 2; s > 0; s /= 2) { // loop: tree
        if (threadIdx.x < s) {
            float a = scratch[threadIdx.x], b = scratch[threadIdx.x + s];
            scratch[threadIdx.x] = largest ? fmaxf(a, b) : a + b;
        }
        __syncthreads();
    }
    float all = scratch[0];
    __syncthreads();
    return all;
}

// One row a block.
extern "C" __global__ void softmax_row(const float *in, float *out, int columns)
{
    __shared__ float scratch[256];
    const float *row = in + blockIdx.x * columns;
    float most = -3.4e38f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) // loop: largest
        most = fmaxf(most, row[c]);
    most = block_reduce(most, scratch, true);
    float sum = 0.0f;
    for (int c = threadIdx.x; c < columns; c += blockDim.x) // loop: sum
        sum += expf(row[c] - most);
    sum = block_reduce(sum, scratch, false);
    for (int c = threadIdx.x; c < columns; c += blockDim.x) // loop: write
        out[blockIdx.x * columns + c] = expf(row[c] - most) / sum;
}

// One row a warp; no barriers.
extern "C" __global__ void layer_norm_warp(const float *in, const float *scale, const float *shift, float *out, int rows, int columns, float eps)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0.0f, squares = 0.0f;
    for (int c = lane; c < columns; c += 32) { // loop: sums
        float v = in[row * columns + c];
        sum += v;
        squares += v * v;
    }
    for (int d = 16; d > 0; d /= 2) {
        sum += __shfl_xor_sync(0xffffffffu, sum, d);
        squares += __shfl_xor_sync(0xffffffffu, squares, d);
    }
    float mean = sum / columns;
    float inverse = rsqrtf(squares / columns - mean * mean + eps);
    for (int c = lane; c < columns; c += 32) // loop: write
        out[row * columns + c] = (in[row * columns + c] - mean) * inverse * scale[c] + shift[c];
}

extern "C" __global__ void dense_tanh(const float *in, const float *weights, const float *bias, float *out, int inputs, int outputs)
{
    int o = blockIdx.x * blockDim.x + threadIdx.x;
    if (o >= outputs)
        return;
    float sum = bias[o];
#pragma unroll 4
    for (int i = 0; i < inputs; i++) // loop: inputs
        sum += weights[i * outputs + o] * in[i];
    out[o] = tanhf(sum);
}

extern "C" __global__ void max_pool(const float *in, float *out, int width, int height, int window)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int ow = width / window, oh = height / window;
    if (x >= ow || y >= oh)
        return;
    float most = in[y * window * width + x * window];
    for (int dy = 0; dy < window; dy++) // loop: dy
        for (int dx = 0; dx < window; dx++) // loop: dx
            most = fmaxf(most, in[(y * window + dy) * width + x * window + dx]);
    out[y * ow + x] = most;
}

extern "C" __global__ void gelu(float *v, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) // loop: grid
        v[i] = 0.5f * v[i] * (1.0f + erff(v[i] * 0.70710678f));
}
