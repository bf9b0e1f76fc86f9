(** The critical path (docs/model.md): in each cycle the warp that finishes last issues, or it waits while sigma_U other
    warps issue on the unit U that it wants. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Bounds Require Import Descent.

Section CriticalPath.
Variable sigma : letter -> nat.

Lemma div_step a i s : 0 < s -> i = s -> 1 + a / s <= (a + i) / s.
Proof.
  intros Hs ->. replace (a + s) with (a + 1 * s) by lia. rewrite Nat.div_add by lia. lia.
Qed.

Lemma div_mono a b s : 0 < s -> a <= b -> a / s <= b / s.
Proof. intros. apply Nat.div_le_mono; lia. Qed.

(** Waits on U of a warp x beside the warps vs: none if it has no letter U, or U takes all warps. *)
Definition waits_on (U : letter) (x : string) (vs : state) : nat :=
  if (count U x =? 0) || (length vs <? sigma U) then 0 else total U vs / sigma U.

Lemma critical_path_head ms x vs st' :
  (forall U, 0 < sigma U) -> run sigma (x :: vs) ms st' ->
  finish 0 ms <= length x + waits_on L x vs + waits_on C x vs.
Proof.
  intros Hs Hr.
  cut (1 * Z.of_nat (finish 0 ms) <=
       Z.of_nat (length x + waits_on L x vs + waits_on C x vs))%Z; [lia|].
  apply (descent sigma 1 (fun _ => True)
    (fun x vs => Z.of_nat (length x + waits_on L x vs + waits_on C x vs))) with st';
    auto; try lia.
  clear - Hs. intros x vs b m Hx _ Hm. destruct (legal_cons _ _ _ _ _ Hm) as (Ha & Hc & Hw & _).
  pose proof (after_length vs m (able_length _ _ Ha)) as Hlen.
  destruct x as [|X x]; [congruence|].
  assert (forall U y, count U y <= count U (X :: x) ->
            waits_on U y (after vs m) <= waits_on U (X :: x) vs) as Hle.
  { intros U y Hy. unfold waits_on. rewrite Hlen.
    destruct (Nat.eqb_spec (count U y) 0) as [|H1], (Nat.eqb_spec (count U (X :: x)) 0) as [|H2];
      cbn [orb]; try lia.
    destruct (length vs <? sigma U); [lia|]. apply div_mono; [apply Hs|].
    pose proof (total_after U vs m Ha). lia. }
  destruct b; cbv beta; cbn [tl length].
  - assert (forall U, count U x <= count U (X :: x)) as Hcc
      by (intros U; unfold count; cbn [filter]; destruct (eqb U X); cbn [length]; lia).
    pose proof (Hle L x (Hcc L)). pose proof (Hle C x (Hcc C)). lia.
  - specialize (Hw X eq_refl (eqb_refl X)).
    assert (1 + waits_on X (X :: x) (after vs m) <= waits_on X (X :: x) vs).
    { unfold waits_on. rewrite Hlen.
      assert (count X (X :: x) =? 0 = false) as ->
        by (apply Nat.eqb_neq; unfold count; cbn [filter]; rewrite eqb_refl; cbn [length]; lia).
      pose proof (issued_le_length X vs m).
      assert (length vs <? sigma X = false) as -> by (apply Nat.ltb_ge; lia).
      cbn [orb]. pose proof (total_after X vs m Ha) as E. rewrite <- E. apply div_step; auto. }
    pose proof (Hle (other X) (X :: x) (Nat.le_refl _)). destruct X; cbn [other] in *; lia.
Qed.

(** Every warp w finishes by |s_w| + its waits on each unit. *)
Theorem critical_path st ms st' w :
  (forall U, 0 < sigma U) -> run sigma st ms st' -> w < length st ->
  let s := nth w st [] in let vs := others w st in
  finish w ms <= length s + waits_on L s vs + waits_on C s vs.
Proof.
  intros Hs Hr Hw. destruct (run_front sigma w st ms st' Hw Hr) as (ms' & Hr' & <-).
  apply critical_path_head with (st' := front w [] st'); assumption.
Qed.

Lemma waits_on_le U x vs : waits_on U x vs <= total U vs / sigma U.
Proof. unfold waits_on. destruct (_ || _); lia. Qed.

(** One kernel: T(W) <= I + floor((W-1) I_L / sigma_L) + floor((W-1) I_C / sigma_C). *)
Theorem critical_path_one s W ms st' :
  (forall U, 0 < sigma U) -> run sigma (repeat s W) ms st' ->
  makespan ms <= length s + (W - 1) * count L s / sigma L + (W - 1) * count C s / sigma C.
Proof.
  intros Hs Hr. apply makespan_le with sigma (repeat s W) st'; [assumption|].
  intros w Hw. rewrite repeat_length in Hw.
  pose proof (critical_path _ _ _ w Hs Hr) as H. rewrite repeat_length in H. specialize (H Hw).
  cbv zeta in H. rewrite others_repeat, nth_repeat_lt in H by assumption.
  pose proof (waits_on_le L s (repeat s (W - 1))) as HL. rewrite total_repeat in HL.
  pose proof (waits_on_le C s (repeat s (W - 1))) as HC. rewrite total_repeat in HC. lia.
Qed.
End CriticalPath.
