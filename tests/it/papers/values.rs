//! What the commands of docs/papers.md print.

/// A paper and an item of the page, and texts that its command prints: each number of the row's own value is in one of them.
pub(super) const VALUES: &[(&str, &[&str])] = &[
    ("Be12: kernel instruction string", &["instructions 13: 4 L, 7 C,"]),
    ("Be12: Eq. 1, 2: sigma, at compute capability 2.0", &["2.0 16 32 1/2 1"]),
    ("Be12: the same at 2.1, which has 48 cores", &["2.1 16 48 1/2 3/2"]),
    ("Be12: transformation to sub-warps, Fig. 1", &["(Be12 section 3): LLC; sigma_L = 1, sigma_C = 1"]),
    ("Be12: Fig. 2: a schedule of LLC on four warps", &["lrr 9 6 yes"]),
    ("Be12: its longest schedule", &["worst case 9 cycles, exact", "best case 9 cycles"]),
    ("Be12: Eq. 5 to 7: T, for LLCLL and 600 warps", &["pessimistic 3000 upper paper"]),
    (
        "Be12: the same as an upper bound above sigma 1",
        &["pessimistic 4 upper NOT SAFE", "phase 5 upper machine"],
    ),
    ("Be12: Eq. 8 to 10: constants IL, IC; variables LS, CC", &["worst case 9 cycles, exact"]),
    (
        "Be12: Eq. 31, 33, 36: long constraints",
        &["worst case 9 cycles, exact", "long formulation as published, horizon 12"],
    ),
    (
        "Be12: Eq. 32, 34, 37: short constraints",
        &["worst case 9 cycles, exact", "short formulation as published, horizon 12"],
    ),
    ("Be12: Fig. 3: the whole ILP and its number of rows, here for LLC and four warps", &["model 347 rows"]),
    (
        "Be12: T as the horizon of the ILP",
        &["worst case between 4 and 5 cycles", "the paper's horizon (Eq. 5-7; errata E2, E3), 4 cycles"],
    ),
    (
        "Be12: Eq. 42, 43: the estimate from few warps",
        &["phase 9 upper machine closed form I + (W-1) a; exact", "min-over-y 8 estimate NOT SAFE"],
    ),
    (
        "Be12: Fig. 6: convergence for LLCLL, 600 warps: estimate at x = 30",
        &["min-over-y 2420 estimate NOT SAFE"],
    ),
    ("Be12: the exact worst case of Fig. 6", &["worst case 2401 cycles, exact"]),
    (
        "Be12: Fig. 7: the same for LCLCL at sigma_L = 1/2, 420 warps, x = 15",
        &["min-over-y 2576 estimate NOT SAFE"],
    ),
    ("Be12: the exact worst case of Fig. 7", &["worst case 2522 cycles, exact"]),
    ("Be12: several multiprocessors", &["relay 193 upper machine"]),
    ("Pa19: Fig. 1.1: the Jetson TX2, multiprocessors", &["jetson-tx2 Jetson TX2 6.2 2 1300"]),
    (
        "Pa19: one copy engine",
        &["SFM 5 8 512 0 33 yes 27.375 18 5 20.5", "Det 7 16 512 0 200 yes 35.625 19 19 20.5"],
    ),
    ("Pa19: Fig. 1.2: a runnable on a core reads, executes, writes", &["Control Core0 3 10 0.5 to 1 10 yes"]),
    (
        "Pa19: Fig. 1.3: a runnable on the GPU copies in, executes, copies out",
        &["Lanes GPU0 - triggered 2.2 to 4", "Lanes Copy_in 0 0.2"],
    ),
    (
        "Pa19: the challenge model of WATERS 2019",
        &["schedulable refuted: no job of Planner that takes its upper ticks can meet its deadline"],
    ),
    ("Pa19: Fig. 2.1: grids, blocks, threads", &["64 blocks of 256 threads on 2 multiprocessors"]),
    ("Pa19: Fig. 2.3: the multiprocessor; stream", &["6.2 32 128 1 4", "6.2 64 32"]),
    ("Pa19: deviceQuery: threads of a multiprocessor", &["6.2 32 128 1 4", "6.2 64 32"]),
    ("Pa19: registers of a block; shared memory of a block", &["65536 32768 64 48"]),
    ("Pa19: rules G1 to G4, X1, R1 to R3, C1 to C4, A2", &["yes 27.375 20.5 6.5", "yes 35.625 20.5 20.5"]),
    ("Pa19: Eq. 3.3, 3.4: utilisation, for section 3.6", &["utilisation 2969.60 of 4096 threads"]),
    ("Pa19: Fig. 3.1: release, completion, response time; deadline T", &["K1 4 2 512 0 15 yes 4 4 4"]),
    (
        "Pa19: section 3.3.1, Eq. 3.5: blocks of one size",
        &["algorithm2 is too low for 2 of 2 kernels", "Algorithm 2 does not hold here: SFM copies memory"],
    ),
    ("Pa19: section 3.3.2, Eq. 3.6: one big multiprocessor, g_max", &["K1 1 0 4 0 8 2 {} 4"]),
    (
        "Pa19: C_3^*, the time in which K3 uses the GPU (Fig. 3.5)",
        &["K3 1 0 6 4 1 2 {(6, 6), (10, 1)}", "6 6 1 {(10, 2)} 12"],
    ),
    ("Pa19: Algorithm 2", &["15 yes 4 4 4", "15 yes 10 10 10", "15 yes 12 12 12", "15 yes 11 11 11"]),
    (
        "Pa19: section 3.6, Fig. 3.6 to 3.9: the example",
        &[
            "K1 1 0 4 0 8 2 {} 4",
            "4 2 1 {(6, 6)} 10",
            "6 6 1 {(10, 2)} 12",
            "K4 1 0 5 6 5 5 {(10, 2), (12, 1)} 11",
        ],
    ),
    ("Pa19: all its kernels can be scheduled", &["schedulable proved: by Algorithm 2"]),
    (
        "Pa19: section 3.7, Fig. 3.10, Eq. 3.8 to 3.15: equal C",
        &["K1 5 16 512 0 20 yes 10 10 10", "K2 5 2 512 0 20 yes 15 15 15"],
    ),
    (
        "Pa19: the same, blocks 3, 5, 4",
        &["K1 5 3 512 0 20 yes 5 5 5", "K2 5 5 512 0 20 yes 5 5 5", "K3 5 4 512 0 20 yes 10 10 10"],
    ),
    (
        "Pa19: the configuration file",
        &["Kernel 2 6000000000 7 512 0 - - 10000000000", "Kernel 3 6000000000 2 512 0 - - 12000000000"],
    ),
    (
        "Pa19: Fig. 4.1: the measured run, K2, K3, K4, K1",
        &[
            "rules hold",
            "6.068822517 6.06881872",
            "12.069025845 12.069023104",
            "11.068993493 11.068989696",
            "10.068992886 10.06899072",
        ],
    ),
    (
        "Pa19: Fig. 4.2: Octave, scenario 1",
        &["15 yes 6 6 6", "15 yes 12 12 12", "15 yes 11 11 11", "15 yes 10 10 10"],
    ),
    (
        "Pa19: Fig. 4.3, 4.4: scenario 2, K2, K4, K1, K3",
        &[
            "K2 6 7 512 0 15 yes 6",
            "K4 5 5 512 0 15 yes 11",
            "K1 4 2 512 0 15 yes 10",
            "K3 6 2 512 0 15 yes 12",
        ],
    ),
    (
        "Pa19: Fig. 4.5, 4.6: scenario 3, K2, K1, K3, K4",
        &[
            "K2 6 7 512 0 15 yes 6",
            "K1 4 2 512 0 15 yes 8",
            "K3 6 2 512 0 15 yes 12",
            "K4 5 5 512 0 15 yes 11",
        ],
    ),
    (
        "Pa19: Fig. 4.7, 4.8 (finished text): five kernels of many blocks or long C, K2, K4, K3, K5, K1",
        &[
            "15 yes 1 1 1",
            "15 yes 11 11 11",
            "15 yes 9 9 9",
            "K5 6 3 512 0 15 yes 11 11 11",
            "K1 2 4 512 0 15 yes 11 11 11",
        ],
    ),
    (
        "Pa19: Fig. 4.9, 4.10 (finished text): five more, K5, K1, K4, K3, K2",
        &["yes 2.5 2.5 2.5", "yes 4 4 4", "yes 6.5 6.5 6.5", "yes 5.5 5.5 5.5", "yes 7 7 7"],
    ),
    (
        "Pa19: appendix: the program",
        &["15 yes 4 4 4", "15 yes 10 10 10", "15 yes 12 12 12", "15 yes 11 11 11"],
    ),
    (
        "Pa19: Algorithm 2 with the step that updates h",
        &["15 yes 4 4 4", "15 yes 10 10 10", "15 yes 12 12 12", "15 yes 11 11 11"],
    ),
    (
        "Pa19: the program for AMALTHEA models",
        &["Lanes GPU0 - triggered 2.2 to 4 - - 2.2 4 14", "Detect GPU0 - triggered 9.2 to 10 - - 9.2 10 14"],
    ),
    ("Pa19: future work: memory transactions", &["Lanes Copy_in 0 0.2", "Detect Copy_in 0 0.2"]),
    ("Kr19: Fig. 2.1: worst-case execution time", &["vote on jetson-tx2: at most 31.687 us"]),
    ("Kr19: Fig. 2.3: the predictable interval, P, C, W", &["prefetch 1781, compute 506, writeback 421 ns"]),
    (
        "Kr19: Fig. 2.7, 2.9: the multiprocessor, schedulers, cores, load/store units",
        &["6.2 32 128 1 4", "6.2 64 32"],
    ),
    (
        "Kr19: Fig. 2.8: a warp whose threads part runs both sides, two instructions each and one behind them",
        &["program 5 upper paper", "paths 5 lower paper"],
    ),
    (
        "Kr19: Fig. 2.10, Listing 2.1: CUDA, saxpy",
        &["schedulable proved: by the bounds", "4096 256 0 1000 yes"],
    ),
    ("Kr19: Fig. 2.18, 2.19: GPUguard, overruns of phases", &["overruns prefetch 81629,"]),
    ("Kr19: Table 3.1: the platform", &["2 multiprocessors of 128 cores"]),
    ("Kr19: sections 3.1.3 to 3.1.5, Fig. 3.1, Listing 3.4: walks", &["mode tile-kernel"]),
    ("Kr19: section 3.2.2: 2D convolution", &["conv on jetson-tx2: at most 111.590592 ms"]),
    (
        "Kr19: section 3.2.4, Fig. 3.2: tiles",
        &["tiles 512 x 2: 1024 in all", "of a block 512 tiles of 2 blocks"],
    ),
    (
        "Kr19: section 3.2.5 i, Fig. 3.3: whole tiles, by kernels",
        &["execution at most 5570548 ns (5.570548 ms)"],
    ),
    ("Kr19: ii, Fig. 3.4: whole tiles, by blocks", &["execution at most 11141108 ns (11.141108 ms)"]),
    ("Kr19: iii, Fig. 3.5: phases, by kernels", &["execution at most 4915141 ns (4.915141 ms)"]),
    ("Kr19: iv, Fig. 3.6: phases, by blocks", &["execution at most 9830341 ns (9.830341 ms)"]),
    ("Kr19: Fig. 4.2 to 4.5: walks of threads and kernels, beside the CPU", &["GLOBAL 82 to 1030"]),
    ("Kr19: Fig. 4.6, Listing 4.1: the steps of the timer", &["timer 1000 ns"]),
    ("Kr19: Fig. 4.7: the schedule at 1400 ns", &["planned 2868628 ns (2.868628 ms)"]),
    ("Kr19: Table 4.1: tiled, no schedule", &["no schedule 2413764 ns (2.413764 ms) on average"]),
    ("Kr19: jitter without a schedule", &["on average, jitter 1.407 percent: estimate"]),
    ("Kr19: jitter at 1300 ns", &["1300 5200 2663828 2664331 0.052"]),
    ("Kr19: jitter at 1400 ns", &["1400 5600 2868628 2869267 0.050"]),
    (
        "Kr19: Table 4.1: offset 1300 ns",
        &[
            "shared 2664127 ns (2.664127 ms) on average: estimate",
            "execution at most 7049120 ns (7.04912 ms)",
        ],
    ),
    (
        "Kr19: Table 4.1: offset 1400 ns",
        &[
            "shared 2868867 ns (2.868867 ms) on average: estimate",
            "execution at most 7049440 ns (7.04944 ms)",
        ],
    ),
    ("Kr19: Fig. 4.10: phases alone", &["composed 1386496 ns (1.386496 ms)"]),
    ("Kr19: Fig. 4.10: worst phases of four kernels, times 512", &["composed 7045120 ns (7.04512 ms)"]),
    (
        "Kr19: Fig. 4.11 to 4.14: phases shifted against each other",
        &["measured 2667080 ns (2.66708 ms) on average of 2 runs"],
    ),
    (
        "Kr19: scheduling rules with little jitter and acceptable performance",
        &["hyperperiod 10880 ns, the least there is"],
    ),
    (
        "Si21: a limit on the warps that a kernel has on a multiprocessor",
        &["track memory 2 70", "filter compute 4 110", "map memory 4 140"],
    ),
    (
        "Si21: Algorithm 2 with a binary search",
        &["schedulable: 4 partitions on 11 multiprocessors, verified"],
    ),
    ("Si21: future work: priority against time", &["rt-paws 25 20 25 22.5"]),
    ("Si21: partitions of whole slices of the GPU (MIG)", &["in 7 slices of 1 (4 left over)"]),
    ("Si21: chapter 5: partitions and priorities together", &["map memory 4 140 140 81.37 66.64 54.97"]),
    ("Si21: C(m) = a/m + b, alone and in conflict", &["flow compute 4 4 no 40.5 75 100"]),
    (
        "Si21: Lemma 3: enough multiprocessors",
        &["8 tasks on 11 multiprocessors", "schedulable: 4 partitions on 11 multiprocessors, verified"],
    ),
    (
        "Si21: Algorithm 1, Algorithm 2, Definition 2: merging",
        &["schedulable: 4 partitions on 11 multiprocessors, verified"],
    ),
    (
        "Si21: Definition 3: order >>, SMS",
        &["SMS-INA, test edf", "schedulable: 4 partitions on 11 multiprocessors"],
    ),
    (
        "Si21: Definition 4: order >, BF",
        &["BF-INA, test edf", "schedulable: 4 partitions on 11 multiprocessors"],
    ),
    ("Si21: the optimum", &["exact, test edf", "schedulable: 4 partitions on 10 multiprocessors"]),
    (
        "Si21: section 3.5.3: forbidden list, ACT",
        &["SMS-ACT, test edf", "schedulable: 4 partitions on 11 multiprocessors"],
    ),
    (
        "Si21: 1G: one partition",
        &["1G, test edf", "not found: a deadline can be missed in one partition of all"],
    ),
    (
        "Si21: LRR and GTO, in the model",
        &["lrr 16 12 yes", "gto 17 14 yes", "best case 16 cycles", "worst case 17 cycles, exact"],
    ),
    (
        "Si21: Algorithm 5: RT-PAWS",
        &["rt-paws 25 20 25 22.5", "rt-paws, reading text: the group at the head"],
    ),
    ("Si21: GTO", &["gto 27 16 27 21.5"]),
    (
        "Si21: later of both kernels least under RT-PAWS",
        &["lrr 26 24 26", "gto 27 16 27", "rt-paws 25 20 25"],
    ),
    ("Si21: K2 earlier if K1 had priority 0", &["rt-paws 29 29 21 25.0"]),
    (
        "Si21: Algorithm 5 with a list that rotates",
        &[
            "lrr 26 24 26 25.0",
            "gto 28 15 28 21.5",
            "rt-paws 26 26 19 22.5",
            "rt-paws, reading rotating: a group",
        ],
    ),
    ("Si21: Table 4.1: a TITAN V in GPGPU-Sim", &["titan-v TITAN V 7.0 80 1455"]),
    ("Si21: section 4.4.3: LRR", &["lrr 26 24 26 25.0"]),
    (
        "Si21: Table 3.1: kernels and their kinds",
        &["hotspot compute", "pathfinder compute", "transpose memory 40", "vectoradd memory 40"],
    ),
    (
        "Si21: Fig. 3.2: speed-up by multiprocessors, memory-intensive ones stop at",
        &["transpose memory 40", "vectoradd memory 40"],
    ),
    ("Si21: Definition 1: memory-intensive", &["tolerance 5 percent"]),
    ("Si21: Fig. 3.3: transpose alone and beside vectoradd", &["transpose vectoradd yes 68 2.3 5.566"]),
    (
        "Si21: Fig. 4.1: the three schedules",
        &["lrr 26 24 26 25.0", "gto 27 16 27 21.5", "rt-paws 25 20 25 22.5"],
    ),
    ("Si21: Fig. 4.2: response times, K2 never later than under LRR", &["rt-paws"]),
    ("Si21: future work: more than two priorities", &["rt-paws 38 38 32 20"]),
    (
        "GCAPS: Table 4, 5: GCAPS itself",
        &[
            "histogram 1 70 100 100 yes 11 16",
            "mmul_gpu_1 2 69 150 150 yes 14 32",
            "mmul_cpu 2 68 200 200 yes 68 75",
            "projection 1 67 300 300 yes 25.5 59",
            "dxtc 1 66 400 400 yes 17.5 79",
        ],
    ),
    (
        "GCAPS: Table 4, 5: the default driver",
        &["yes 11 60", "yes 14 73.6", "yes 68 72", "yes 25.5 98.2", "yes 17.5 112.3"],
    ),
];
