(** Theorem L, sixth part: from letters to units. If all letters have occupancy 1, a schedule is also one of the machine in
    which every unit has a single kind of letter, whose latency may be anything up to the longest of the unit's letters. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import Setting.

Section UnitLetters.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

(** For each unit a latency that none of its letters in these warps exceeds. *)
Variable longest_of : nat -> nat.

(** A letter to which Theorem L applies. *)
Definition short (x : nat) : Prop := occ x = 1 /\ 1 <= lo x /\ hi x <= longest_of (unit x).

Definition all_short (st : list warp) : Prop := Forall (fun v => Forall short (code v)) st.

(** The warp with units for letters. *)
Definition as_units (v : warp) : warp := Warp (sched v) (map unit (code v)) (lat v) (held v).

Definition least (_ : nat) : nat := 1.
Definition most (u : nat) : nat := Nat.max 1 (longest_of u).

Lemma as_units_fresh g s : as_units (fresh g s) = fresh g (map unit s).
Proof. reflexivity. Qed.

Lemma wants_units u v : MachineRuns.wants itself u (as_units v) = MachineRuns.wants unit u v.
Proof. unfold MachineRuns.wants, as_units. cbn [lat code]. now destruct (code v). Qed.

Lemma step_units v a : Forall short (code v) ->
  as_units (step unit occ v a) = step itself Setting.occ (as_units v) a /\ Forall short (code (step unit occ v a)).
Proof.
  intros H. unfold step, as_units. cbn [sched code lat held]. destruct a as [l|], (code v) as [|x s]; cbn [map code]; auto.
  inversion H as [|? ? [Hx _] Hs]; subst. rewrite Hx. auto.
Qed.

Lemma total_units f f' st m : (forall v a, f' (as_units v) a = f v a) -> total f' (map as_units st) m = total f st m.
Proof.
  intros E. revert m; induction st as [|v st IH]; intros [|a m]; cbn [map total]; auto.
Qed.

Lemma run_units st ms st' : all_short st -> run unit inst occ lo hi shared width st ms st' ->
  run itself inst Setting.occ least most shared width (map as_units st) ms (map as_units st').
Proof.
  intros Hs H; revert Hs; induction H as [st|st m ms st' Hm H IH]; intros Hs; [constructor|].
  assert (map as_units (next unit occ st m) = next itself Setting.occ (map as_units st) m /\
    all_short (next unit occ st m)) as [En Hn].
  { clear - Hs. revert m; induction Hs as [|v st Hv Hs IH]; intros [|a m]; cbn [map next]; try (split; constructor; fail).
    destruct (IH m) as [-> Hn]. destruct (step_units v a Hv) as [-> Hv']. split; [reflexivity|now constructor]. }
  specialize (IH Hn). rewrite En in IH. econstructor; [|exact IH].
  destruct Hm as (Ha & Hb & Hd & Hw).
  assert (forall g u, total (busy itself shared g u) (map as_units st) m = total (busy unit shared g u) st m) as Eb.
  { intros g u. apply total_units. intros v a. unfold busy. now rewrite wants_units. }
  assert (forall g, total (slot g) (map as_units st) m = total (slot g) st m) as Es.
  { intros g. apply total_units. reflexivity. }
  split; [|split; [|split]].
  - clear - Ha Hs. induction Ha as [|v a st m Ha H IH]; [constructor|]. inversion Hs as [|? ? Hv Hs']; subst.
    constructor; [|auto]. destruct a as [l|]; [|exact I]. destruct Ha as [Hl Hr]. split; [exact Hl|].
    cbn [as_units code]. destruct (code v) as [|x s]; [exact Hr|]. inversion Hv as [|? ? (_ & H1 & H2) _]; subst.
    cbn [map]. unfold least, most. lia.
  - intros g u. rewrite Eb. apply Hb.
  - intros g. rewrite Es. apply Hd.
  - intros g u. rewrite Eb, Es, (total_units (blocked unit g u)); [apply Hw|].
    intros v a. unfold blocked. now rewrite wants_units.
Qed.

(** I + Lambda if every letter has the longest latency of its unit. *)
Lemma Lambda_units s : Lambda Setting.occ most (map unit s) = Lambda Setting.occ (fun x => longest_of (unit x)) s.
Proof.
  induction s as [|x [|y s] IH]; [reflexivity..|].
  change (map unit (x :: y :: s)) with (unit x :: unit y :: map unit s).
  change (Lambda Setting.occ most (unit x :: unit y :: map unit s)) with
    (span Setting.occ most (unit x) - 1 + Lambda Setting.occ most (map unit (y :: s))).
  rewrite IH. unfold span, most, Setting.occ. cbn [Lambda]. unfold span. lia.
Qed.
End UnitLetters.
