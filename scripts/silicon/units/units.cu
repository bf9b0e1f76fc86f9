// Kernels that keep one unit of a multiprocessor busy and little else, so that bounds have the least room there. Each does
// one thing in four independent chains, sixteen times in a round. Launches and bounds of loops: units.toml.

#define FOUR(op) op(a) op(b) op(c) op(d)
#define SIXTEEN(op) FOUR(op) FOUR(op) FOUR(op) FOUR(op)
// The lanes of a warp read and write neighbouring words, and all blocks the same ones.
#define BEGIN(type)                                                                                                    \
    type *mine = (type *)data + threadIdx.x;                                                                           \
    type a = mine[0], b = mine[1024], c = mine[2048], d = mine[3072];                                                  \
    _Pragma("unroll 1")
#define END mine[0] = a, mine[1024] = b, mine[2048] = c, mine[3072] = d;

typedef unsigned u32;
typedef unsigned long long u64;

// Barriers of the block: of all threads, with a sum, with a condition, with a number, and of threads that are not together.
#define BARRIER(v) asm volatile("bar.sync 0;" : : : "memory");
extern "C" __global__ void barrier_sync(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BARRIER) } // loop: rounds
    END
}
#define BARRIER_COUNT(v) v += __syncthreads_count(v);
extern "C" __global__ void barrier_count(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BARRIER_COUNT) } // loop: rounds
    END
}
#define BARRIER_AND(v) v += __syncthreads_and(v);
extern "C" __global__ void barrier_and(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BARRIER_AND) } // loop: rounds
    END
}
#define BARRIER_NUMBERED(v) asm volatile("bar.sync 3;" : : : "memory");
extern "C" __global__ void barrier_numbered(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BARRIER_NUMBERED) } // loop: rounds
    END
}
#define BARRIER_UNALIGNED(v) asm volatile("barrier.sync 0;" : : : "memory");
extern "C" __global__ void barrier_unaligned(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BARRIER_UNALIGNED) } // loop: rounds
    END
}

// What the lanes of a warp do together.
#define WARP_SYNC(v) asm volatile("bar.warp.sync %0;" : : "r"(v | 0xffffffffu) : "memory");
extern "C" __global__ void warp_sync(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(WARP_SYNC) } // loop: rounds
    END
}
#define BALLOT(v) v += __ballot_sync(0xffffffffu, v & 1);
extern "C" __global__ void ballot(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(BALLOT) } // loop: rounds
    END
}
#define MATCH_ANY(v) asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(v));
extern "C" __global__ void match_any(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MATCH_ANY) } // loop: rounds
    END
}
#define MATCH_ANY_WIDE(v) { u32 y; asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(y) : "l"(v)); v += y; }
extern "C" __global__ void match_any_wide(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MATCH_ANY_WIDE) } // loop: rounds
    END
}
#define MATCH_ALL(v) asm volatile("match.all.sync.b32 %0, %0, 0xffffffff;" : "+r"(v));
extern "C" __global__ void match_all(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MATCH_ALL) } // loop: rounds
    END
}
#define SHUFFLE(v) v = __shfl_xor_sync(0xffffffffu, v, 1);
extern "C" __global__ void shuffle(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHUFFLE) } // loop: rounds
    END
}
#define REDUCE(v) v = __reduce_add_sync(0xffffffffu, v);
extern "C" __global__ void reduce_warp(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(REDUCE) } // loop: rounds
    END
}

