// Sorting: bitonic, odd-even, a pass of radix sort, and insertion in each thread.
// Launches, values of parameters and bounds of loops: sort.toml.

extern "C" __global__ void bitonic_shared(int *data, int n)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = data[blockIdx.x * n + t];
    __syncthreads();
    for (int k = 2; k <= n; k *= 2) { // loop: k
        for (int j = k / 2; j > 0; j /= 2) { // loop: j
            int other = t ^ j;
            if (other > t) {
                bool up = (t & k) == 0;
                if ((s[t] > s[other]) == up) {
                    int v = s[t];
                    s[t] = s[other];
                    s[other] = v;
                }
            }
            __syncthreads();
        }
    }
    data[blockIdx.x * n + t] = s[t];
}

extern "C" __global__ void bitonic_step(int *data, int j, int k, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int other = i ^ j;
    if (i < n && other > i) {
        int a = data[i], b = data[other];
        if ((i & k) == 0 ? a > b : a < b) {
            data[i] = b;
            data[other] = a;
        }
    }
}

extern "C" __global__ void odd_even_sort(int *data, int n)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    for (int i = t; i < n; i += blockDim.x) // loop: load
        s[i] = data[i];
    __syncthreads();
    for (int round = 0; round < n; round++) { // loop: round
        int i = 2 * t + (round & 1);
        if (i + 1 < n && s[i] > s[i + 1]) {
            int v = s[i];
            s[i] = s[i + 1];
            s[i + 1] = v;
        }
        __syncthreads();
    }
    for (int i = t; i < n; i += blockDim.x) // loop: store
        data[i] = s[i];
}

// One bit of a radix sort in a block: ballots count the zeros before each thread.
extern "C" __global__ void radix_pass(const unsigned *in, unsigned *out, int bit)
{
    __shared__ int zeros_of[32];
    int t = threadIdx.x, lane = t & 31, warp = t >> 5, warps = blockDim.x >> 5;
    unsigned v = in[blockIdx.x * blockDim.x + t];
    bool one = (v >> bit) & 1;
    unsigned ballot = __ballot_sync(0xffffffffu, !one);
    if (lane == 0)
        zeros_of[warp] = __popc(ballot);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < warps; w++) { // loop: warps
        int z = zeros_of[w];
        if (w < warp)
            before += z;
        all += z;
    }
    int zeros = before + __popc(ballot & ((1u << lane) - 1));
    int place = one ? all + t - zeros : zeros;
    out[blockIdx.x * blockDim.x + place] = v;
}

// Each thread sorts a column of its own by insertion.
extern "C" __global__ void insertion_columns(int *data, int rows, int columns)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= columns)
        return;
    for (int i = 1; i < rows; i++) { // loop: rows
        int v = data[i * columns + c];
        int j = i - 1;
        while (j >= 0 && data[j * columns + c] > v) { // loop: insert
            data[(j + 1) * columns + c] = data[j * columns + c];
            j--;
        }
        data[(j + 1) * columns + c] = v;
    }
}
