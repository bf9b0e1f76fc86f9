// What names and attributes tell of the places of parameters: see places.rs.
template <class T> __global__ void scaled(T a, const T *x, T *y, int n, unsigned long long m, short s) {
#pragma unroll 1
    for (int i = 0; i < n; i++) y[i] = a * x[i] + (T)m + (T)s;
}
template __global__ void scaled<float>(float, const float *, float *, int, unsigned long long, short);
extern "C" __global__ void plain(float *y, int n) {
#pragma unroll 1
    for (int i = 0; i < n; i++) y[i] = 1.0f;
}