// Integers and bits.
#define POPULATION(v) asm volatile("popc.b32 %0, %0;" : "+r"(v));
extern "C" __global__ void population(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(POPULATION) } // loop: rounds
    END
}
#define REVERSE(v) asm volatile("brev.b32 %0, %0;" : "+r"(v));
extern "C" __global__ void reverse_bits(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(REVERSE) } // loop: rounds
    END
}
#define FIND(v) asm volatile("bfind.u32 %0, %0;" : "+r"(v));
extern "C" __global__ void find_bit(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FIND) } // loop: rounds
    END
}
#define PERMUTE(v) asm volatile("prmt.b32 %0, %0, %1, 0x2103;" : "+r"(v) : "r"(k));
extern "C" __global__ void permute(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(PERMUTE) } // loop: rounds
    END
}
#define FIELD(v) asm volatile("bfi.b32 %0, %0, %1, 3, 7;" : "+r"(v) : "r"(k));
extern "C" __global__ void insert_field(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FIELD) } // loop: rounds
    END
}
#define FUNNEL(v) asm volatile("shf.l.wrap.b32 %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void funnel_shift(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FUNNEL) } // loop: rounds
    END
}
#define DOT(v) asm volatile("dp4a.u32.u32 %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void dot_four(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DOT) } // loop: rounds
    END
}
#define DIFFERENCE(v) asm volatile("sad.u32 %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void difference(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DIFFERENCE) } // loop: rounds
    END
}
#define VIDEO(v) asm volatile("vabsdiff4.u32.u32.u32.add %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void video_difference(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(VIDEO) } // loop: rounds
    END
}
#define WIDE(v) asm volatile("mad.lo.u64 %0, %0, %1, %0;" : "+l"(v) : "l"((u64)k));
extern "C" __global__ void multiply_wide(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(WIDE) } // loop: rounds
    END
}
#define HIGH(v) asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(v) : "r"(k));
extern "C" __global__ void multiply_high(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(HIGH) } // loop: rounds
    END
}
#define LEAST_WIDE(v) asm volatile("min.s64 %0, %0, %1;" : "+l"(v) : "l"((u64)k));
extern "C" __global__ void least_wide(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LEAST_WIDE) } // loop: rounds
    END
}
#define DIVIDE_INT(v) v /= k + 3;
extern "C" __global__ void divide_int(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DIVIDE_INT) } // loop: rounds
    END
}

// Floating-point numbers and their functions. Three different sources may lie in one bank of registers.
#define FMA(v) asm volatile("fma.rn.f32 %0, %1, %2, %0;" : "+f"(v) : "f"(a), "f"(b));
extern "C" __global__ void fma_single(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FMA) } // loop: rounds
    END
}
#define FMA_DOUBLE(v) asm volatile("fma.rn.f64 %0, %1, %2, %0;" : "+d"(v) : "d"(a), "d"(b));
extern "C" __global__ void fma_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FMA_DOUBLE) } // loop: rounds
    END
}
#define FMA_HALF(v) asm volatile("fma.rn.f16x2 %0, %1, %2, %0;" : "+r"(v) : "r"(a), "r"(b));
extern "C" __global__ void fma_half(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FMA_HALF) } // loop: rounds
    END
}
#define FMA_BRAIN(v) asm volatile("fma.rn.bf16x2 %0, %1, %2, %0;" : "+r"(v) : "r"(a), "r"(b));
extern "C" __global__ void fma_brain(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FMA_BRAIN) } // loop: rounds
    END
}
#define LEAST_HALF(v) asm volatile("min.f16x2 %0, %0, %1;" : "+r"(v) : "r"(a));
extern "C" __global__ void least_half(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LEAST_HALF) } // loop: rounds
    END
}
#define EXPONENTIAL(v) asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void exponential(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(EXPONENTIAL) } // loop: rounds
    END
}
#define RECIPROCAL(v) asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void reciprocal(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(RECIPROCAL) } // loop: rounds
    END
}
#define ROOT(v) asm volatile("sqrt.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void square_root(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ROOT) } // loop: rounds
    END
}
#define SINE(v) asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void sine(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SINE) } // loop: rounds
    END
}
#define TANGENT(v) asm volatile("tanh.approx.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void tangent(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TANGENT) } // loop: rounds
    END
}
#define TANGENT_HALF(v) asm volatile("tanh.approx.f16x2 %0, %0;" : "+r"(v));
extern "C" __global__ void tangent_half(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TANGENT_HALF) } // loop: rounds
    END
}
#define DIVIDE(v) v /= 1.5f + b;
extern "C" __global__ void divide_single(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DIVIDE) } // loop: rounds
    END
}
#define RECIPROCAL_DOUBLE(v) asm volatile("rcp.approx.ftz.f64 %0, %0;" : "+d"(v));
extern "C" __global__ void reciprocal_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(RECIPROCAL_DOUBLE) } // loop: rounds
    END
}

