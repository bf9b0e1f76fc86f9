/* A 2D convolution that is cut into tiles, and kernels that measure the memory and the timer (Kr19 chapters 3 and 4).
   Written by warpspan; prem.h has the schedule and plan.h the sizes. This file needs no header of the host. */
#include "plan.h"
#include "prem.h"

typedef unsigned long long u64;

__constant__ float PREM_MASK[PLAN_MASK_HEIGHT * PLAN_MASK_WIDTH];

/* The global timer, in ns. */
static __device__ __forceinline__ u64 timer_now() {
    u64 now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* One thread spins until the timer has come to a time, and the block goes on together. */
static __device__ void wait_until(u64 time) {
    if (threadIdx.x == 0) {
        while (timer_now() < time) {
        }
    }
    __syncthreads();
}

/* Ends a phase: all that the block has written is in memory, and all of its threads are here. */
static __device__ u64 end_of_phase() {
    __threadfence();
    __syncthreads();
    return timer_now();
}

/* Each block takes every gridDim.x-th tile: prefetch to shared memory, compute there, write back. With scheduled = 0 it
   waits for nothing but the start. stamps, if it is there, gets for each tile the start and the end of the prefetch, of
   the computation and of the writeback; block_times the start and the end of each block. */
extern "C" __global__ void convolution_tiled(const float *in, float *out, u64 start, unsigned kernel, int scheduled,
                                             u64 *stamps, u64 *block_times, unsigned *multiprocessors) {
    __shared__ float elements[PLAN_TILE_HEIGHT * PLAN_TILE_WIDTH];
    __shared__ float results[PLAN_TILE_HEIGHT * PLAN_TILE_WIDTH];
    wait_until(start);
    u64 block_start = timer_now();
    unsigned count = 0;
    for (unsigned tile = blockIdx.x; tile < PLAN_TILES; tile += gridDim.x, ++count) {
        unsigned top = tile / PLAN_ACROSS * (PLAN_TILE_HEIGHT - PLAN_MASK_HEIGHT + 1);
        unsigned left = tile % PLAN_ACROSS * (PLAN_TILE_WIDTH - PLAN_MASK_WIDTH + 1);
        unsigned height = min(PLAN_TILE_HEIGHT, PLAN_IMAGE_HEIGHT - top);
        unsigned width = min(PLAN_TILE_WIDTH, PLAN_IMAGE_WIDTH - left);
        unsigned lines = height - PLAN_MASK_HEIGHT + 1, columns = width - PLAN_MASK_WIDTH + 1;
        if (scheduled) {
            wait_until(PREM_PREFETCH_START_NS(start, kernel, blockIdx.x, count));
        }
        u64 prefetch = end_of_phase();
        for (unsigned i = threadIdx.x; i < height * width; i += blockDim.x) {
            unsigned y = i / width, x = i % width;
            elements[y * PLAN_TILE_WIDTH + x] = in[(top + y) * PLAN_IMAGE_WIDTH + left + x];
        }
        u64 compute = end_of_phase();
        for (unsigned i = threadIdx.x; i < lines * columns; i += blockDim.x) {
            unsigned y = i / columns, x = i % columns;
            float sum = 0.0f;
            for (unsigned v = 0; v < PLAN_MASK_HEIGHT; ++v) {
                for (unsigned u = 0; u < PLAN_MASK_WIDTH; ++u) {
                    sum += PREM_MASK[v * PLAN_MASK_WIDTH + u] * elements[(y + v) * PLAN_TILE_WIDTH + x + u];
                }
            }
            results[y * PLAN_TILE_WIDTH + x] = sum;
        }
        u64 computed = end_of_phase();
#ifdef PREM_WRITEBACK_START_NS
        if (scheduled) {
            wait_until(PREM_WRITEBACK_START_NS(start, kernel, blockIdx.x, count));
        }
#endif
        u64 writeback = timer_now();
        for (unsigned i = threadIdx.x; i < lines * columns; i += blockDim.x) {
            unsigned y = i / columns, x = i % columns;
            out[(top + y) * PLAN_RESULTS_WIDTH + left + x] = results[y * PLAN_TILE_WIDTH + x];
        }
        u64 written = end_of_phase();
        if (stamps && threadIdx.x == 0) {
            u64 *of_tile = stamps + 6 * ((u64)blockIdx.x * PLAN_TILES_OF_BLOCK + count);
            of_tile[0] = prefetch;
            of_tile[1] = compute;
            of_tile[2] = compute;
            of_tile[3] = computed;
            of_tile[4] = writeback;
            of_tile[5] = written;
        }
    }
    if (threadIdx.x == 0) {
        unsigned multiprocessor;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
        block_times[2 * blockIdx.x] = block_start;
        block_times[2 * blockIdx.x + 1] = timer_now();
        multiprocessors[blockIdx.x] = multiprocessor;
    }
}

/* Walks through a closed loop of indices, sequential or shuffled; cycles gets those of each thread (Kr19 section 3.1). */
extern "C" __global__ void walk(const unsigned *next, unsigned length, unsigned steps, long long *cycles, unsigned *sums) {
    unsigned at = (blockIdx.x * blockDim.x + threadIdx.x) % length, sum = 0;
    long long begin = clock64();
    for (unsigned i = 0; i < steps; ++i) {
        at = next[at];
        sum += at;
    }
    long long end = clock64();
    cycles[blockIdx.x * blockDim.x + threadIdx.x] = end - begin;
    sums[blockIdx.x * blockDim.x + threadIdx.x] = sum; /* so that the walk is not optimised away */
}

/* Reads the timer again and again; shared memory is fast enough not to disturb it (Kr19 section 4.2.2). */
extern "C" __global__ void timer_steps(u64 *out) {
    __shared__ u64 times[PREM_STAMPS];
    for (unsigned i = 0; i < PREM_STAMPS; ++i) {
        times[i] = timer_now();
    }
    for (unsigned i = 0; i < PREM_STAMPS; ++i) {
        out[blockIdx.x * PREM_STAMPS + i] = times[i];
    }
}
