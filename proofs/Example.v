(** A certificate: LLCLL on 4 warps at sigma_L = sigma_C = 1 takes 17 cycles in the worst case. Both halves are proved twice:
    by the phase bound and a schedule, as for any instance, and by the closed form, which needs no schedule. *)
From Warpspan Require Import Certificate.

Definition groups : list group := [(kernel "LLCLL", 4%N)].

(** For each cycle the warps that issue in it. *)
Definition schedule : list (list N) := [
  [3]; [0]; [1]; [2]; [0]; [0; 1]; [1; 2]; [0; 2]; [1]; [2]; [0]; [1]; [2]; [3]; [3]; [3]; [3]
]%N.

Theorem upper : bounded 1 1 groups 17.
Proof. apply (upper_sound 1 1 groups [(1, 1)]%Z). vm_compute. reflexivity. Qed.

Theorem lower : reaches 1 1 groups 17.
Proof. apply (lower_sound 1 1 groups schedule). vm_compute. reflexivity. Qed.

Theorem both : bounded 1 1 groups 17 /\ reaches 1 1 groups 17.
Proof. apply exact_sound. vm_compute. reflexivity. Qed.
