// Histograms, and voting as lane detection does it.
// Launches, values of parameters and bounds of loops: histogram.toml.

extern "C" __global__ void histogram_global(const unsigned char *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) // loop: grid
        atomicAdd(&bins[in[i]], 1u);
}

extern "C" __global__ void histogram_shared(const unsigned *in, unsigned *bins, int words)
{
    __shared__ unsigned local[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) // loop: clear
        local[b] = 0;
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) { // loop: grid
        unsigned v = in[i];
        atomicAdd(&local[v & 255], 1u);
        atomicAdd(&local[(v >> 8) & 255], 1u);
        atomicAdd(&local[(v >> 16) & 255], 1u);
        atomicAdd(&local[v >> 24], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) // loop: merge
        atomicAdd(&bins[b], local[b]);
}

// Values outside of the range are counted apart, and only set bits of a mask are looked at.
extern "C" __global__ void histogram_range(const float *in, unsigned *bins, float low, float step, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int b = (int)((in[i] - low) / step);
    if (b < 0)
        atomicAdd(&bins[count], 1u);
    else if (b >= count)
        atomicAdd(&bins[count + 1], 1u);
    else
        atomicAdd(&bins[b], 1u);
}

// Lines through edge pixels: each pixel votes for all angles.
extern "C" __global__ void hough_vote(const unsigned char *edges, unsigned *votes, int width, int height, int angles, int rhos)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height || !edges[y * width + x])
        return;
    for (int a = 0; a < angles; a++) { // loop: angles
        float s, c;
        __sincosf(a * 3.14159265f / angles, &s, &c);
        int rho = __float2int_rn(x * c + y * s) + rhos / 2;
        if (rho >= 0 && rho < rhos)
            atomicAdd(&votes[a * rhos + rho], 1u);
    }
}

// Keeps the votes that are the largest within their neighbourhood.
extern "C" __global__ void hough_peaks(const unsigned *votes, unsigned *peaks, unsigned *found, int angles, int rhos, unsigned least)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x, a = blockIdx.y;
    if (r >= rhos)
        return;
    unsigned v = votes[a * rhos + r];
    if (v < least)
        return;
    for (int da = -2; da <= 2; da++) { // loop: da
        int na = a + da;
        if (na < 0 || na >= angles)
            continue;
        for (int dr = -2; dr <= 2; dr++) { // loop: dr
            int nr = r + dr;
            if (nr >= 0 && nr < rhos && votes[na * rhos + nr] > v)
                return;
        }
    }
    peaks[atomicAdd(found, 1u)] = a * rhos + r;
}
