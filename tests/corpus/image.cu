// Filters of images: Sobel, bilateral, resize, median, and the camera pipeline.
// Launches, values of parameters and bounds of loops: image.toml.

extern "C" __global__ void sobel(const unsigned char *in, unsigned char *out, int width, int height, int limit)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const unsigned char *p = in + y * width + x;
    int gx = p[1 - width] + 2 * p[1] + p[1 + width] - p[-1 - width] - 2 * p[-1] - p[-1 + width];
    int gy = p[width - 1] + 2 * p[width] + p[width + 1] - p[-width - 1] - 2 * p[-width] - p[-width + 1];
    out[y * width + x] = abs(gx) + abs(gy) > limit ? 255 : 0;
}

extern "C" __global__ void bilateral(const float *in, float *out, int width, int height, int radius, float space, float range)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    float centre = in[y * width + x], sum = 0.0f, weights = 0.0f;
    for (int dy = -radius; dy <= radius; dy++) { // loop: dy
        int sy = y + dy;
        if (sy < 0 || sy >= height)
            continue;
        for (int dx = -radius; dx <= radius; dx++) { // loop: dx
            int sx = x + dx;
            if (sx < 0 || sx >= width)
                continue;
            float v = in[sy * width + sx], d = v - centre;
            float w = __expf(-(dx * dx + dy * dy) * space - d * d * range);
            sum += w * v;
            weights += w;
        }
    }
    out[y * width + x] = sum / weights;
}

extern "C" __global__ void resize_bilinear(const unsigned char *in, unsigned char *out, int in_width, int in_height, int out_width, int out_height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_width || y >= out_height)
        return;
    float fx = (x + 0.5f) * in_width / out_width - 0.5f, fy = (y + 0.5f) * in_height / out_height - 0.5f;
    int x0 = max((int)floorf(fx), 0), y0 = max((int)floorf(fy), 0);
    int x1 = min(x0 + 1, in_width - 1), y1 = min(y0 + 1, in_height - 1);
    float ax = fminf(fmaxf(fx - x0, 0.0f), 1.0f), ay = fminf(fmaxf(fy - y0, 0.0f), 1.0f);
    float top = in[y0 * in_width + x0] * (1 - ax) + in[y0 * in_width + x1] * ax;
    float bottom = in[y1 * in_width + x0] * (1 - ax) + in[y1 * in_width + x1] * ax;
    out[y * out_width + x] = (unsigned char)(top * (1 - ay) + bottom * ay + 0.5f);
}

// The median of nine values by a network of exchanges.
__device__ __forceinline__ void order(int &a, int &b)
{
    int low = min(a, b);
    b = max(a, b);
    a = low;
}

extern "C" __global__ void median_3x3(const unsigned char *in, unsigned char *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    int v[9];
    for (int i = 0; i < 9; i++)
        v[i] = in[(y + i / 3 - 1) * width + x + i % 3 - 1];
    order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
    order(v[0], v[1]); order(v[3], v[4]); order(v[6], v[7]);
    order(v[1], v[2]); order(v[4], v[5]); order(v[7], v[8]);
    order(v[0], v[3]); order(v[5], v[8]); order(v[4], v[7]);
    order(v[3], v[6]); order(v[1], v[4]); order(v[2], v[5]);
    order(v[4], v[7]); order(v[4], v[2]); order(v[6], v[4]); order(v[4], v[2]);
    out[y * width + x] = v[4];
}

// Colours of a sensor with the pattern RGGB, white balance and gamma from a table.
extern "C" __global__ void debayer(const unsigned short *raw, uchar4 *out, const unsigned char *gamma, int width, int height, float red, float blue)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1)
        return;
    const unsigned short *p = raw + y * width + x;
    float cross = 0.25f * (p[-1] + p[1] + p[-width] + p[width]);
    float diagonal = 0.25f * (p[-width - 1] + p[-width + 1] + p[width - 1] + p[width + 1]);
    float across = 0.5f * (p[-1] + p[1]), along = 0.5f * (p[-width] + p[width]);
    float r, g, b;
    switch ((y & 1) * 2 + (x & 1)) {
    case 0: r = p[0]; g = cross; b = diagonal; break;
    case 1: r = across; g = p[0]; b = along; break;
    case 2: r = along; g = p[0]; b = across; break;
    default: r = diagonal; g = cross; b = p[0]; break;
    }
    out[y * width + x] = make_uchar4(gamma[min((int)(r * red), 4095)], gamma[min((int)g, 4095)], gamma[min((int)(b * blue), 4095)], 255);
}

extern "C" __global__ void rgb_to_hsv(const uchar4 *in, float *hue, float *saturation, float *value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    uchar4 c = in[i];
    float r = c.x / 255.0f, g = c.y / 255.0f, b = c.z / 255.0f;
    float most = fmaxf(r, fmaxf(g, b)), least = fminf(r, fminf(g, b)), d = most - least;
    float h = 0.0f;
    if (d > 0.0f) {
        if (most == r)
            h = fmodf((g - b) / d, 6.0f);
        else if (most == g)
            h = (b - r) / d + 2.0f;
        else
            h = (r - g) / d + 4.0f;
    }
    hue[i] = 60.0f * h;
    saturation[i] = most > 0.0f ? d / most : 0.0f;
    value[i] = most;
}
