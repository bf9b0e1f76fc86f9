/* Runs the kernels of kernels.cu and prints what was measured as JSON. Written by warpspan.
   prem convolution [RUNS] | prem unscheduled [RUNS] | prem walk sequential|random BYTES | prem timer */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "kernels.cu"

static void check(cudaError_t result, const char *what) {
    if (result != cudaSuccess) {
        std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
        std::exit(1);
    }
}

template <typename T> static T *device(size_t count) {
    void *memory = nullptr;
    check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
    check(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
    return static_cast<T *>(memory);
}

template <typename T> static std::vector<T> host(const T *memory, size_t count) {
    std::vector<T> values(count);
    check(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return values;
}

static void launch(const void *kernel, unsigned blocks, unsigned threads, void **arguments, cudaStream_t stream) {
    check(cudaLaunchKernel(kernel, dim3(blocks), dim3(threads), arguments, 0, stream), "cudaLaunchKernel");
}

static void list(const char *name, const std::vector<u64> &values, bool last = false) {
    std::printf("\"%s\":[", name);
    for (size_t i = 0; i < values.size(); ++i) {
        std::printf(i ? ",%llu" : "%llu", values[i]);
    }
    std::printf(last ? "]" : "],\n");
}

/* The timer of the GPU. */
static u64 now() {
    u64 *times = device<u64>(PREM_STAMPS);
    void *arguments[] = {&times};
    launch((const void *)timer_steps, 1, 1, arguments, 0);
    u64 last = host(times, PREM_STAMPS).back();
    cudaFree(times);
    return last;
}

static void convolution(int scheduled, unsigned runs) {
    const unsigned kernels = PREM_KERNELS, blocks = PREM_BLOCKS(0);
    const size_t pixels = (size_t)PLAN_IMAGE_HEIGHT * PLAN_IMAGE_WIDTH;
    const size_t results = (size_t)PLAN_RESULTS_HEIGHT * PLAN_RESULTS_WIDTH;
    std::vector<float> image(pixels), mask(PLAN_MASK_HEIGHT * PLAN_MASK_WIDTH, 1.0f);
    for (size_t i = 0; i < pixels; ++i) {
        image[i] = (float)(i % 251);
    }
    check(cudaMemcpyToSymbol(PREM_MASK, mask.data(), mask.size() * sizeof(float)), "cudaMemcpyToSymbol");
    std::vector<float *> in(kernels), out(kernels);
    std::vector<u64 *> stamps(kernels), times(kernels);
    std::vector<unsigned *> places(kernels);
    std::vector<cudaStream_t> streams(kernels);
    std::vector<cudaEvent_t> begin(kernels), end(kernels);
    const size_t stamped = (size_t)6 * blocks * PLAN_TILES_OF_BLOCK;
    for (unsigned k = 0; k < kernels; ++k) {
        in[k] = device<float>(pixels);
        out[k] = device<float>(results);
        stamps[k] = device<u64>(stamped);
        times[k] = device<u64>(2 * blocks);
        places[k] = device<unsigned>(blocks);
        check(cudaMemcpy(in[k], image.data(), pixels * sizeof(float), cudaMemcpyHostToDevice), "cudaMemcpy");
        check(cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking), "cudaStreamCreate");
        check(cudaEventCreate(&begin[k]), "cudaEventCreate");
        check(cudaEventCreate(&end[k]), "cudaEventCreate");
    }
    std::vector<std::vector<u64>> block_times(kernels), smid(kernels);
    std::vector<std::vector<float>> kernel_times(kernels);
    for (unsigned run = 0; run < runs; ++run) {
        u64 start = now() + 5000000; /* 5 ms are enough for the launches: all blocks spin until then */
        for (unsigned k = 0; k < kernels; ++k) {
            /* Stamps disturb the memory a little, so only a single run has them. */
            u64 *record = runs == 1 ? stamps[k] : nullptr;
            void *arguments[] = {&in[k], &out[k], &start, &k, &scheduled, &record, &times[k], &places[k]};
            check(cudaEventRecord(begin[k], streams[k]), "cudaEventRecord");
            launch((const void *)convolution_tiled, blocks, PLAN_THREADS, arguments, streams[k]);
            check(cudaEventRecord(end[k], streams[k]), "cudaEventRecord");
        }
        check(cudaDeviceSynchronize(), "the kernels");
        for (unsigned k = 0; k < kernels; ++k) {
            for (u64 time : host(times[k], 2 * blocks)) {
                block_times[k].push_back(time);
            }
            for (unsigned place : host(places[k], blocks)) {
                smid[k].push_back(place);
            }
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, begin[k], end[k]), "cudaEventElapsedTime");
            kernel_times[k].push_back(milliseconds);
        }
    }
    /* Every result against the sum of its neighbourhood. */
    for (unsigned k = 0; k < kernels; ++k) {
        std::vector<float> found = host(out[k], results);
        for (size_t i = 0; i < results; ++i) {
            size_t y = i / PLAN_RESULTS_WIDTH, x = i % PLAN_RESULTS_WIDTH;
            float sum = 0;
            for (size_t v = 0; v < PLAN_MASK_HEIGHT; ++v) {
                for (size_t u = 0; u < PLAN_MASK_WIDTH; ++u) {
                    sum += image[(y + v) * PLAN_IMAGE_WIDTH + x + u];
                }
            }
            if (sum != found[i]) {
                std::fprintf(stderr, "kernel %u: result %zu is %g, want %g\n", k, i, found[i], sum);
                std::exit(1);
            }
        }
    }
    auto all = [&](const std::vector<std::vector<u64>> &parts) {
        std::vector<u64> joined;
        for (const auto &part : parts) {
            joined.insert(joined.end(), part.begin(), part.end());
        }
        return joined;
    };
    std::printf("{\"nofThreads\":%u,\"nofBlocks\":%u,\"nofKernel\":%u,\"nof_repetitions\":%u,\n", PLAN_THREADS, blocks,
                kernels, runs);
    if (runs == 1) {
        std::vector<u64> phases[3];
        for (unsigned k = 0; k < kernels; ++k) {
            std::vector<u64> of_kernel = host(stamps[k], stamped);
            for (size_t i = 0; i < of_kernel.size(); ++i) {
                phases[i % 6 / 2].push_back(of_kernel[i]);
            }
        }
        std::printf("\"tileCount\":%u,\n", PLAN_TILES_OF_BLOCK);
        list("prefetchtimes", phases[0]);
        list("computetimes", phases[1]);
        list("writebacktimes", phases[2]);
    }
    list("blocktimes", all(block_times));
    std::printf("\"kerneltimes\":[");
    for (unsigned k = 0; k < kernels; ++k) {
        for (unsigned run = 0; run < runs; ++run) {
            std::printf(k + run ? ",%f" : "%f", kernel_times[k][run]);
        }
    }
    std::printf("],\n");
    list("smid", all(smid), true);
    std::printf("}\n");
}