// Conversions.
#define TO_FLOAT(v) asm volatile("{ .reg .f32 y; cvt.rn.f32.s32 y, %0; mov.b32 %0, y; }" : "+r"(v));
extern "C" __global__ void int_to_float(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_FLOAT) } // loop: rounds
    END
}
#define TO_INT(v) asm volatile("{ .reg .f32 y; mov.b32 y, %0; cvt.rzi.s32.f32 %0, y; }" : "+r"(v));
extern "C" __global__ void float_to_int(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_INT) } // loop: rounds
    END
}
#define TO_DOUBLE(v) asm volatile("{ .reg .f64 y; cvt.rn.f64.s64 y, %0; mov.b64 %0, y; }" : "+l"(v));
extern "C" __global__ void long_to_double(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_DOUBLE) } // loop: rounds
    END
}
#define TO_LONG(v) asm volatile("{ .reg .f64 y; mov.b64 y, %0; cvt.rzi.s64.f64 %0, y; }" : "+l"(v));
extern "C" __global__ void double_to_long(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_LONG) } // loop: rounds
    END
}
#define TO_HALF(v) asm volatile("{ .reg .b16 h; cvt.rn.f16.f32 h, %0; cvt.f32.f16 %0, h; }" : "+f"(v));
extern "C" __global__ void float_to_half(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_HALF) } // loop: rounds
    END
}
#define TO_HALVES(v) asm volatile("{ .reg .b32 h; cvt.rn.f16x2.f32 h, %0, %1; mov.b32 %0, h; }" : "+f"(v) : "f"(a));
extern "C" __global__ void float_to_halves(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_HALVES) } // loop: rounds
    END
}
#define ROUND(v) asm volatile("cvt.rni.f32.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void round_single(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ROUND) } // loop: rounds
    END
}
#define ROUND_DOUBLE(v) asm volatile("cvt.rni.f64.f64 %0, %0;" : "+d"(v));
extern "C" __global__ void round_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ROUND_DOUBLE) } // loop: rounds
    END
}
#define NARROW(v) asm volatile("{ .reg .f32 y; cvt.rn.f32.f64 y, %0; cvt.f64.f32 %0, y; }" : "+d"(v));
extern "C" __global__ void double_to_float(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(NARROW) } // loop: rounds
    END
}

// Special registers.
#define CLOCK(v) { u32 y; asm volatile("mov.u32 %0, %%clock;" : "=r"(y)); v += y; }
extern "C" __global__ void read_clock(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(CLOCK) } // loop: rounds
    END
}
#define TIMER(v) { u64 y; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(y)); v += y; }
extern "C" __global__ void read_timer(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TIMER) } // loop: rounds
    END
}
#define PLACE(v) { u32 y; asm volatile("mov.u32 %0, %%smid;" : "=r"(y)); v += y; }
extern "C" __global__ void read_place(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(PLACE) } // loop: rounds
    END
}
#define ACTIVE(v) v += __activemask();
extern "C" __global__ void active_lanes(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ACTIVE) } // loop: rounds
    END
}

// Shared memory. Words of a warp lie one after another, in one bank, or at one address.
#define LOAD(v) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(y) : "r"(at)); v += y;
#define SHARED(apart)                                                                                                  \
    __shared__ u64 words[1056];                                                                                        \
    words[threadIdx.x] = 0;                                                                                            \
    u32 y, at = (u32)__cvta_generic_to_shared(words) + threadIdx.x % 32 * (apart);
extern "C" __global__ void shared_load(unsigned long long *data, int rounds)
{
    SHARED(4)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOAD) } // loop: rounds
    END
}
extern "C" __global__ void shared_load_one_bank(unsigned long long *data, int rounds)
{
    SHARED(128)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOAD) } // loop: rounds
    END
}
#define LOAD_FOUR(v) asm volatile("{ .reg .b32 q, r, s; ld.shared.v4.u32 {%0, q, r, s}, [%1]; }" : "=r"(y) : "r"(at)); v += y;
extern "C" __global__ void shared_load_four(unsigned long long *data, int rounds)
{
    SHARED(16)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOAD_FOUR) } // loop: rounds
    END
}
#define STORE(v) asm volatile("st.shared.u32 [%0], %1;" : : "r"(at), "r"(v));
extern "C" __global__ void shared_store(unsigned long long *data, int rounds)
{
    SHARED(4)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(STORE) } // loop: rounds
    END
    data[4096 + threadIdx.x] = y = words[threadIdx.x];
}
#define SHARED_ADD(v) asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(y) : "r"(at), "r"(k)); v += y;
extern "C" __global__ void shared_add(unsigned long long *data, int rounds)
{
    SHARED(4)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_ADD) } // loop: rounds
    END
}
extern "C" __global__ void shared_add_one_word(unsigned long long *data, int rounds)
{
    SHARED(0)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_ADD) } // loop: rounds
    END
}
#define SHARED_SWAP(v) asm volatile("atom.shared.cas.b32 %0, [%1], %2, %0;" : "+r"(v) : "r"(at), "r"(k));
extern "C" __global__ void shared_swap(unsigned long long *data, int rounds)
{
    SHARED(0)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_SWAP) } // loop: rounds
    END
}
#define MATRIX(v) asm volatile("{ .reg .b32 q, r, s; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, q, r, s}, [%1]; }" : "=r"(y) : "r"(at)); v += y;
extern "C" __global__ void shared_matrix(unsigned long long *data, int rounds)
{
    SHARED(16)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MATRIX) } // loop: rounds
    END
}

