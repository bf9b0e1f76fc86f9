(** What a certificate of an instance imports. README.md shows one.

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
    - [exact_sound], at sigma 1, for one kernel on any number of warps and for two warps of any kernels. *)
From Coq Require Export List NArith ZArith.
From Coq Require String.
Export String.StringSyntax.
Export ListNotations.
From Warpspan.Model Require Export Semantics.
From Warpspan.Checker Require Export Instance Upper Replay ExactCheck.
From Warpspan.Search Require Export Search BlockCounts BlockSearch.

(** These names and statements are the interface that certificates rely on. *)
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
