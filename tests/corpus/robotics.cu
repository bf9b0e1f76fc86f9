// Control of machines: Kalman filters, PID controllers, point clouds, occupancy grids.
// Launches, values of parameters and bounds of loops: robotics.toml.

// A filter of four states and two measurements in each thread.
extern "C" __global__ void kalman_step(float *states, float *covariances, const float *measured, int n, float dt, float q, float r)
{
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= n)
        return;
    float x[4], p[4][4], t[4][4];
    for (int i = 0; i < 4; i++) {
        x[i] = states[4 * f + i];
        for (int j = 0; j < 4; j++)
            p[i][j] = covariances[16 * f + 4 * i + j];
    }
    x[0] += dt * x[2];
    x[1] += dt * x[3];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            t[i][j] = p[i][j] + (i < 2 ? dt * p[i + 2][j] : 0.0f);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            p[i][j] = t[i][j] + (j < 2 ? dt * t[i][j + 2] : 0.0f) + (i == j ? q : 0.0f);
    float s00 = p[0][0] + r, s01 = p[0][1], s11 = p[1][1] + r, det = s00 * s11 - s01 * s01;
    if (fabsf(det) < 1e-12f)
        return;
    float e0 = measured[2 * f] - x[0], e1 = measured[2 * f + 1] - x[1];
    for (int i = 0; i < 4; i++) {
        float k0 = (p[i][0] * s11 - p[i][1] * s01) / det, k1 = (p[i][1] * s00 - p[i][0] * s01) / det;
        states[4 * f + i] = x[i] + k0 * e0 + k1 * e1;
        for (int j = 0; j < 4; j++)
            covariances[16 * f + 4 * i + j] = p[i][j] - k0 * p[0][j] - k1 * p[1][j];
    }
}

extern "C" __global__ void pid_array(const float *target, const float *actual, float *integral, float *before, float *out, int n, float kp, float ki, float kd, float dt, float limit)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float e = target[i] - actual[i], s = integral[i] + e * dt;
    float u = kp * e + ki * s + kd * (e - before[i]) / dt;
    if (u > limit)
        u = limit;
    else if (u < -limit)
        u = -limit;
    else
        integral[i] = s;
    before[i] = e;
    out[i] = u;
}

// A hash table of voxels; the first point in each voxel is kept.
extern "C" __global__ void voxel_filter(const float4 *points, unsigned long long *table, int *kept, int *count, int n, float size, int slots, int probes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float4 p = points[i];
    long long x = (long long)floorf(p.x / size), y = (long long)floorf(p.y / size), z = (long long)floorf(p.z / size);
    unsigned long long key = ((x & 0x1fffff) << 42) | ((y & 0x1fffff) << 21) | (z & 0x1fffff);
    unsigned slot = (unsigned)(key * 11400714819323198485ull >> 40) % slots;
    for (int k = 0; k < probes; k++) { // loop: probes
        unsigned long long seen = atomicCAS(&table[slot], ~0ull, key);
        if (seen == ~0ull) {
            kept[atomicAdd(count, 1)] = i;
            return;
        }
        if (seen == key)
            return;
        slot = slot + 1 == slots ? 0 : slot + 1;
    }
}

// Cells that a ray of a scanner passes, by Bresenham's line.
extern "C" __global__ void ray_cells(const int2 *ends, int *grid, int n, int width, int height, int x0, int y0)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = x0, y = y0, x1 = ends[i].x, y1 = ends[i].y;
    int dx = abs(x1 - x), dy = -abs(y1 - y), sx = x < x1 ? 1 : -1, sy = y < y1 ? 1 : -1, e = dx + dy;
    while (x != x1 || y != y1) { // loop: cells
        if (x < 0 || y < 0 || x >= width || y >= height)
            break;
        atomicAdd(&grid[y * width + x], -1);
        int e2 = 2 * e;
        if (e2 >= dy) {
            e += dy;
            x += sx;
        }
        if (e2 <= dx) {
            e += dx;
            y += sy;
        }
    }
    if (x >= 0 && y >= 0 && x < width && y < height)
        atomicAdd(&grid[y * width + x], 3);
}

// The nearest of the points of a map, as a step of iterative closest point needs it.
extern "C" __global__ void nearest_point(const float3 *cloud, const float3 *map, int *nearest, int n, int m)
{
    __shared__ float3 tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x, best = -1;
    float3 p = i < n ? cloud[i] : make_float3(0.0f, 0.0f, 0.0f);
    float least = 1e30f;
    for (int base = 0; base < m; base += 128) { // loop: tiles
        int count = min(128, m - base);
        if (threadIdx.x < count)
            tile[threadIdx.x] = map[base + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < count; k++) { // loop: points
            float dx = p.x - tile[k].x, dy = p.y - tile[k].y, dz = p.z - tile[k].z;
            float d = dx * dx + dy * dy + dz * dz;
            if (d < least) {
                least = d;
                best = base + k;
            }
        }
        __syncthreads();
    }
    if (i < n)
        nearest[i] = best;
}