// Global memory that the caches hold, constant and local memory.
#define READ(v) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(y) : "l"(data + threadIdx.x % 32)); v += y;
extern "C" __global__ void global_read(unsigned long long *data, int rounds)
{
    u32 y;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(READ) } // loop: rounds
    END
}
#define READ_FAR(v) asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(y) : "l"(data + threadIdx.x % 32 * 16)); v += y;
extern "C" __global__ void global_read_lines(unsigned long long *data, int rounds)
{
    u32 y;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(READ_FAR) } // loop: rounds
    END
}
#define WRITE(v) asm volatile("st.global.u32 [%0], %1;" : : "l"(data + 4096 + threadIdx.x % 32), "r"(v));
extern "C" __global__ void global_write(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(WRITE) } // loop: rounds
    END
}
#define ADD(v) asm volatile("red.global.add.u32 [%0], %1;" : : "l"(data + 4096), "r"(v));
extern "C" __global__ void global_add_one_word(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ADD) } // loop: rounds
    END
}
#define EXCHANGE(v) asm volatile("atom.global.exch.b32 %0, [%1], %0;" : "+r"(v) : "l"(data + 4096 + threadIdx.x % 32));
extern "C" __global__ void global_exchange(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(EXCHANGE) } // loop: rounds
    END
}
__constant__ u32 constants[1024];
#define INDEXED(v) v = constants[(v + threadIdx.x) & 1023];
extern "C" __global__ void constant_lanes(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(INDEXED) } // loop: rounds
    END
}
#define FENCE_BLOCK(v) asm volatile("membar.cta;" : : : "memory");
extern "C" __global__ void fence_block(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FENCE_BLOCK) } // loop: rounds
    END
}
#define FENCE_GPU(v) asm volatile("membar.gl;" : : : "memory");
extern "C" __global__ void fence_gpu(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FENCE_GPU) } // loop: rounds
    END
}
#define FENCE_SYSTEM(v) asm volatile("membar.sys;" : : : "memory");
extern "C" __global__ void fence_system(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FENCE_SYSTEM) } // loop: rounds
    END
}

// Matrices.
#define MMA_HALF(v) asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2, %2, %2}, {%2, %2}, {%0, %1};" : "+r"(v), "+r"(y) : "r"(k));
extern "C" __global__ void mma_half(unsigned long long *data, int rounds)
{
    u32 y = 0;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_HALF) } // loop: rounds
    END
    data[4096 + threadIdx.x] = y;
}
#define MMA_BYTES(v) asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};" : "+r"(v) : "r"(k));
extern "C" __global__ void mma_bytes(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_BYTES) } // loop: rounds
    END
}
#define MMA_DOUBLE(v) asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %0}, {%1}, {%1}, {%0, %0};" : "+d"(v) : "d"(a));
extern "C" __global__ void mma_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_DOUBLE) } // loop: rounds
    END
}

// Matches that wait for one another.
#define CHAIN(op) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a) op(a)
extern "C" __global__ void match_any_chain(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { CHAIN(MATCH_ANY) } // loop: rounds
    END
}
#define MATCH_WIDE(v) { u32 y; asm volatile("match.any.sync.b64 %0, %1, 0xffffffff;" : "=r"(y) : "l"(v)); v += y; }
extern "C" __global__ void match_any_wide_chain(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { CHAIN(MATCH_WIDE) } // loop: rounds
    END
}

