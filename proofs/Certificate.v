(** What a certificate imports. README.md shows one.

    The certificates that [solve --certificate] writes are about the input as the user gave it, with fractions and sigmas of
    any size: Checker/Input.v has it and the claims [at_most], [at_least], [worst] and [no_less], and Checker/BarrierInput.v the same for
    kernels with barriers. [phases_sound], [searched_sound], [schedule_sound] and [theorem_sound] prove them, and with barriers
    those of the same names after [barrier_], and [barrier_parts_sound], which adds up proofs of the segments of one block.
    Checker/RelayInput.v has equal blocks that follow one another, on any number of multiprocessors, with [grid_at_most] by
    [relay_sound] and [grid_at_least] by [grid_schedule_sound]. They rest on what follows, which may be used as well.

    An instance is sigma_L, sigma_C and a list of groups [(kernel "LLCLL", 4%N)]. What may be claimed of it:

    - [bounded sL sC gs B]: no schedule takes more than B cycles;
    - [reaches sL sC gs T]: a complete schedule takes exactly T cycles;
    - [group_bounded sL sC gs j B]: no warp of group j, counted from 0, finishes after cycle B.

    What proves a claim, by computation:

    - [upper_sound], from the critical path and the phase bound with the thetas given as fractions;
    - [finish_sound], the same for the warps of one group;
    - [search_sound], from a search through the states, with thetas like those of [upper_sound];
    - [block_search_sound], the same search for blocks of warps with barriers, where the claim is [blocks_bounded];
    - [lower_sound], from a schedule: for each cycle the warps that issue in it, in increasing order and counted from 0;
    - [exact_sound], at sigma 1, for one kernel on any number of warps and for two warps of any kernels.

    With barriers a group is a [barrier_group] such as [(segments "LCC|CL", 4%N)], and [per] is the number of warps of a
    block, or 0 if each group is one block. The claims are [barrier_bounded sL sC per gs B], [barrier_reaches sL sC per gs T]
    and [barrier_group_bounded sL sC per gs j B]; [barrier_upper_sound], [barrier_lower_sound], [barrier_finish_sound] and
    [barrier_exact_sound] (one block at sigma 1) prove them. For one block [barrier_segments_bounded] and
    [barrier_segments_reached] add up what is claimed of each segment by itself. ExampleBarriers.v shows them. *)
From Coq Require Export List NArith ZArith.
From Coq Require String.
Export String.StringSyntax.
Export ListNotations.
From Warpspan.Model Require Export Semantics.
From Warpspan.Checker Require Export Instance Upper Replay ExactCheck.
From Warpspan.Search Require Export Search BlockCounts BlockSearch.
From Warpspan.Checker Require Export BarrierInstance BarrierSegments BarrierUpper BarrierReplay BarrierExact.
From Warpspan.Checker Require Export Input BarrierInput BarrierSearch RelayInput.

(** These names and statements are the interface that certificates rely on. *)
Goal forall i thetas T, by_phases i thetas T = true -> at_most i T.
Proof. exact phases_sound. Qed.
Goal forall i thetas T, by_search i thetas T = true -> at_most i T.
Proof. exact searched_sound. Qed.
Goal forall i T, by_bottleneck i T = true -> no_less i T.
Proof. exact bottleneck_sound. Qed.
Goal forall i schedule T, by_schedule i schedule T = true -> at_least i T.
Proof. exact schedule_sound. Qed.
Goal forall i T, by_theorem i T = true -> worst i T.
Proof. exact theorem_sound. Qed.
Goal forall i thetas T, barriers_by_phases i thetas T = true -> barrier_at_most i T.
Proof. exact barrier_phases_sound. Qed.
Goal forall i schedule T, barriers_by_schedule i schedule T = true -> barrier_at_least i T.
Proof. exact barrier_schedule_sound. Qed.
Goal forall i T, barriers_by_theorem i T = true -> barrier_worst i T.
Proof. exact barrier_theorem_sound. Qed.
Goal forall i parts T, barriers_by_segments i parts T = true -> barrier_at_most i T.
Proof. exact barrier_parts_sound. Qed.
Goal forall i T, barriers_by_search i T = true -> barrier_at_most i T.
Proof. exact barrier_searched_sound. Qed.
Goal forall g thetas most T, grid_by_relay g thetas most T = true -> grid_at_most g T.
Proof. exact relay_sound. Qed.
Goal forall g places schedule T, grid_by_schedule g places schedule T = true -> grid_at_least g T.
Proof. exact grid_schedule_sound. Qed.
Goal forall sL sC gs thetas B, upper_check sL sC gs thetas B = true -> bounded sL sC gs B.
Proof. exact upper_sound. Qed.
Goal forall sL sC gs thetas j B, finish_check sL sC gs thetas j B = true -> group_bounded sL sC gs j B.
Proof. exact finish_sound. Qed.
Goal forall sL sC gs thetas T, search_check sL sC gs thetas T = true -> bounded sL sC gs T.
Proof. exact search_sound. Qed.
Goal forall sL sC blocks T, block_search sL sC blocks T = true -> blocks_bounded sL sC blocks T.
Proof. exact block_search_sound. Qed.
Goal forall sL sC gs schedule T, lower_check sL sC gs schedule T = true -> reaches sL sC gs T.
Proof. exact lower_sound. Qed.
Goal forall gs T, exact_check gs T = true -> bounded 1 1 gs T /\ reaches 1 1 gs T.
Proof. exact exact_sound. Qed.
Goal forall sL sC per gs thetas B, barrier_upper_check sL sC per gs thetas B = true -> barrier_bounded sL sC per gs B.
Proof. exact barrier_upper_sound. Qed.
Goal forall sL sC per gs thetas j B,
  barrier_finish_check sL sC per gs thetas j B = true -> barrier_group_bounded sL sC per gs j B.
Proof. exact barrier_finish_sound. Qed.
Goal forall sL sC per gs schedule T, barrier_lower_check sL sC per gs schedule T = true -> barrier_reaches sL sC per gs T.
Proof. exact barrier_lower_sound. Qed.
Goal forall per gs T, barrier_exact_check per gs T = true -> barrier_bounded 1 1 per gs T /\ barrier_reaches 1 1 per gs T.
Proof. exact barrier_exact_sound. Qed.
Goal forall sL sC per segs n Bs, one_block_check sL sC per segs n = true ->
  Forall2 (fun s B => bounded sL sC [(s, n)] B) segs Bs -> barrier_bounded sL sC per [(segs, n)] (Earnings.sumZ Bs).
Proof. exact barrier_segments_bounded. Qed.
Goal forall sL sC per segs n Ts, one_block_check sL sC per segs n = true ->
  Forall2 (fun s T => reaches sL sC [(s, n)] T) segs Ts -> barrier_reaches sL sC per [(segs, n)] (Earnings.sumZ Ts).
Proof. exact barrier_segments_reached. Qed.
