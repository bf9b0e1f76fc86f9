// Examples: kernels of the paper and of real listings, and listings.

export const KERNELS = [
  { name: "LLCLL, 4 warps (Be12)", k: "LLCLL", w: "4" },
  { name: "LLCLL, 600 warps (Be12 Fig. 6)", k: "LLCLL", w: "600" },
  { name: "LLC, 4 warps", k: "LLC", w: "4" },
  { name: "LLLLCCCC, 4 warps: two phases", k: "LLLLCCCC", w: "4" },
  { name: "LCLCL on half the load/store units, 420 warps", k: "LCLCL", w: "420", sl: "1/2" },
  { name: "LL at sigma L = 2: Be12's bound is too low", k: "LL", w: "4", sl: "2" },
  { name: "LCCC at sigma C = 2", k: "LCCC", w: "4", sc: "2" },
  { name: "LLC|CLL: with a barrier", k: "LLC|CLL", w: "4" },
  { name: "asyncAPI increment (CUDA samples, PTX)", k: "CCCCCCCCCLCCL", w: "48" },
  { name: "template testKernel (CUDA samples, PTX)", k: "CCCCCCCLL|CCLCL|LCCL", w: "8" },
  { name: "a loop with a branch", k: "C(LLC)1..4{LC/C}", w: "4" },
];

/** Listings, with the bounds of their loops, and a launch for each. */
export const LISTINGS = [
  {
    name: "3x3 convolution, SASS for Jetson AGX Orin", file: "conv.sm_87.sass", loops: ".L_x_2=3",
    declared: [["loop-bounds", ".L_x_2", "3"]],
    launch: { on: "jetson-orin", grid: "60x135", block: "32x8", deadline: "10ms", "dram-bytes": "50MB:lines" },
  },
  { name: "testKernel of the CUDA samples, PTX", file: "template-float.ptx", loops: "", launch: { grid: "1", block: "32", deadline: "", "dram-bytes": "" } },
  { name: "increment of the CUDA samples, PTX", file: "increment.ptx", loops: "", launch: { grid: "32768", block: "512", deadline: "", "dram-bytes": "" } },
  { name: "several loops and branches, PTX", file: "flow.ptx", loops: "", launch: { grid: "64", block: "128", deadline: "", "dram-bytes": "" } },
];
