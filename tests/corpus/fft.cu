// Stages of the fast Fourier transform and of the Walsh transform.
// Launches, values of parameters and bounds of loops: fft.toml.

// One radix-2 stage over an array in bit-reversed order.
extern "C" __global__ void fft_stage(float2 *data, int half, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2)
        return;
    int k = i % half, at = (i / half) * 2 * half + k;
    float s, c;
    sincosf(-3.14159265358979f * k / half, &s, &c);
    float2 a = data[at], b = data[at + half];
    float2 t = make_float2(b.x * c - b.y * s, b.x * s + b.y * c);
    data[at] = make_float2(a.x + t.x, a.y + t.y);
    data[at + half] = make_float2(a.x - t.x, a.y - t.y);
}

// All stages of a transform that fits into shared memory, with a table of factors.
extern "C" __global__ void fft_block(float2 *data, const float2 *factors, int log_n)
{
    __shared__ float2 s[512];
    int t = threadIdx.x, n = 1 << log_n;
    float2 *mine = data + blockIdx.x * n;
    for (int i = t; i < n; i += blockDim.x) // loop: load
        s[__brev(i) >> (32 - log_n)] = mine[i];
    __syncthreads();
    for (int stage = 0; stage < log_n; stage++) { // loop: stage
        int half = 1 << stage;
        for (int i = t; i < n / 2; i += blockDim.x) { // loop: butterfly
            int k = i & (half - 1), at = ((i >> stage) << (stage + 1)) + k;
            float2 w = factors[k << (log_n - 1 - stage)];
            float2 a = s[at], b = s[at + half];
            float2 v = make_float2(b.x * w.x - b.y * w.y, b.x * w.y + b.y * w.x);
            s[at] = make_float2(a.x + v.x, a.y + v.y);
            s[at + half] = make_float2(a.x - v.x, a.y - v.y);
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) // loop: store
        mine[i] = s[i];
}

extern "C" __global__ void walsh_block(float *data, int log_n)
{
    extern __shared__ float w[];
    int n = 1 << log_n;
    for (int i = threadIdx.x; i < n; i += blockDim.x) // loop: load
        w[i] = data[blockIdx.x * n + i];
    for (int stride = n / 2; stride >= 1; stride >>= 1) { // loop: stride
        __syncthreads();
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) { // loop: pair
            int low = i & (stride - 1), at = 2 * i - low;
            float a = w[at], b = w[at + stride];
            w[at] = a + b;
            w[at + stride] = a - b;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) // loop: store
        data[blockIdx.x * n + i] = w[i];
}
