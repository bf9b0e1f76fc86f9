// Walks of trees: bounding volumes with a stack, binary search trees, sorted arrays.
// Launches, values of parameters and bounds of loops: tree.toml.

struct Node {
    float low[3], high[3];
    int left, right; // a leaf has left < 0 and its first triangle in right
};

extern "C" __global__ void bvh_walk(const Node *nodes, const float *rays, int *hits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float o[3], inverse[3];
    for (int a = 0; a < 3; a++) {
        o[a] = rays[6 * i + a];
        inverse[a] = 1.0f / rays[6 * i + 3 + a];
    }
    int stack[32], top = 0, hit = -1;
    stack[top++] = 0;
    while (top > 0) { // loop: nodes
        Node node = nodes[stack[--top]];
        float near = 0.0f, far = 1e30f;
        for (int a = 0; a < 3; a++) {
            float t0 = (node.low[a] - o[a]) * inverse[a], t1 = (node.high[a] - o[a]) * inverse[a];
            near = fmaxf(near, fminf(t0, t1));
            far = fminf(far, fmaxf(t0, t1));
        }
        if (near > far)
            continue;
        if (node.left < 0) {
            hit = node.right;
            continue;
        }
        stack[top++] = node.left;
        stack[top++] = node.right;
    }
    hits[i] = hit;
}

// Keys of node k: keys[k]; children children[2 k] and children[2 k + 1], below 0 if there is none.
extern "C" __global__ void search_tree(const int *keys, const int *children, const int *wanted, int *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int want = wanted[i], node = 0;
    while (node >= 0) { // loop: depth
        int key = keys[node];
        if (key == want)
            break;
        node = children[2 * node + (want > key)];
    }
    found[i] = node;
}

extern "C" __global__ void lower_bound(const int *sorted, const int *wanted, int *place, int size, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int low = 0, high = size, want = wanted[i];
    while (low < high) { // loop: halve
        int middle = (low + high) >> 1;
        if (sorted[middle] < want)
            low = middle + 1;
        else
            high = middle;
    }
    place[i] = low;
}
