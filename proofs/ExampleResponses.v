(** Certificates of response bounds: two that hold, some that are refused, and a run in which a launch takes just as long as its bound. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches.
From Warpspan.Checker Require Import ResponseInput.
Local Open Scope Z_scope.

(** Two kernels with copies on two multiprocessors; docs/response-times.md computes their bounds by hand. *)
Definition copying : system := System 2 [2048; 65536; 65536; 32] false [
  Kernel (Some 33000000) 0 5000000 8 [512; 0; 0; 1] 0 1000000 500000;
  Kernel (Some 200000000) 0 7000000 16 [512; 0; 0; 1] 1 2000000 500000 ].

Theorem of_copying : forall k, response copying k (nth k [27375000; 35625000] 0).
Proof. apply responses_sound. vm_cast_no_check (eq_refl true). Qed.

Goal responses_checked copying [27374999; 35625000] = false.
Proof. vm_compute. reflexivity. Qed.
Goal responses_checked copying [27375000; 35624999] = false.
Proof. vm_compute. reflexivity. Qed.
Goal responses_checked copying [27375000] = false.
Proof. vm_compute. reflexivity. Qed.

(** One kernel whose launches have two blocks of time 3 each, of which a multiprocessor holds one. *)
Definition small : system := System 1 [1] true [Kernel (Some 10) 2 3 2 [1] 0 0 0].

Theorem of_small : response small 0 8.
Proof. apply (responses_sound small [8]). vm_cast_no_check (eq_refl true). Qed.

Goal responses_checked small [7] = false.
Proof. vm_compute. reflexivity. Qed.

(** A run of it: it arrives at 0, is released at 2, and its blocks follow one another. So runs exist, and the bound is attained. *)
Definition alone (i : nat) : launch := Launch 0 0 2 2 2 [Block 2 5 0; Block 5 8 0] 8 8.

Theorem attained : forall stop, run small 1 alone 1 stop /\ out_end (alone 0) = arrival (alone 0) + 1 * 8.
Proof.
  intros stop. split; [|reflexivity].
  assert (forall r m t, used small 1 alone r m t =
    (if (0 =? m)%nat && ((2 <=? t) && (t <? 5)) then nth r [1] 0 else 0) +
    ((if (0 =? m)%nat && ((5 <=? t) && (t <? 8)) then nth r [1] 0 else 0) + 0) + 0) as Hused by reflexivity.
  constructor.
  - intros i _. repeat split; cbn; try lia.
    + exists 2. reflexivity.
    + repeat constructor; cbn; lia.
  - intros; cbn; lia.
  - intros; lia.
  - intros; lia.
  - intros t r m _ Hr. cbn in Hr. rewrite Hused. assert (r = 0%nat) as -> by lia. cbn [nth room small].
    destruct (0 =? m)%nat; cbn [andb]; [|lia].
    destruct (Z.leb_spec 2 t), (Z.ltb_spec t 5), (Z.leb_spec 5 t), (Z.ltb_spec t 8); cbn [andb]; lia.
  - intros i o t _ _ Hr Ht. exfalso. destruct o; cbn in *.
    + destruct Hr as [Hr _]. cbn in Hr. lia.
    + apply Forall_inv_tail, Forall_inv in Hr. cbn in Hr. lia.
  - intros i j o o' t _ _ _ _ Hc _. destruct o'; cbn in Hc; lia.
  - intros i b t Hi _ [Hb Ht]. exists i, b. split; [assumption|]. split; [now split|]. intros m Hm Hfits. cbn in Hm.
    assert (m = 0%nat) as -> by lia. specialize (Hfits 0%nat ltac:(cbn; lia)). rewrite Hused in Hfits. cbn in Hb, Ht, Hfits.
    destruct Hb as [<-|[<-|[]]]; cbn in Ht; [lia|].
    destruct (Z.leb_spec 2 t), (Z.ltb_spec t 5), (Z.leb_spec 5 t), (Z.ltb_spec t 8); cbn in Hfits; lia.
  - intros _ i j b b' _ _ H. cbn in H. lia.
Qed.
