(** Certificates of grids: what solve --certificate writes with --blocks, and some that are refused. *)
From Warpspan Require Import Certificate.

Open Scope N_scope.

(** The bound of equal blocks on one multiprocessor is attained: LCCL, four blocks of one warp, two at once, 4*2 + 2*2 = 12. *)
Definition attained : grid_input := GridInput (Sigma 1 1) (Sigma 1 1) (kernel "LCCL") 1 4 1 2.

Theorem attained_upper : grid_at_most attained 12.
Proof. apply (relay_sound _ [(1, 1)]%Z 0). vm_cast_no_check (eq_refl true). Qed.

Theorem attained_lower : grid_at_least attained 12.
Proof.
  apply (grid_schedule_sound _ [0; 1; 0; 1]
    [[0]; [0; 1]; [1]; [0]; [0; 1]; [1]; [0]; [0; 1]; [0]; [0; 1]; [1]; [1]]).
  vm_cast_no_check (eq_refl true).
Qed.

(** Rounds of the worst case of two blocks, 4 cycles each, are too short: LCL, four blocks of one warp, two at once, take 9. The
    string is odd, so its bound is 9 as well. *)
Definition rounds : grid_input := GridInput (Sigma 1 1) (Sigma 1 1) (kernel "LCL") 1 4 1 2.

Theorem rounds_upper : grid_at_most rounds 9.
Proof. apply (relay_sound _ [(1, 1)]%Z 0). vm_cast_no_check (eq_refl true). Qed.

(** On two multiprocessors even rounds of any bound are too short: LL, 12 blocks of one warp, three at once on each. Three blocks take
    6 cycles at most, but these take 14. *)
Definition two_queues : grid_input := GridInput (Sigma 1 1) (Sigma 1 1) (kernel "LL") 1 12 2 3.

Theorem two_lower : grid_at_least two_queues 14.
Proof.
  apply (grid_schedule_sound _ [0; 1; 2; 3; 4; 5; 0; 0; 3; 0; 4; 0]
    [[0; 3]; [0; 4]; [0; 5]; [0; 3]; [0; 3]; [0; 4]; [0; 4]; [0; 5]; [0; 3]; [0; 4]; [1]; [1]; [2]; [2]]).
  vm_cast_no_check (eq_refl true).
Qed.

(** LLCLL, ten blocks of 8 warps, two at once on each of two multiprocessors. *)
Definition ten : grid_input := GridInput (Sigma 1 1) (Sigma 1 1) (kernel "LLCLL") 8 10 2 2.

Theorem ten_upper : grid_at_most ten 193.
Proof. apply (relay_sound _ [(1, 1)]%Z 6). vm_cast_no_check (eq_refl true). Qed.

Goal grid_by_relay ten [(1, 1)]%Z 6 192 = false /\ grid_by_relay ten [(1, 1)]%Z 4 193 = false /\ grid_by_relay rounds [(1, 1)]%Z 0 8 = false.
Proof. vm_compute. auto. Qed.