// More of integers, predicates and small types.
#define REDUCE_BITS(v) v = __reduce_xor_sync(0xffffffffu, v);
extern "C" __global__ void reduce_bits(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(REDUCE_BITS) } // loop: rounds
    END
}
#define DOT_TWO(v) asm volatile("dp2a.lo.u32.u32 %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void dot_two(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DOT_TWO) } // loop: rounds
    END
}
#define VIDEO_GREATEST(v) asm volatile("vmax.s32.s32.s32.add %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void video_greatest(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(VIDEO_GREATEST) } // loop: rounds
    END
}
#define NTH_BIT(v) asm volatile("fns.b32 %0, %0, %1, 1;" : "+r"(v) : "r"(k & 31));
extern "C" __global__ void nth_bit(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(NTH_BIT) } // loop: rounds
    END
}
#define MASK_BITS(v) asm volatile("bmsk.clamp.b32 %0, %0, %1;" : "+r"(v) : "r"(k));
extern "C" __global__ void mask_bits(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MASK_BITS) } // loop: rounds
    END
}
#define EXTEND_SIGN(v) asm volatile("szext.clamp.s32 %0, %0, %1;" : "+r"(v) : "r"(k));
extern "C" __global__ void extend_sign(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(EXTEND_SIGN) } // loop: rounds
    END
}
#define LOGIC_OF_THREE(v) asm volatile("lop3.b32 %0, %0, %1, %2, 0x96;" : "+r"(v) : "r"(a), "r"(b));
extern "C" __global__ void logic_of_three(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOGIC_OF_THREE) } // loop: rounds
    END
}
#define PACK_BYTES(v) asm volatile("cvt.pack.sat.u8.s32.b32 %0, %0, %1, %0;" : "+r"(v) : "r"(k));
extern "C" __global__ void pack_bytes(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(PACK_BYTES) } // loop: rounds
    END
}
#define ANY_LANE(v) v += __any_sync(0xffffffffu, v & 1);
extern "C" __global__ void any_lane(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ANY_LANE) } // loop: rounds
    END
}
#define SHUFFLE_BY_LANE(v) v = __shfl_sync(0xffffffffu, v, v & 31);
extern "C" __global__ void shuffle_by_lane(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHUFFLE_BY_LANE) } // loop: rounds
    END
}
#define LONG_SHIFT(v) asm volatile("shl.b64 %0, %0, %1;" : "+l"(v) : "r"(k));
extern "C" __global__ void long_shift(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LONG_SHIFT) } // loop: rounds
    END
}
#define DIVIDE_LONG(v) v /= k + 3;
extern "C" __global__ void divide_long(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DIVIDE_LONG) } // loop: rounds
    END
}
#define LOGARITHM(v) asm volatile("lg2.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void logarithm(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOGARITHM) } // loop: rounds
    END
}
#define COSINE(v) asm volatile("cos.approx.ftz.f32 %0, %0;" : "+f"(v));
extern "C" __global__ void cosine(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(COSINE) } // loop: rounds
    END
}
#define ROOT_INVERSE_DOUBLE(v) asm volatile("rsqrt.approx.ftz.f64 %0, %0;" : "+d"(v));
extern "C" __global__ void root_inverse_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ROOT_INVERSE_DOUBLE) } // loop: rounds
    END
}
#define DIVIDE_DOUBLE(v) v /= 1.5 + b;
extern "C" __global__ void divide_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(DIVIDE_DOUBLE) } // loop: rounds
    END
}
#define ROOT_DOUBLE(v) asm volatile("sqrt.rn.f64 %0, %0;" : "+d"(v));
extern "C" __global__ void root_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(ROOT_DOUBLE) } // loop: rounds
    END
}
#define COMPARE_DOUBLE(v) asm volatile("{ .reg .pred p; setp.lt.f64 p, %0, %1; selp.f64 %0, %1, %0, p; }" : "+d"(v) : "d"(a));
extern "C" __global__ void compare_double(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(COMPARE_DOUBLE) } // loop: rounds
    END
}
#define TO_BRAIN(v) asm volatile("{ .reg .b16 h; cvt.rn.bf16.f32 h, %0; mov.b32 %0, {h, h}; }" : "+f"(v));
extern "C" __global__ void to_brain(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_BRAIN) } // loop: rounds
    END
}
#define TO_EIGHTHS(v) asm volatile("{ .reg .b16 h; cvt.rn.satfinite.e4m3x2.f32 h, %0, %0; mov.b32 %0, {h, h}; }" : "+f"(v));
extern "C" __global__ void to_eighths(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TO_EIGHTHS) } // loop: rounds
    END
}
#define FROM_EIGHTHS(v) asm volatile("{ .reg .b16 h, l; mov.b32 {h, l}, %0; cvt.rn.f16x2.e4m3x2 %0, h; }" : "+r"(v));
extern "C" __global__ void from_eighths(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(FROM_EIGHTHS) } // loop: rounds
    END
}
#define TENSOR_FORMAT(v) asm volatile("cvt.rna.tf32.f32 %0, %1;" : "=r"(v) : "f"(__int_as_float(v)));
extern "C" __global__ void tensor_format(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(TENSOR_FORMAT) } // loop: rounds
    END
}

