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
Definition each_way : list (list (list Z)) := [[[]]; [[]]; [[]]].
Goal map (delay_of three [3; 2; 1] [4; 6; 6] each_way) [0; 1; 2]%nat = [Some 2; Some 4; Some 4].
Proof. vm_compute. reflexivity. Qed.
Theorem of_three : forall k, response_by_priority three (priority [3; 2; 1]) k (nth k [4; 6; 6] 0).
Proof. apply (priorities_sound three [3; 2; 1] [4; 6; 6] each_way). vm_cast_no_check (eq_refl true). Qed.
Goal priorities_checked three [3; 2; 1] [3; 6; 6] each_way = false.
Proof. vm_compute. reflexivity. Qed.
Goal priorities_checked three [3; 2; 1] [4; 5; 6] each_way = false.
Proof. vm_compute. reflexivity. Qed.
Goal priorities_checked three [3; 2; 1] [4; 6; 5] each_way = false.
Proof. vm_compute. reflexivity. Qed.

(** Bounds from either equation: the last one has no window. *)
Goal priorities_checked three [3; 2; 1] [4; 6; 10] [[[]]; [[]]; []] = true.
Proof. vm_compute. reflexivity. Qed.
