(** Certificates of response bounds where streams have priorities: bounds that the equation for any order does not reach, some that
    are refused, and what is refused if a part of the window were left out. *)
From Coq Require Import List ZArith Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Priorities.
From Warpspan.Checker Require Import ResponseInput PriorityInput.
Local Open Scope Z_scope.

(** Three kernels of one block each that fill the only multiprocessor, with C 2, launched every 10, 14 and 14 or less often. *)
Definition three : system := System 1 [1] false [
  Kernel (Some 10) 0 2 1 [1] 0 0 0; Kernel (Some 14) 0 2 1 [1] 1 0 0; Kernel (Some 14) 0 2 1 [1] 2 0 0 ].

(** Whatever the order, each block may wait for two of each other kernel. *)
Goal responses_checked three [10; 10; 10] = true.
Proof. vm_compute. reflexivity. Qed.
Goal responses_checked three [9; 10; 10] = false.
Proof. vm_compute. reflexivity. Qed.

(** With priorities the first one waits for one block that runs, the next one also for one of the first. *)
Definition waits : list (option (Z * list Z)) := [Some (2, []); Some (4, []); Some (6, [])].
Theorem of_three : forall k, response_by_priority three (priority [3; 2; 1]) k (nth k [4; 6; 8] 0).
Proof. apply (priorities_sound three [3; 2; 1] [4; 6; 8] waits). vm_cast_no_check (eq_refl true). Qed.
Goal priorities_checked three [3; 2; 1] [3; 6; 8] [Some (1, []); Some (4, []); Some (6, [])] = false.
Proof. vm_compute. reflexivity. Qed.
Goal map (delay_checked three [3; 2; 1] [4; 6; 8] waits) [0; 1; 2]%nat = [true; true; true].
Proof. vm_compute. reflexivity. Qed.
Goal map (delay_checked three [3; 2; 1] [4; 6; 8] [Some (1, []); Some (3, []); Some (5, [])]) [0; 1; 2]%nat = [false; false; false].
Proof. vm_compute. reflexivity. Qed.

(** Bounds from either equation: the last one has no window. *)
Goal priorities_checked three [3; 2; 1] [4; 6; 10] [Some (2, []); Some (4, []); None] = true.
Proof. vm_compute. reflexivity. Qed.