// More of memory: other atomic operations, transposed matrices, barriers as objects, copies that do not wait, local memory.
#define SHARED_SWAP_LONG(v) asm volatile("atom.shared.cas.b64 %0, [%1], %2, %0;" : "+l"(v) : "r"(at), "l"((u64)k));
extern "C" __global__ void shared_swap_long(unsigned long long *data, int rounds)
{
    SHARED(0)
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_SWAP_LONG) } // loop: rounds
    END
}
#define SHARED_LEAST(v) asm volatile("atom.shared.min.u32 %0, [%1], %2;" : "=r"(y) : "r"(at), "r"(k)); v += y;
extern "C" __global__ void shared_least(unsigned long long *data, int rounds)
{
    SHARED(0)
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_LEAST) } // loop: rounds
    END
}
#define SHARED_REDUCE(v) asm volatile("red.shared.add.u32 [%0], %1;" : : "r"(at), "r"(v));
extern "C" __global__ void shared_reduce(unsigned long long *data, int rounds)
{
    SHARED(0)
    y = 0;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_REDUCE) } // loop: rounds
    END
}
#define SHARED_STORE_MATRIX(v) asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %1, %1, %1};" : : "r"(at), "r"(v));
extern "C" __global__ void shared_store_matrix(unsigned long long *data, int rounds)
{
    SHARED(16)
    y = 0;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(SHARED_STORE_MATRIX) } // loop: rounds
    END
}
#define OBJECT_ARRIVE(v) asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(w) : "r"(at)); v += (u32)w;
extern "C" __global__ void object_arrive(unsigned long long *data, int rounds)
{
    u64 w;
    SHARED(0)
    if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], 1024;" : : "r"(at));
    __syncthreads();
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(OBJECT_ARRIVE) } // loop: rounds
    END
}
#define COPY_ASIDE(v) asm volatile("cp.async.ca.shared.global [%0], [%1], 4; cp.async.commit_group; cp.async.wait_group 0;" : : "r"(at), "l"(data + threadIdx.x % 32));
extern "C" __global__ void copy_aside(unsigned long long *data, int rounds)
{
    SHARED(4)
    y = 0;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(COPY_ASIDE) } // loop: rounds
    END
}
#define COPY_ASIDE_FAR(v) asm volatile("cp.async.cg.shared.global [%0], [%1], 16; cp.async.commit_group; cp.async.wait_group 0;" : : "r"(at), "l"(data + threadIdx.x % 32 * 16));
extern "C" __global__ void copy_aside_far(unsigned long long *data, int rounds)
{
    SHARED(16)
    y = 0;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(COPY_ASIDE_FAR) } // loop: rounds
    END
}
#define LOCAL_WORDS(v) words[(v + threadIdx.x) & 31] = v; v += words[(v + k) & 31];
extern "C" __global__ void local_words(unsigned long long *data, int rounds)
{
    u32 words[32];
    for (int n = 0; n < 32; n++) words[n] = n; // loop: words
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(LOCAL_WORDS) } // loop: rounds
    END
}
#define GENERIC_READ(v) asm volatile("ld.u32 %0, [%1];" : "=r"(y) : "l"(data + threadIdx.x % 32)); v += y;
extern "C" __global__ void generic_read(unsigned long long *data, int rounds)
{
    u32 y;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GENERIC_READ) } // loop: rounds
    END
}
#define GLOBAL_READ_FOUR(v) asm volatile("{ .reg .b32 q, r, s; ld.global.ca.v4.u32 {%0, q, r, s}, [%1]; }" : "=r"(y) : "l"(data + threadIdx.x % 32 * 2)); v += y;
extern "C" __global__ void global_read_four(unsigned long long *data, int rounds)
{
    u32 y;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_READ_FOUR) } // loop: rounds
    END
}
#define GLOBAL_WRITE_FOUR(v) asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" : : "l"(data + 4096 + threadIdx.x % 32 * 2), "r"(v));
extern "C" __global__ void global_write_four(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_WRITE_FOUR) } // loop: rounds
    END
}
#define GLOBAL_ADD_FLOAT(v) asm volatile("red.global.add.f32 [%0], %1;" : : "l"(data + 4096), "f"(1.0f));
extern "C" __global__ void global_add_float(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_ADD_FLOAT) } // loop: rounds
    END
}
#define GLOBAL_ADD_DOUBLE(v) asm volatile("atom.global.add.f64 %0, [%1], %2;" : "=d"(w) : "l"(data + 4096), "d"(1.0)); v += (u32)w;
extern "C" __global__ void global_add_double(unsigned long long *data, int rounds)
{
    double w;
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_ADD_DOUBLE) } // loop: rounds
    END
}
#define GLOBAL_ADD_HALVES(v) asm volatile("red.global.add.noftz.f16x2 [%0], %1;" : : "l"(data + 4096), "r"(v));
extern "C" __global__ void global_add_halves(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_ADD_HALVES) } // loop: rounds
    END
}
#define GLOBAL_SWAP(v) asm volatile("atom.global.cas.b32 %0, [%1], %2, %0;" : "+r"(v) : "l"(data + 4096), "r"(k));
extern "C" __global__ void global_swap(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_SWAP) } // loop: rounds
    END
}
#define GLOBAL_SWAP_LONG(v) asm volatile("atom.global.cas.b64 %0, [%1], %2, %0;" : "+l"(v) : "l"(data + 4096), "l"((u64)k));
extern "C" __global__ void global_swap_long(unsigned long long *data, int rounds)
{
    BEGIN(u64)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_SWAP_LONG) } // loop: rounds
    END
}
#define GLOBAL_ADD_WORDS(v) asm volatile("red.global.add.u32 [%0], %1;" : : "l"(data + 4096 + threadIdx.x % 32), "r"(v));
extern "C" __global__ void global_add_words(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(GLOBAL_ADD_WORDS) } // loop: rounds
    END
}
#define PREFETCH_LINE(v) asm volatile("prefetch.global.L1 [%0];" : : "l"(data + threadIdx.x % 32 * 16));
extern "C" __global__ void prefetch_line(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(PREFETCH_LINE) } // loop: rounds
    END
}

