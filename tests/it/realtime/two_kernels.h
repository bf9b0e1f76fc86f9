/* Time-triggered schedule, mode phase-block; times in ns. Written by warpspan. */
/* Times hold while each phase takes at most its duration and no other kernel is in a memory phase; none is. */
#ifndef WARPSPAN_PREM_H
#define WARPSPAN_PREM_H

/* kernel 0: K1, 2 blocks, 3 tiles a block */
/* kernel 1: K2, 2 blocks, 3 tiles a block */
#define PREM_KERNELS 2
#define PREM_TIMER_NS 10ull
#define PREM_WARM_UP_NS 200ull
#define PREM_HYPERPERIOD_NS 300ull
#define PREM_BLOCKS(kernel) ((kernel) == 0 ? 2ull : \
    2ull)
#define PREM_TILES(kernel) ((kernel) == 0 ? 3ull : \
    3ull)
#define PREM_PREFETCH_OFFSET_NS(kernel, block) ((kernel) == 0 && (block) == 0 ? 0ull : \
    (kernel) == 0 && (block) == 1 ? 50ull : \
    (kernel) == 1 && (block) == 0 ? 100ull : \
    150ull)

/* Spin until the timer is at least this. */
#define PREM_PREFETCH_START_NS(start, kernel, block, tile) \
    ((start) + PREM_WARM_UP_NS + (tile) * PREM_HYPERPERIOD_NS + PREM_PREFETCH_OFFSET_NS(kernel, block))
#define PREM_WRITEBACK_OFFSET_NS(kernel, block) ((kernel) == 0 && (block) == 0 ? 190ull : \
    (kernel) == 0 && (block) == 1 ? 220ull : \
    (kernel) == 1 && (block) == 0 ? 250ull : \
    280ull)
#define PREM_WRITEBACK_START_NS(start, kernel, block, tile) \
    ((start) + PREM_WARM_UP_NS + (tile) * PREM_HYPERPERIOD_NS + PREM_WRITEBACK_OFFSET_NS(kernel, block))

#endif
