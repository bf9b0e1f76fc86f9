// Counts the pixels above a threshold: one vote for each warp.
extern "C" __global__ void __launch_bounds__(64)
vote(const float* __restrict__ image, float threshold, int* __restrict__ count)
{
    int pixel = blockIdx.x * 64 + threadIdx.x;
    unsigned votes = __ballot_sync(0xffffffffu, image[pixel] > threshold);
    count[pixel / 32] = __popc(votes);
}