// More of matrices.
#define MMA_SINGLE(v) asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};" : "+f"(v) : "r"(k));
extern "C" __global__ void mma_single(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_SINGLE) } // loop: rounds
    END
}
#define MMA_TENSOR(v) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};" : "+f"(v) : "r"(k));
extern "C" __global__ void mma_tensor(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_TENSOR) } // loop: rounds
    END
}
#define MMA_BRAIN(v) asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%0, %0, %0, %0}, {%1, %1}, {%1}, {%0, %0, %0, %0};" : "+f"(v) : "r"(k));
extern "C" __global__ void mma_brain(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_BRAIN) } // loop: rounds
    END
}
#define MMA_BITS(v) asm volatile("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1}, {%0, %0, %0, %0};" : "+r"(v) : "r"(k));
extern "C" __global__ void mma_bits(unsigned long long *data, int rounds)
{
    BEGIN(u32)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_BITS) } // loop: rounds
    END
}
#define MMA_VOLTA(v) asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0, %0, %0, %0, %0, %0, %0, %0}, {%1, %1}, {%1, %1}, {%0, %0, %0, %0, %0, %0, %0, %0};" : "+f"(v) : "r"(k));
extern "C" __global__ void mma_volta(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_VOLTA) } // loop: rounds
    END
}
#define MMA_SPARSE(v) asm volatile("mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 {%0, %0, %0, %0}, {%1, %1, %1, %1}, {%1, %1, %1, %1}, {%0, %0, %0, %0}, %1, 0x0;" : "+f"(v) : "r"(k));
extern "C" __global__ void mma_sparse(unsigned long long *data, int rounds)
{
    BEGIN(float)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_SPARSE) } // loop: rounds
    END
}
#define MMA_DOUBLE_LARGE(v) asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %0, %0, %0}, {%1, %1, %1, %1, %1, %1, %1, %1}, {%1, %1, %1, %1}, {%0, %0, %0, %0};" : "+d"(v) : "d"(a));
extern "C" __global__ void mma_double_large(unsigned long long *data, int rounds)
{
    BEGIN(double)
    for (int k = 0; k < rounds; k++) { SIXTEEN(MMA_DOUBLE_LARGE) } // loop: rounds
    END
}
