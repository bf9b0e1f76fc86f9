// A 3x3 convolution of an image with several planes: one thread for each pixel.
extern "C" __global__ void __launch_bounds__(256)
conv(const float* __restrict__ image, const float* __restrict__ weights, float* __restrict__ out,
     int width, int height, int planes)
{
    int x = blockIdx.x * 32 + threadIdx.x + 1;
    int y = blockIdx.y * 8 + threadIdx.y + 1;
    if (x >= width - 1 || y >= height - 1) return;
    float sum = 0;
#pragma unroll 1
    for (int plane = 0; plane < planes; ++plane) {
        const float* at = image + (plane * height + y) * width + x;
        for (int j = -1; j <= 1; ++j)
            for (int i = -1; i <= 1; ++i)
                sum += weights[9 * plane + 3 * (j + 1) + i + 1] * at[j * width + i];
    }
    out[y * width + x] = sum;
}
