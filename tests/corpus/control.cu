// Control flow: early exits, nested loops, switches, recursion, pointers to functions, printf.
// Launches, values of parameters and bounds of loops: control.toml.
extern "C" int printf(const char *, ...);

extern "C" __global__ void early_exits(const int *in, int *out, int n, int least, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i];
    if (v < least) {
        out[i] = -1;
        return;
    }
    if (v > most) {
        out[i] = 1;
        return;
    }
    int s = 0;
    for (int k = 0; k < v; k++) { // loop: value
        s += in[(i + k) % n];
        if (s > 1000000)
            return;
    }
    out[i] = s;
}

extern "C" __global__ void nested_loops(int *out, int a, int b, int c)
{
    int sum = 0;
    for (int i = 0; i < a; i++) // loop: i
        for (int j = i; j < b; j++) { // loop: j
            if ((i + j) % 3 == 0)
                continue;
            for (int k = c; k > 0; k -= 2) // loop: k
                sum += out[(i * 31 + j * 7 + k) & 63];
        }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// An interpreter: dense cases, which become a table of jumps.
extern "C" __global__ void interpreter(const int *code, int *registers, int length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int a = registers[i], b = i;
    for (int pc = 0; pc < length; pc++) { // loop: code
        switch (code[pc]) {
        case 0: a += b; break;
        case 1: a -= b; break;
        case 2: a *= b; break;
        case 3: a = b ? a / b : 0; break;
        case 4: a ^= b; break;
        case 5: b = registers[(i + a) & 1023]; break;
        case 6: a = __popc(a); break;
        case 7: b = a << (b & 31); break;
        case 8: { int t = a; a = b; b = t; break; }
        case 9: registers[i] = a; break;
        case 10: a = max(a, b); break;
        case 11: a = (int)sqrtf((float)abs(a)); break;
        case 12: if (a < b) return; break;
        default: a = -a; break;
        }
    }
    registers[i] = a;
}

extern "C" __global__ void switch_of_thread(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i], r;
    switch (threadIdx.x & 7) {
    case 0: r = v * 3 + 1; out[i + n] = r; break;
    case 1: r = v / 7; out[i + 2 * n] = v; break;
    case 2: r = v % 11; break;
    case 3: r = v << 3; out[i + 3 * n] = r; break;
    case 4: r = __clz(v); break;
    case 5: r = atomicAdd(&out[4 * n], v); break;
    case 6: r = v ^ 0x5a5a; break;
    default: r = __brev(v); break;
    }
    out[i] = r;
}

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

extern "C" __global__ void recursion(int *out, int n)
{
    out[blockIdx.x * blockDim.x + threadIdx.x] = fibonacci(n);
}

typedef float (*Operation)(float, float);
__device__ __noinline__ float op_add(float a, float b) { return a + b; }
__device__ __noinline__ float op_divide(float a, float b) { return a / b; }
__device__ __noinline__ float op_power(float a, float b) { return powf(a, b); }
__device__ Operation operations[3] = {op_add, op_divide, op_power};

extern "C" __global__ void function_pointers(float *v, int which, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        v[i] = operations[which](v[i], v[i + n]);
}

__device__ __noinline__ int clamp_sum(const int *p, int n, int low, int high)
{
    int s = 0;
    for (int k = 0; k < n; k++) // loop: clamp
        s += min(max(p[k], low), high);
    return s;
}

extern "C" __global__ void calls_function(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int s = clamp_sum(in + i, n, -10, 10);
    if (s > 0)
        s += clamp_sum(in, n / 2, 0, s);
    out[i] = s;
}

extern "C" __global__ void reports(const int *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] < 0)
        printf("element %d is %d\n", i, in[i]);
}

extern "C" __global__ void collatz(const unsigned *start, int *steps, int n, int most)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned v = start[i];
    int k = 0;
    while (v != 1 && k < most) { // loop: steps
        v = (v & 1) ? 3 * v + 1 : v / 2;
        k++;
    }
    steps[i] = k;
}