static void walks(bool shuffled, unsigned length) {
    std::vector<unsigned> order(length), next(length);
    for (unsigned i = 0; i < length; ++i) {
        order[i] = i;
    }
    if (shuffled) {
        std::shuffle(order.begin(), order.end(), std::mt19937(1));
    }
    for (unsigned i = 0; i < length; ++i) {
        next[order[i]] = order[(i + 1) % length];
    }
    unsigned *loop = device<unsigned>(length), *sums = device<unsigned>(1);
    long long *cycles = device<long long>(1);
    check(cudaMemcpy(loop, next.data(), length * sizeof(unsigned), cudaMemcpyHostToDevice), "cudaMemcpy");
    std::printf("{\"elements\":%u,\"random\":%s,\"cycles_of_access\":[", length, shuffled ? "true" : "false");
    for (unsigned run = 0; run < 10; ++run) { /* the first run fills the caches */
        void *arguments[] = {&loop, &length, &length, &cycles, &sums};
        launch((const void *)walk, 1, 1, arguments, 0);
        std::printf(run ? ",%f" : "%f", (double)host(cycles, 1)[0] / length);
    }
    std::printf("]}\n");
}

int main(int count, char **arguments) {
    const char *what = count > 1 ? arguments[1] : "";
    if (!std::strcmp(what, "convolution") || !std::strcmp(what, "unscheduled")) {
        int runs = count > 2 ? std::atoi(arguments[2]) : 1;
        convolution(what[0] == 'c', runs > 0 ? runs : 1);
    } else if (!std::strcmp(what, "walk") && count > 3) {
        int elements = std::atoi(arguments[3]) / (int)sizeof(unsigned);
        walks(!std::strcmp(arguments[2], "random"), elements > 0 ? elements : 1);
    } else if (!std::strcmp(what, "timer")) {
        u64 *times = device<u64>(4 * PREM_STAMPS);
        void *of_kernel[] = {&times};
        launch((const void *)timer_steps, 4, 1, of_kernel, 0);
        std::printf("{");
        list("stamps", host(times, 4 * PREM_STAMPS), true);
        std::printf("}\n");
    } else {
        std::fprintf(stderr, "want convolution [RUNS], unscheduled [RUNS], walk sequential|random BYTES, or timer\n");
        return 2;
    }
    return 0;
}
