(** All makespans of a small instance, by going through every cycle that is legal in Semantics.v: a test of everything else,
    which shares nothing with the bounds and the searches. checker/against_program.py compares the program with it. *)
From Coq Require Import List Arith ZArith NArith Lia Bool.
From Coq Require String.
Import String.StringSyntax.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.
From Warpspan.Barriers Require Import BlockRuns.
From Warpspan.Checker Require Import Instance Replay.

Fixpoint every_mask (n : nat) : list cycle :=
  match n with O => [[]] | S n => flat_map (fun m => [true :: m; false :: m]) (every_mask n) end.

(** The states that one legal cycle leads to. *)
Definition after_any (sL sC : nat) (st : state) : list state :=
  map (after st) (filter (legalb sL sC st) (every_mask (length st))).

Definition same_letter (a b : letter) : {a = b} + {a <> b}.
Proof. decide equality. Defined.
Definition same_string : forall s t : string, {s = t} + {s <> t} := list_eq_dec same_letter.
Definition same_state : forall st st' : state, {st = st'} + {st <> st'} := list_eq_dec same_string.

(** The cycles after which all may have finished, from these states on, rising; each is the makespan of a schedule. *)
Fixpoint makespans (sL sC fuel : nat) (cycle : N) (sts : list state) : list N :=
  match fuel with
  | O => []
  | S fuel =>
    (if existsb all_done sts then [cycle] else []) ++
    match filter (fun st => negb (all_done st)) sts with
    | [] => []
    | sts => makespans sL sC fuel (N.succ cycle) (nodup same_state (flat_map (after_any sL sC) sts))
    end
  end.

(** The best case and the worst case, which lists of makespans begin and end with. *)
Definition best_and_worst (sL sC : nat) (gs : list group) : N * N :=
  let all := makespans sL sC (S (Z.to_nat (ztotal L gs + ztotal C gs))) 0 [expand gs] in (hd 0%N all, last all 0%N).

(** The computed rules are those of Semantics.v, no stricter and no laxer, and no cycle is left out. *)
Lemma ableb_complete st m : able st m -> ableb st m = true.
Proof.
  induction 1 as [|s st b m Hb H IH]; [reflexivity|]. cbn [ableb]. rewrite IH, andb_true_r.
  destruct b; [|reflexivity]. destruct s; [|reflexivity]. now elim (Hb eq_refl).
Qed.

Lemma legalb_complete sL sC st m : legal (units sL sC) st m -> legalb sL sC st m = true.
Proof.
  intros [Ha Hc]. unfold legalb. rewrite (ableb_complete _ _ Ha). apply forallb_forall. intros U _.
  destruct (Hc U) as [H1 H2].
  cbv zeta. apply Nat.leb_le in H1. rewrite H1. cbn [andb]. destruct (Nat.ltb_spec 0 (waiting U st m)) as [Hw|]; [|reflexivity].
  apply Nat.eqb_eq, H2. exact Hw.
Qed.

Lemma every_mask_all m : In m (every_mask (length m)).
Proof.
  induction m as [|b m IH]; [now left|]. cbn [length every_mask]. apply in_flat_map. exists m. split; [exact IH|].
  destruct b; cbn; auto.
Qed.

Lemma after_any_spec sL sC st st' :
  In st' (after_any sL sC st) <-> exists m, legal (units sL sC) st m /\ st' = after st m.
Proof.
  unfold after_any. rewrite in_map_iff. split.
  - intros (m & <- & H). apply filter_In in H. destruct H as [_ H]. exists m. split; [now apply legalb_sound|reflexivity].
  - intros (m & H & ->). exists m. split; [reflexivity|]. apply filter_In. split; [|now apply legalb_complete].
    rewrite <- (able_length st m) by apply H. apply every_mask_all.
Qed.

(** LCL, two warps, sigma 1: 4 cycles, whatever the schedule. LLCLL on 3 warps: 12 or 13. *)
Example two_short_warps : best_and_worst 1 1 [(kernel "LCL", 2%N)] = (4, 4)%N.
Proof. vm_compute. reflexivity. Qed.
Example three_warps : best_and_worst 1 1 [(kernel "LLCLL", 3%N)] = (12, 13)%N.
Proof. vm_compute. reflexivity. Qed.
