(** The critical path with barriers (docs/programs.md, section 3), where all warps of a block run one string: a block finishes
    by the length of its string and, on each unit, the letters of all other warps / sigma. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Bounds Require Import CriticalPath.
From Warpspan.Barriers Require Import BlockRuns BlockFacts OneBlock.

(** All segments of an interval are the same; the string of a block whose warps run one string. *)
Definition uniform (row : state) : Prop := Forall (fun s => s = hd [] row) row.
Definition tail_of (later : list state) : string := concat (map (hd []) later).
Definition string_of (b : block) : string := tail_of (fst b :: snd b).

(** The letters for U that all warps have left, segments to come included. *)
Definition left_in (U : letter) (b : block) : nat := total U (fst b) + sum (map (total U) (snd b)).
Definition lefts (U : letter) (bs : list block) : nat := sum (map (left_in U) bs).

Lemma total_done U st : all_done st = true -> total U st = 0.
Proof.
  induction st as [|s st IH]; [reflexivity|]. cbn [all_done forallb total]. destruct s; [|discriminate].
  exact IH.
Qed.

Lemma left_release U cur later : left_in U (release cur later) = left_in U (cur, later).
Proof.
  revert cur; induction later as [|row later IH]; intros cur; cbn [release]; [reflexivity|].
  destruct (all_done cur) eqn:E; [|reflexivity]. rewrite IH. unfold left_in. cbn [fst snd map sum].
  rewrite (total_done U cur E). lia.
Qed.

Lemma lefts_after U bs ms : fits bs ms -> able (flat bs) (concat ms) ->
  lefts U (bafter bs ms) + issued U (flat bs) (concat ms) = lefts U bs.
Proof.
  intros Hf Ha. destruct (flat_sums _ _ Hf U) as [-> _]. apply (flat_able _ _ Hf) in Ha.
  induction Ha as [|[cur later] m bs ms Hm Ha IH]; [reflexivity|]. inversion Hf; subst.
  specialize (IH ltac:(assumption)). cbn [bafter bsum fst snd] in *. unfold lefts in *. cbn [map sum].
  rewrite left_release. pose proof (total_after U cur m Hm). unfold left_in in *. cbn [fst snd] in *. lia.
Qed.

Lemma sum_front {A} (f : A -> nat) p a0 l : p < length l -> sum (map f (front p a0 l)) = sum (map f l).
Proof.
  unfold front; revert l; induction p as [|p IH]; intros [|a l] Hp; cbn [length] in *; try lia; [reflexivity|].
  specialize (IH l ltac:(lia)). cbn [nth others map sum] in *. lia.
Qed.

Lemma finish_cons ms mss : first_finish (ms :: mss) <= 1 + first_finish mss.
Proof.
  cbn [first_finish]. destruct (0 <? first_finish mss); [lia|].
  destruct ms as [|m ?]; [lia|]. destruct (existsb _ m); lia.
Qed.

Section Path.
Variable sigma : letter -> nat.
Hypothesis sigma_pos : forall U, 0 < sigma U.

(** What a legal cycle gives the warp i, which wants X. *)
Lemma seen_by st m i X x : legal sigma st m -> i < length st -> nth i st [] = X :: x ->
  (nth i m false = false -> issued X st m = sigma X /\ sigma X <= length st - 1) /\
  (nth i m false = true -> 1 <= issued X st m).
Proof.
  intros Hl Hi E. pose proof (able_length _ _ (proj1 Hl)) as Hn.
  pose proof (issued_front X i st m Hi Hn) as HI. pose proof (waiting_front X i st m Hi Hn) as HW.
  destruct Hl as [_ Hc]. specialize (Hc X). unfold front in *. rewrite E in *. cbn [issued waiting wants] in *.
  rewrite eqb_refl in *. pose proof (issued_le_length X (others i st) (others i m)) as Hle.
  rewrite others_length in Hle by assumption.
  destruct (nth i m false); cbn [andb negb] in *; split; intros; try discriminate; lia.
Qed.

(** The waits on U of a warp with the string y left among W warps with t letters U left in all. *)
Definition wait_on (U : letter) (y : string) (W t : nat) : nat :=
  if (count U y =? 0) || (W - 1 <? sigma U) then 0 else (t - count U y) / sigma U.

Definition path_from (y : string) (W : nat) (t : letter -> nat) : nat :=
  length y + wait_on L y W (t L) + wait_on C y W (t C).

Lemma path_step X y W (b : bool) (n t t' : letter -> nat) : (forall U, t' U + n U <= t U) ->
  count X (if b then y else X :: y) <= t' X ->
  (b = false -> n X = sigma X /\ sigma X <= W - 1) -> (b = true -> 1 <= n X) ->
  1 + path_from (if b then y else X :: y) W t' <= path_from (X :: y) W t.
Proof.
  intros Ht Hc H0 H1.
  assert (count X (X :: y) = S (count X y) /\ count (other X) (X :: y) = count (other X) y) as [EX EY].
  { unfold count. cbn [filter]. rewrite eqb_refl. destruct (eqb_other X) as [_ E]. 
    destruct (eqb (other X) X) eqn:F; [destruct X; discriminate|]. split; reflexivity. }
  assert (wait_on (other X) (if b then y else X :: y) W (t' (other X)) <= wait_on (other X) (X :: y) W (t (other X))) as HY.
  { specialize (Ht (other X)). unfold wait_on.
    assert (count (other X) (if b then y else X :: y) = count (other X) (X :: y)) as ->
      by (destruct b; [now rewrite EY|reflexivity]).
    destruct (_ || _); [lia|]. apply div_mono; [apply sigma_pos|lia]. }
  assert ((if b then 0 else 1) + wait_on X (if b then y else X :: y) W (t' X) <= wait_on X (X :: y) W (t X)) as HX.
  { specialize (Ht X). unfold wait_on. rewrite EX. cbn [Nat.eqb orb]. destruct b.
    - specialize (H1 eq_refl). destruct (W - 1 <? sigma X); [rewrite orb_true_r; lia|].
      rewrite orb_false_r. destruct (count X y =? 0); [lia|]. apply div_mono; [apply sigma_pos|lia].
    - destruct (H0 eq_refl) as [E1 E2]. rewrite EX in *. cbn [Nat.eqb orb].
      destruct (Nat.ltb_spec (W - 1) (sigma X)) as [|_]; [lia|].
      etransitivity; [apply (div_step _ (n X)); auto|]. apply div_mono; [apply sigma_pos|lia]. }
  unfold path_from. destruct b; cbn [length]; destruct X; cbn [other] in *; lia.
Qed.

(** The letters that warp i of the first block has left, if it takes part in each interval to come. *)
Definition own (i : nat) (b : block) : string := nth i (fst b) [] ++ tail_of (snd b).

Definition path_left (i W : nat) (bs : list block) : nat :=
  match bs with [] => 0 | b :: _ => path_from (own i b) W (fun U => lefts U bs) end.

Lemma count_app U s t : count U (s ++ t) = count U s + count U t.
Proof. unfold count. rewrite filter_app, app_length. reflexivity. Qed.

Lemma count_nth U i st : count U (nth i st []) <= total U st.
Proof. revert i; induction st as [|s st IH]; intros [|i]; cbn [nth total]; try (cbn; lia). specialize (IH i). lia. Qed.

Lemma own_le U i b bs : count U (own i b) <= lefts U (b :: bs).
Proof.
  unfold own, lefts, left_in, tail_of. cbn [map sum]. rewrite count_app. pose proof (count_nth U i (fst b)).
  enough (count U (concat (map (hd []) (snd b))) <= sum (map (total U) (snd b))) by lia.
  induction (snd b) as [|row later IH]; [cbn; lia|]. cbn [map concat sum]. rewrite count_app.
  destruct row as [|s row]; cbn [hd total]; [cbn; lia|]. lia.
Qed.

Lemma release_own j : forall later cur, all_done cur = true -> Forall uniform later ->
  nth j (fst (release cur later)) [] <> [] ->
  own j (release cur later) = tail_of later /\ Forall uniform (snd (release cur later)).
Proof.
  induction later as [|row later IH]; intros cur Hd Hu Hj.
  { elim Hj. cbn. now apply all_done_nth. }
  inversion Hu as [|? ? U1 U2]; subst. cbn [release] in *. rewrite Hd in *.
  unfold tail_of. cbn [map concat]. fold (tail_of later). destruct (all_done row) eqn:E.
  - destruct (IH row E U2 Hj) as [-> H2]. split; [|exact H2]. destruct row as [|s row]; [reflexivity|].
    destruct s; [reflexivity|discriminate].
  - assert (release row later = (row, later)) as R by (destruct later; cbn [release]; [|rewrite E]; reflexivity).
    rewrite R in *. cbn [fst snd] in *. split; [|exact U2]. unfold own. cbn [fst snd]. f_equal.
    unfold uniform in U1. rewrite Forall_forall in U1. apply U1, nth_In.
    destruct (Nat.lt_ge_cases j (length row)) as [H|H]; [assumption|]. elim Hj. now apply nth_overflow.
Qed.

(** One cycle: what warp i has left, less what it issues. *)
Lemma cycle_step cur later rest m ms i X y W : let bs := (cur, later) :: rest in
  fits bs (m :: ms) -> legal sigma (flat bs) (concat (m :: ms)) -> length (flat bs) = W ->
  i < length cur -> own i (cur, later) = X :: y -> wants X (nth i cur []) = true ->
  count X (if nth i m false then y else X :: y) <= lefts X (bafter bs (m :: ms)) ->
  1 + path_from (if nth i m false then y else X :: y) W (fun U => lefts U (bafter bs (m :: ms)))
    <= path_left i W bs.
Proof.
  intros bs Hf Hl HW Hi E Hx Hc.
  assert (length m = length cur) as Hm by now inversion Hf.
  assert (i < length (flat bs)) as Hi' by (unfold bs, flat; cbn [flat_map fst]; rewrite app_length; lia).
  destruct (nth i cur []) as [|Z x] eqn:En; [discriminate|]. cbn [wants] in Hx.
  assert (Z = X) as -> by (destruct X, Z; cbn in Hx; congruence).
  assert (nth i (flat bs) [] = X :: x) as En'.
  { unfold bs, flat. cbn [flat_map fst]. rewrite app_nth1 by assumption. exact En. }
  destruct (seen_by _ _ i X x Hl Hi' En') as [F T]. rewrite HW in F.
  assert (nth i (concat (m :: ms)) false = nth i m false) as Eb
    by (cbn [concat]; rewrite app_nth1 by lia; reflexivity).
  rewrite Eb in *. unfold path_left, bs. rewrite E. fold bs.
  apply (path_step X y W _ (fun U => issued U (flat bs) (concat (m :: ms)))); auto.
  intros U. pose proof (lefts_after U _ _ Hf (proj1 Hl)). lia.
Qed.

Lemma path_run bs mss bs' W : brun sigma bs mss bs' -> forall cur later rest, bs = (cur, later) :: rest ->
  Forall wf bs -> settled (cur, later) -> Forall uniform later -> length (flat bs) = W ->
  (all_done cur = true -> first_finish mss = 0) /\
  (all_done cur = false -> exists i, nth i cur [] <> [] /\ first_finish mss <= path_left i W bs).
Proof.
  induction 1 as [bs|bs ms mss bs' Hf Hl Hr IH]; intros cur later rest -> Hw Hs Hu HW.
  { split; [reflexivity|]. intros Hd. destruct (not_done_nth cur Hd) as (i & _ & Hx). exists i.
    split; [assumption|]. apply Nat.le_0_l. }
  inversion Hf as [|? m ? ms' Hm Hf']; subst. cbn [fst] in Hm.
  destruct (bafter_wf _ _ Hf Hw) as [Hw' Hlen'].
  assert (able cur m) as Ha.
  { destruct Hl as [Ha _]. cbn [flat flat_map fst concat] in Ha. apply able_app_iff in Ha; tauto. }
  assert (Forall uniform (snd (release (after cur m) later))) as Hu'.
  { clear - Hu. generalize (after cur m) as c. induction Hu as [|row later U1 U2 IH]; intros c; cbn [release];
      [constructor|]. destruct (all_done c); [apply IH|now constructor]. }
  pose proof (settled_release (after cur m) later) as S5.
  cbn [bafter fst snd] in *.
  specialize (IH (fst (release (after cur m) later)) (snd (release (after cur m) later))
                 (bafter rest ms') ltac:(now destruct (release (after cur m) later)) Hw' S5 Hu' Hlen').
  destruct IH as [IHd IHn]. split.
  - intros Hd. destruct (idle cur m Ha Hd) as [Hm0 Hc0]. specialize (Hs Hd). cbn in Hs. subst later.
    rewrite Hc0 in IHd. cbn in IHd. cbn [first_finish]. rewrite (IHd Hd), Hm0. reflexivity.
  - intros Hd. pose proof (finish_cons (m :: ms') mss) as Hstep.
    assert (forall i, i < length cur -> nth i cur [] <> [] ->
      count (match nth i cur [] with X :: _ => X | [] => L end)
        (if nth i m false then tl (own i (cur, later)) else own i (cur, later))
        <= lefts (match nth i cur [] with X :: _ => X | [] => L end) (bafter ((cur, later) :: rest) (m :: ms')) ->
      1 + path_from (if nth i m false then tl (own i (cur, later)) else own i (cur, later))
            (length (flat ((cur, later) :: rest)))
            (fun U => lefts U (bafter ((cur, later) :: rest) (m :: ms')))
        <= path_left i (length (flat ((cur, later) :: rest))) ((cur, later) :: rest)) as Hcyc.
    { intros i Hi Hx Hc. destruct (nth i cur []) as [|X x] eqn:En; [congruence|].
      assert (own i (cur, later) = X :: (x ++ tail_of later)) as E
        by (unfold own; cbn [fst snd]; rewrite En; reflexivity).
      rewrite E in *. cbn [tl] in *. eapply cycle_step; eauto. rewrite En. cbn. apply eqb_refl. }
    cbn [bafter fst snd] in Hcyc.
    destruct (all_done (after cur m)) eqn:E1.
    + (* the block's barrier opens, or the block ends *)
      destruct (not_done_nth cur Hd) as (i & Hi & Hx). specialize (Hcyc i Hi Hx).
      pose proof (all_done_nth i _ E1) as Ei. rewrite after_nth in Ei by assumption.
      destruct (nth i m false) eqn:Em; [|congruence].
      destruct (nth i cur []) as [|X x] eqn:En; [congruence|]. cbn [tl] in Ei. subst x.
      assert (tl (own i (cur, later)) = tail_of later) as Et
        by (unfold own; cbn [fst snd]; rewrite En; reflexivity).
      rewrite Et in Hcyc. exists i. split; [rewrite En; discriminate|].
      destruct (all_done (fst (release (after cur m) later))) eqn:E2.
      * (* it ends *)
        rewrite (IHd eq_refl) in Hstep.
        assert (1 <= path_left i (length (flat ((cur, later) :: rest))) ((cur, later) :: rest)); [|lia].
        unfold path_left, own, path_from. cbn [fst snd]. rewrite En. cbn [app length]. lia.
      * destruct (IHn eq_refl) as (j & Hj & Hp).
        destruct (release_own j later _ E1 Hu Hj) as [Eo _].
        unfold path_left in Hp. rewrite Eo in Hp.
        assert (count X (tail_of later) <= lefts X (release (after cur m) later :: bafter rest ms')) as Hc
          by (rewrite <- Eo; apply own_le).
        specialize (Hcyc Hc). lia.
    + (* it stays closed *)
      assert (release (after cur m) later = (after cur m, later)) as R
        by (destruct later; cbn [release]; [|rewrite E1]; reflexivity).
      rewrite R in *. cbn [fst snd] in *. destruct (IHn E1) as (j & Hj & Hp). exists j.
      assert (j < length cur) as Hjl.
      { destruct (Nat.lt_ge_cases j (length cur)); [assumption|]. elim Hj. apply nth_overflow.
        rewrite after_length by assumption. assumption. }
      rewrite after_nth in Hj by assumption.
      assert (nth j cur [] <> []) as Hx by (intros F; rewrite F in Hj; destruct (nth j m false); now elim Hj).
      split; [assumption|]. specialize (Hcyc j Hjl Hx).
      assert (own j (after cur m, later) = if nth j m false then tl (own j (cur, later)) else own j (cur, later)) as Eo.
      { unfold own. cbn [fst snd]. rewrite after_nth by assumption. destruct (nth j m false); [|reflexivity].
        destruct (nth j cur []); [congruence|reflexivity]. }
      unfold path_left in Hp. rewrite Eo in Hp. rewrite <- Eo in Hcyc at 1. 
      specialize (Hcyc (own_le _ _ _ _)). lia.
Qed.

(** The critical path with barriers. *)
Theorem barrier_path p bs mss bs' : p < length bs -> brun sigma bs mss bs' ->
  Forall wf bs -> Forall settled bs -> Forall (fun b => uniform (fst b) /\ Forall uniform (snd b)) bs ->
  block_finish p mss <=
    path_from (string_of (nth p bs ([], []))) (length (flat bs)) (fun U => lefts U bs).
Proof.
  intros Hp Hr Hw Hs Hu. destruct (brun_front sigma p bs mss bs' Hp Hr) as [Hr' <-].
  pose proof (Forall_front _ p ([], []) _ Hp Hw) as Hw'.
  pose proof (Forall_front _ p ([], []) _ Hp Hs) as Hs'.
  pose proof (Forall_front _ p ([], []) _ Hp Hu) as Hu'.
  pose proof (flat_front p bs Hp) as HW.
  assert (forall U, lefts U (front p ([], []) bs) = lefts U bs) as HL by (intros U; now apply sum_front).
  unfold front in *. destruct (nth p bs ([], [])) as [cur later]. inversion Hu' as [|? ? [U1 U2] _]; subst.
  cbn [fst snd] in U1, U2.
  assert (settled (cur, later)) as Hs0 by now inversion Hs'.
  destruct (path_run _ _ _ _ Hr' cur later _ eq_refl Hw' Hs0 U2 HW) as [H0 H1].
  destruct (all_done cur) eqn:E; [rewrite H0 by reflexivity; apply Nat.le_0_l|].
  destruct (H1 eq_refl) as (i & Hx & Hle). unfold path_left in Hle.
  assert (own i (cur, later) = string_of (cur, later)) as Eo.
  { unfold own, string_of, tail_of. cbn [fst snd map concat]. f_equal.
    unfold uniform in U1. rewrite Forall_forall in U1. apply U1, nth_In.
    destruct (Nat.lt_ge_cases i (length cur)) as [H|H]; [assumption|]. elim Hx. now apply nth_overflow. }
  rewrite Eo in Hle. etransitivity; [exact Hle|]. unfold path_from. now rewrite !HL.
Qed.
End Path.
