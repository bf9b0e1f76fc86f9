// Arithmetic with slow paths: division, roots, sines, exponentials, 64-bit integers.
// Launches, values of parameters and bounds of loops: arithmetic.toml.

extern "C" __global__ void slow_float(const float *a, const float *b, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] / b[i] + sqrtf(a[i]) + 1.0f / b[i];
}

// The reduction of large arguments of sine and cosine has a loop over words of 2 / pi.
extern "C" __global__ void slow_sine(const float *a, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = sinf(a[i]) + cosf(a[i]) * tanf(a[i]);
}

extern "C" __global__ void slow_double(const double *a, const double *b, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = a[i] / b[i] + sqrt(a[i]) + rsqrt(b[i]);
}

extern "C" __global__ void double_functions(const double *a, double *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = exp(a[i]) + log(a[i] + 2.0) + sin(a[i]) + pow(a[i], 1.7);
}

extern "C" __global__ void power_of(const float *a, float *out, float e, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = powf(a[i], e) + log2f(a[i]) + exp2f(e);
}

extern "C" __global__ void divide_64(const long long *a, const long long *b, long long *q, unsigned long long *r, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        q[i] = a[i] / b[i];
        r[i] = (unsigned long long)a[i] % (unsigned long long)b[i];
    }
}

extern "C" __global__ void greatest_divisor(const unsigned *a, const unsigned *b, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = a[i], y = b[i];
    while (y != 0) { // loop: euclid
        unsigned t = x % y;
        x = y;
        y = t;
    }
    out[i] = x;
}

// Powers modulo a number by squaring, of 64 bits.
extern "C" __global__ void power_modulo(const unsigned long long *base, unsigned long long *out, unsigned exponent, unsigned long long modulus, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned long long b = base[i] % modulus, r = 1;
    for (unsigned e = exponent; e; e >>= 1) { // loop: bits
        if (e & 1)
            r = r * b % modulus;
        b = b * b % modulus;
    }
    out[i] = r;
}

// Roots by Newton's method until they no longer change.
extern "C" __global__ void newton_root(const float *a, float *out, int n, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float v = a[i], x = v > 1.0f ? v : 1.0f;
    for (int k = 0; k < most; k++) { // loop: newton
        float next = 0.5f * (x + v / x);
        if (fabsf(next - x) < 1e-6f * x)
            break;
        x = next;
    }
    out[i] = x;
}
