// The first kernels that one writes.
// Launches, values of parameters and bounds of loops: basic.toml.

extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

extern "C" __global__ void saxpy_stride(float a, const float *x, float *y, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) // loop: grid
        y[i] = a * x[i] + y[i];
}

extern "C" __global__ void copy_vectors(const float4 *in, float4 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}

extern "C" __global__ void fill(int *p, int v, unsigned long long n)
{
    for (unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (unsigned long long)blockDim.x) // loop: grid
        p[i] = v;
}

extern "C" __global__ void dot_block(const float *a, const float *b, float *out, int n)
{
    __shared__ float s[128];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < n; i += blockDim.x) // loop: items
        sum += a[i] * b[i];
    s[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0.0f;
        for (int k = 0; k < blockDim.x; k++) // loop: threads
            all += s[k];
        *out = all;
    }
}

extern "C" __global__ void polynomial(const double *x, double *y, const double *coefficients, int degree, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v = 0.0;
    for (int k = degree; k >= 0; k--) // loop: degree
        v = v * x[i] + coefficients[k];
    y[i] = v;
}
