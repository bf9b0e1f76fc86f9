// Stencils in one, two and three dimensions, and the game of life.
// Launches, values of parameters and bounds of loops: stencil.toml.

#define RADIUS 3
extern "C" __global__ void stencil_1d(const int *in, int *out, int n)
{
    __shared__ int tile[256 + 2 * RADIUS];
    int g = blockIdx.x * blockDim.x + threadIdx.x, l = threadIdx.x + RADIUS;
    tile[l] = g < n ? in[g] : 0;
    if (threadIdx.x < RADIUS) {
        tile[l - RADIUS] = g >= RADIUS ? in[g - RADIUS] : 0;
        tile[l + blockDim.x] = g + blockDim.x < n ? in[g + blockDim.x] : 0;
    }
    __syncthreads();
    int sum = 0;
    for (int o = -RADIUS; o <= RADIUS; o++)
        sum += tile[l + o];
    if (g < n)
        out[g] = sum;
}

extern "C" __global__ void jacobi_2d(const float *in, float *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1) {
        int i = y * width + x;
        out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
    }
}

// Several steps of heat in one block that holds the whole rod.
extern "C" __global__ void heat_rod(float *rod, int n, int steps, float k)
{
    __shared__ float a[256];
    int t = threadIdx.x;
    a[t] = rod[t];
    __syncthreads();
    for (int s = 0; s < steps; s++) { // loop: steps
        float next = a[t];
        if (t > 0 && t < n - 1)
            next += k * (a[t - 1] - 2.0f * a[t] + a[t + 1]);
        __syncthreads();
        a[t] = next;
        __syncthreads();
    }
    rod[t] = a[t];
}

// A 7-point stencil: each thread walks along z and keeps the column in registers.
extern "C" __global__ void stencil_3d(const float *in, float *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int plane = nx * ny, i = y * nx + x;
    float below = in[i], here = in[i + plane];
    for (int z = 1; z < nz - 1; z++) { // loop: z
        i += plane;
        float above = in[i + plane];
        out[i] = 0.4f * here + 0.1f * (below + above + in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx]);
        below = here;
        here = above;
    }
}

extern "C" __global__ void game_of_life(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++) // loop: dy
        for (int dx = -1; dx <= 1; dx++) // loop: dx
            if (dx != 0 || dy != 0)
                alive += in[((y + dy + height) % height) * width + (x + dx + width) % width];
    out[y * width + x] = alive == 3 || (alive == 2 && in[y * width + x]);
}
