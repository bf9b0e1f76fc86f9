// Monte Carlo with own random numbers, Black-Scholes, binomial options.
// Launches, values of parameters and bounds of loops: finance.toml.

__device__ __forceinline__ unsigned next_random(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

extern "C" __global__ void monte_carlo_pi(unsigned *inside, int samples, unsigned seed)
{
    unsigned s = seed ^ (blockIdx.x * blockDim.x + threadIdx.x + 1) * 2654435761u;
    unsigned count = 0;
    for (int k = 0; k < samples; k++) { // loop: samples
        float x = next_random(s) * 2.3283064e-10f, y = next_random(s) * 2.3283064e-10f;
        if (x * x + y * y < 1.0f)
            count++;
    }
    atomicAdd(inside, count);
}

// Paths of a price, with normal numbers by Box and Muller; a path ends early at its barrier.
extern "C" __global__ void barrier_option(float *pay, int paths, int steps, float start, float drift, float volatility, float barrier, float strike)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= paths)
        return;
    unsigned s = 12345u + i * 7919u;
    float price = start;
    bool alive = true;
    for (int k = 0; k < steps && alive; k += 2) { // loop: steps
        float u = (next_random(s) + 1.0f) * 2.3283064e-10f, v = next_random(s) * 2.3283064e-10f;
        float r = sqrtf(-2.0f * logf(u)), sn, cs;
        sincosf(6.2831853f * v, &sn, &cs);
        price *= expf(drift + volatility * r * cs);
        alive = alive && price < barrier;
        price *= expf(drift + volatility * r * sn);
        alive = alive && price < barrier;
    }
    pay[i] = alive ? fmaxf(price - strike, 0.0f) : 0.0f;
}

__device__ __forceinline__ float normal(float d)
{
    float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    float c = 0.39894228f * expf(-0.5f * d * d) * k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f))));
    return d > 0.0f ? 1.0f - c : c;
}

extern "C" __global__ void black_scholes(float *call, float *put, const float *price, const float *strike, const float *years, float rate, float volatility, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) { // loop: grid
        float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
        float d1 = (logf(s / x) + (rate + 0.5f * volatility * volatility) * t) / (volatility * root);
        float d2 = d1 - volatility * root, e = expf(-rate * t);
        call[i] = s * normal(d1) - x * e * normal(d2);
        put[i] = x * e * (1.0f - normal(d2)) - s * (1.0f - normal(d1));
    }
}

// The backward pass of a binomial tree; one option a block.
extern "C" __global__ void binomial_option(float *out, const float *price, float up, float down, float discount, float chance, float strike, int steps)
{
    __shared__ float value[256];
    int t = threadIdx.x;
    if (t <= steps) {
        float leaf = price[blockIdx.x] * powf(up, t) * powf(down, steps - t);
        value[t] = fmaxf(leaf - strike, 0.0f);
    }
    __syncthreads();
    for (int s = steps; s > 0; s--) { // loop: steps
        float v = 0.0f;
        if (t < s)
            v = discount * (chance * value[t + 1] + (1.0f - chance) * value[t]);
        __syncthreads();
        if (t < s)
            value[t] = v;
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = value[0];
}
