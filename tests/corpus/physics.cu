// Bodies, fractals, particles.
// Launches, values of parameters and bounds of loops: physics.toml.

extern "C" __global__ void n_body(const float4 *bodies, float4 *accelerations, int n)
{
    __shared__ float4 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = bodies[i];
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int base = 0; base < n; base += blockDim.x) { // loop: tiles
        tile[threadIdx.x] = bodies[base + threadIdx.x];
        __syncthreads();
#pragma unroll 4
        for (int k = 0; k < blockDim.x; k++) { // loop: bodies
            float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
            float f = tile[k].w * inverse * inverse * inverse;
            a.x += f * dx;
            a.y += f * dy;
            a.z += f * dz;
        }
        __syncthreads();
    }
    accelerations[i] = make_float4(a.x, a.y, a.z, 0.0f);
}

extern "C" __global__ void mandelbrot(int *out, int width, int height, float left, float top, float step, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float cr = left + x * step, ci = top + y * step, zr = 0.0f, zi = 0.0f;
    int k = 0;
    while (k < most && zr * zr + zi * zi < 4.0f) { // loop: escape
        float t = zr * zr - zi * zi + cr;
        zi = 2.0f * zr * zi + ci;
        zr = t;
        k++;
    }
    out[y * width + x] = k;
}

// Particles in a box of cells: neighbours in 27 cells, each with a list of particles.
extern "C" __global__ void cell_forces(const float4 *particles, const int *cell_start, const int *cell_end, float4 *forces, int n, int cells, float cut)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = particles[i];
    int cx = (int)(p.x / cut), cy = (int)(p.y / cut), cz = (int)(p.z / cut);
    float fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int dz = -1; dz <= 1; dz++) // loop: dz
        for (int dy = -1; dy <= 1; dy++) // loop: dy
            for (int dx = -1; dx <= 1; dx++) { // loop: dx
                int nx = cx + dx, ny = cy + dy, nz = cz + dz;
                if (nx < 0 || ny < 0 || nz < 0 || nx >= cells || ny >= cells || nz >= cells)
                    continue;
                int cell = (nz * cells + ny) * cells + nx;
                for (int k = cell_start[cell]; k < cell_end[cell]; k++) { // loop: neighbours
                    float4 q = particles[k];
                    float rx = p.x - q.x, ry = p.y - q.y, rz = p.z - q.z, r2 = rx * rx + ry * ry + rz * rz;
                    if (r2 > 0.0f && r2 < cut * cut) {
                        float s = 1.0f / r2, f = s * s * s * (s * s * s - 0.5f);
                        fx += f * rx;
                        fy += f * ry;
                        fz += f * rz;
                    }
                }
            }
    forces[i] = make_float4(fx, fy, fz, 0.0f);
}
