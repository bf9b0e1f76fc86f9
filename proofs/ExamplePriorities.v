(** Certificates of response bounds where streams have priorities: bounds that the equation for any order does not reach, some that
    are refused, and a run in which a launch takes just as long as its bound. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Priorities.
From Warpspan.Checker Require Import ResponseInput PriorityInput.
Local Open Scope Z_scope.

(** Three kernels of one block each that fills the only multiprocessor, with C 2, launched every 5, 7 and 7 or less often, the first
    one most urgent. *)
Definition three : system := System 1 [1] false [
  Kernel (Some 5) 0 2 1 [1] 0 0 0; Kernel (Some 7) 0 2 1 [1] 1 0 0; Kernel (Some 7) 0 2 1 [1] 2 0 0 ].
Definition each_way : list (list (list Z)) := [[[]]; [[]]; [[]]].

(** The first one waits for one block that runs, the next one also for one of the first. The last one waits longest if it enters 7
    after the window began, for its own launch before it and for what has come meanwhile. *)
Goal map (delay_of three [3; 2; 1] [4; 6; 7] each_way) [0; 1; 2]%nat = [Some 2; Some 4; Some 5].
Proof. vm_compute. reflexivity. Qed.
Theorem of_three : forall k, response_by_priority three (priority [3; 2; 1]) k (nth k [4; 6; 7] 0).
Proof. apply (priorities_sound three [3; 2; 1] [4; 6; 7] each_way). vm_cast_no_check (eq_refl true). Qed.
Goal map (fun bounds => priorities_checked three [3; 2; 1] bounds each_way) [[3; 6; 7]; [4; 5; 7]; [4; 6; 6]; [4; 6]] = [false; false; false; false].
Proof. vm_compute. reflexivity. Qed.

(** The equation for any order needs more than ten times as much, and of the others too. Bounds may come from either. *)
Goal map (fun bound => responses_checked three [bound; bound; bound]) [50; 100; 200; 400] = [false; false; false; false].
Proof. vm_compute. reflexivity. Qed.
Goal map (fun bound => priorities_checked three [3; 2; 1] [4; 6; bound] [[[]]; [[]]; []]) [7; 111; 112] = [false; false; true].
Proof. vm_compute. reflexivity. Qed.

(** A run in which it takes that long: all come at 0, and again as soon as they may. *)
Definition one_block (k : nat) (r t : Z) : launch := Launch k r r r r [Block t (t + 2) 0] (t + 2) (t + 2).
Definition tight (i : nat) : launch :=
  nth i [one_block 0 0 0; one_block 1 0 2; one_block 2 0 4; one_block 0 5 6; one_block 1 7 8; one_block 2 7 12] (one_block 0 10 10).

Ltac each_of n i := lazymatch n with O => lia | S ?n => destruct i as [|i]; [|each_of n i] end.
Ltac each i := each_of 7%nat i.

Lemma used_tight r m t : used three 7 tight r m t = if (0 =? m)%nat && ((0 <=? t) && (t <? 14)) then nth r [1] 0 else 0.
Proof.
  destruct (Z_lt_le_dec t 0) as [Hn|Hn]; [|destruct (Z_lt_le_dec t 14) as [Hm|Hm]].
  - cbv [used three tight one_block sum fold_right seq grid present start finish on nth of kernel_of kernels need needs].
    repeat match goal with |- context [?a <=? t] => replace (a <=? t) with false by lia end. cbn [andb].
    rewrite !andb_false_r. reflexivity.
  - assert (t = 0 \/ t = 1 \/ t = 2 \/ t = 3 \/ t = 4 \/ t = 5 \/ t = 6 \/ t = 7 \/ t = 8 \/ t = 9 \/ t = 10 \/ t = 11 \/ t = 12 \/ t = 13)
      as H by lia.
    destruct m as [|m]; repeat (destruct H as [->|H]; [destruct r as [|[|r]]; reflexivity|]); subst; destruct r as [|[|r]]; reflexivity.
  - cbv [used three tight one_block sum fold_right seq grid present start finish on nth of kernel_of kernels need needs].
    repeat match goal with |- context [t <? ?a] => replace (t <? a) with false by lia end. rewrite !andb_false_r. reflexivity.
Qed.

Lemma waits_in_time i b t : (i < 7)%nat -> waits tight i b t -> 0 <= t < 14.
Proof.
  intros Hi [Hb Ht]. assert (In b (grid (tight i)) -> start b <= 12 /\ 0 <= in_end (tight i)) as H; [|specialize (H Hb); lia].
  clear Hb Ht. each i; intros [<-|[]]; cbn; lia.
Qed.

Lemma full_then i t : (i < 7)%nat -> 0 <= t < 14 -> forall m, Z.of_nat m < multiprocessors three -> ~ fits three 7 tight (kernel_of three (tight i)) m t.
Proof.
  intros Hi Ht m Hm Hfits. specialize (Hfits 0%nat ltac:(cbn; lia)). rewrite used_tight in Hfits. cbn in Hm.
  assert (m = 0%nat) as -> by lia. destruct (Z.leb_spec 0 t); [|lia]. destruct (Z.ltb_spec t 14); [|lia].
  each i; cbn in Hfits; lia.
Qed.

Theorem tight_run : forall stop, run three 7 tight 1 stop /\ by_priority three 7 tight stop (priority [3; 2; 1]) /\
  out_end (tight 5) = arrival (tight 5) + 1 * 7.
Proof.
  intros stop. split; [|split; [|reflexivity]]; constructor.
  - intros i Hi. each i; repeat split; cbn; try lia; try (apply Z.divide_1_l); repeat constructor; cbn; lia.
  - intros i j Hij. each j; each i; cbn; lia.
  - intros i j Hi Hj Hne Ho. each i; each j; cbn in *; try lia.
  - intros i j Hij Hs. unfold same_stream in Hs. each j; each i; cbn in *; lia.
  - intros t r m _ Hr. cbn in Hr. assert (r = 0%nat) as -> by lia. rewrite used_tight. cbn. destruct (_ && _); lia.
  - intros i o t Hi _ Hr Ht. exfalso. destruct o; cbn [copy_ready copy_start] in *.
    + destruct Hr as [Hr _]. each i; cbn in *; lia.
    + each i; apply Forall_inv in Hr; cbn in *; lia.
  - intros i o j o' t _ Hj _ _ Hc _. exfalso. each j; destruct o'; cbn in Hc; lia.
  - intros i b t Hi _ Hw. pose proof (waits_in_time i b t Hi Hw). exists i, b. split; [assumption|]. split; [assumption|]. now apply full_then.
  - intros H. discriminate H.
  - intros i j b b' Hi Hj Hlt Hb Hb' _ Hin. each i; each j; destruct Hb as [<-|[]], Hb' as [<-|[]]; cbn in *; lia.
  - intros i j b b' Hi Hj Heq Hlt Hb Hb' _. each i; each j; destruct Hb as [<-|[]], Hb' as [<-|[]]; cbn in *; lia.
  - intros i b t Hi _ Hw. pose proof (waits_in_time i b t Hi Hw). exists i, b. split; [assumption|]. split; [assumption|].
    split; [lia|]. now apply full_then.
Qed.
