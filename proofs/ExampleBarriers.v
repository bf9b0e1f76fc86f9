(** Certificates of kernels with barriers, and what a certificate that is not right comes to: the checks say [false], so that
    [reflexivity] would fail. *)
From Warpspan Require Import Certificate.

(** * Two blocks of two warps each at sigma_L = 1, sigma_C = 2: 16 cycles. *)
Definition groups : list barrier_group := [(segments "LLC|LLC", 2%N); (segments "CLL|L", 2%N)].

Definition thetas : list (Z * Z) := [(1, 2); (1, 1)]%Z.

(** For each cycle the warps that issue in it. Warps 0 and 1 are the block of LLC|LLC. *)
Definition schedule : list (list N) := [
  [0; 2; 3]; [0]; [0; 2]; [2]; [3]; [3]; [2]; [3]; [1]; [1]; [1]; [0]; [0]; [0; 1]; [1]; [1]
]%N.

Theorem upper : barrier_bounded 1 2 2 groups 16.
Proof. apply (barrier_upper_sound 1 2 2 groups thetas). vm_compute. reflexivity. Qed.

Theorem lower : barrier_reaches 1 2 2 groups 16.
Proof. apply (barrier_lower_sound 1 2 2 groups schedule). vm_compute. reflexivity. Qed.

(** The second group has finished by cycle 15. *)
Theorem second : barrier_group_bounded 1 2 2 groups 1 15.
Proof. apply (barrier_finish_sound 1 2 2 groups thetas). vm_compute. reflexivity. Qed.

(** * One block of five warps at sigma 1: the sum over the segments, with no schedule to be given. *)
Definition block : list barrier_group := [(segments "LC|CCL|LLC", 5%N)].

Theorem closed_form : barrier_bounded 1 1 0 block 28 /\ barrier_reaches 1 1 0 block 28.
Proof. apply barrier_exact_sound. vm_compute. reflexivity. Qed.

(** The same bound from claims about each segment by itself. Each of them may be proved in any way. *)
Theorem by_segments : barrier_bounded 1 1 0 block 28.
Proof.
  apply (barrier_segments_bounded 1 1 0 _ _ [6; 11; 11]%Z); [vm_compute; reflexivity|].
  constructor; [|constructor; [|constructor; [|constructor]]].
  - apply (upper_sound 1 1 _ [(1, 1)]%Z). vm_compute. reflexivity.
  - apply exact_sound. vm_compute. reflexivity.
  - apply exact_sound. vm_compute. reflexivity.
Qed.

(** * What is refused *)

(** A bound that is lower by one. *)
Goal barrier_upper_check 1 2 2 groups thetas 15 = false.
Proof. vm_compute. reflexivity. Qed.

(** Thetas outside the range from 1/sigma_fast to 1/sigma_slow: they are passed over, and the critical path is 18. *)
Goal barrier_upper_check 1 2 2 groups [(1, 4); (2, 1)]%Z 16 = false.
Proof. vm_compute. reflexivity. Qed.

(** Another kernel, and a unit that takes no warp. *)
Goal barrier_upper_check 1 2 2 [(segments "LLC|LLCL", 2%N); (segments "CLL|L", 2%N)] thetas 16 = false.
Proof. vm_compute. reflexivity. Qed.
Goal barrier_upper_check 0 2 2 groups thetas 16 = false.
Proof. vm_compute. reflexivity. Qed.

(** A group without warps, and a group without letters. *)
Goal barrier_upper_check 1 2 2 [(segments "LLC|LLC", 0%N)] thetas 100 = false.
Proof. vm_compute. reflexivity. Qed.
Goal barrier_upper_check 1 2 2 [(segments "|", 2%N)] thetas 100 = false.
Proof. vm_compute. reflexivity. Qed.

(** Another makespan. *)
Goal barrier_lower_check 1 2 2 groups schedule 17 = false.
Proof. vm_compute. reflexivity. Qed.

(** An issue removed from the last cycle, and one from the first, where a warp then waits although there is room. *)
Goal barrier_lower_check 1 2 2 groups [
  [0; 2; 3]; [0]; [0; 2]; [2]; [3]; [3]; [2]; [3]; [1]; [1]; [1]; [0]; [0]; [0; 1]; [1]; []
]%N 15 = false.
Proof. vm_compute. reflexivity. Qed.
Goal barrier_lower_check 1 2 2 groups [
  [2; 3]; [0]; [0; 2]; [2]; [3]; [3]; [2]; [3]; [1]; [1]; [1]; [0]; [0]; [0; 1]; [1]; [1]
]%N 16 = false.
Proof. vm_compute. reflexivity. Qed.

(** Warp 2 issues after its barrier in cycle 5, before warp 3 has come to the barrier. Without that barrier the same schedule
    is one. *)
Definition too_early : list (list N) := [
  [0; 2; 3]; [0]; [0; 2]; [2]; [2]; [3]; [3]; [3]; [1]; [1]; [1]; [0]; [0]; [0; 1]; [1]; [1]
]%N.
Goal barrier_lower_check 1 2 2 groups too_early 16 = false.
Proof. vm_compute. reflexivity. Qed.
Goal barrier_lower_check 1 2 2 [(segments "LLC|LLC", 2%N); (segments "CLLL", 2%N)] too_early 16 = true.
Proof. vm_compute. reflexivity. Qed.

(** Blocks of one warp, in which no warp waits at a barrier: then warp 0 is ready in cycle 9. *)
Goal barrier_lower_check 1 2 1 groups schedule 16 = false.
Proof. vm_compute. reflexivity. Qed.

(** The closed form of another number of cycles, and of two blocks, of which it is not one. *)
Goal barrier_exact_check 0 block 27 = false.
Proof. vm_compute. reflexivity. Qed.
Goal barrier_exact_check 3 block 28 = false.
Proof. vm_compute. reflexivity. Qed.
