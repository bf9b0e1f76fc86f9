// Search in text, edit distances, checksums and digests.
// Launches, values of parameters and bounds of loops: strings.toml.

extern "C" __global__ void string_search(const char *text, const char *pattern, int *first, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + m > n)
        return;
    int k = 0;
    while (k < m && text[i + k] == pattern[k]) // loop: match
        k++;
    if (k == m)
        atomicMin(first, i);
}

// One anti-diagonal after the other of the matrix of edit distances, in one block.
extern "C" __global__ void levenshtein(const char *a, const char *b, int *distance, int n, int m)
{
    __shared__ int rows[3][130];
    int t = threadIdx.x;
    for (int d = 0; d <= n + m; d++) { // loop: diagonal
        int *now = rows[d % 3], *one = rows[(d + 2) % 3], *two = rows[(d + 1) % 3];
        int i = t, j = d - t;
        if (i <= n && j >= 0 && j <= m) {
            int v;
            if (i == 0)
                v = j;
            else if (j == 0)
                v = i;
            else {
                v = min(one[i - 1], one[i]) + 1;
                v = min(v, two[i - 1] + (a[i - 1] != b[j - 1]));
            }
            now[i] = v;
            if (i == n && j == m)
                *distance = v;
        }
        __syncthreads();
    }
}

// Needleman-Wunsch of a tile of 16 x 16 with a penalty, as Rodinia does it.
extern "C" __global__ void needle_tile(const int *reference, int *scores, int width, int penalty)
{
    __shared__ int s[17][17], r[16][16];
    int t = threadIdx.x, base = blockIdx.x * 16;
    for (int y = 0; y < 16; y++) // loop: reference
        r[y][t] = reference[(base + y) * width + base + t];
    s[t + 1][0] = scores[(base + t + 1) * width + base];
    s[0][t + 1] = scores[base * width + base + t + 1];
    if (t == 0)
        s[0][0] = scores[base * width + base];
    __syncwarp(0xffff);
    for (int d = 0; d < 31; d++) { // loop: diagonal
        int x = t + 1, y = d - t + 1;
        if (y >= 1 && y <= 16)
            s[y][x] = max(s[y - 1][x - 1] + r[y - 1][x - 1], max(s[y][x - 1], s[y - 1][x]) - penalty);
        __syncwarp(0xffff);
    }
    for (int y = 0; y < 16; y++) // loop: write
        scores[(base + y + 1) * width + base + t + 1] = s[y + 1][t + 1];
}

// The checksum of one message a thread, bit by bit.
extern "C" __global__ void crc32_bits(const unsigned char *messages, unsigned *sums, int length, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned crc = 0xffffffffu;
    for (int b = 0; b < length; b++) { // loop: bytes
        crc ^= messages[i * length + b];
#pragma unroll 1
        for (int k = 0; k < 8; k++) // loop: bits
            crc = (crc >> 1) ^ ((crc & 1) ? 0xedb88320u : 0u);
    }
    sums[i] = ~crc;
}

__constant__ unsigned round_keys[64];
__device__ __forceinline__ unsigned rotate(unsigned v, int by)
{
    return (v >> by) | (v << (32 - by));
}

// The rounds of SHA-256 on one block of 16 words a thread.
extern "C" __global__ void sha256_rounds(const unsigned *words, unsigned *state, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned w[16], v[8];
#pragma unroll
    for (int k = 0; k < 16; k++)
        w[k] = words[16 * i + k];
#pragma unroll
    for (int k = 0; k < 8; k++)
        v[k] = state[8 * i + k];
#pragma unroll 1
    for (int r = 0; r < 64; r++) { // loop: rounds
        unsigned s1 = rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25);
        unsigned choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        unsigned t1 = v[7] + s1 + choice + round_keys[r] + w[0];
        unsigned s0 = rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22);
        unsigned t2 = s0 + ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        unsigned g0 = rotate(w[1], 7) ^ rotate(w[1], 18) ^ (w[1] >> 3);
        unsigned g1 = rotate(w[14], 17) ^ rotate(w[14], 19) ^ (w[14] >> 10);
        unsigned next = w[0] + g0 + w[9] + g1;
#pragma unroll
        for (int k = 0; k < 15; k++)
            w[k] = w[k + 1];
        w[15] = next;
        v[7] = v[6]; v[6] = v[5]; v[5] = v[4]; v[4] = v[3] + t1;
        v[3] = v[2]; v[2] = v[1]; v[1] = v[0]; v[0] = t1 + t2;
    }
#pragma unroll
    for (int k = 0; k < 8; k++)
        state[8 * i + k] += v[k];
}
