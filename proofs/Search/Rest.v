(** The time that a state still takes is at most its phase bound, which is made of sums and maxima over the warps. So it is
    computed in one pass over the places, for several thetas at once. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Checker Require Import Instance Upper.
From Warpspan.Search Require Import Tree Sweep Cycles.
Local Open Scope Z_scope.

(** One warp more: earnings are added, of the warps' own times the largest counts. *)
Definition add (a b : weight) : weight :=
  match a, b with Weight x1 y1 p1 q1, Weight x2 y2 p2 q2 =>
    Weight (x1 + x2) (y1 + y2) (Z.max p1 p2) (Z.max q1 q2) end.

Fixpoint add_all (a b : list weight) : list weight :=
  match a, b with x :: a, y :: b => add x y :: add_all a b | _, _ => [] end.

(** The sums of no warp, one for each theta. *)
Definition nothing : list Z -> list weight := map (fun _ => Weight 0 0 0 0).

(** Fewer than [left] cycles are left by the bound of one of the thetas; [ns] are their scales N. *)
Fixpoint below (left : Z) (ns : list Z) (a : list weight) : bool :=
  match ns, a with
  | n :: ns, Weight x y p q :: a => ((x + p <? n * left) && (y + q <? n * left)) || below left ns a
  | _, _ => false
  end.

Section Rest.
Variables (sL sC : nat).
Let sigma := units sL sC.
Definition slower : letter := if (sL <=? sC)%nat then L else C.
Let slow := slower.
Let fast := other slow.

(** At most [most] warps have two fast letters in a row. *)
Variable most : Z.

(** A theta is a fraction, as in Upper.v. *)
Definition scale (t : Z * Z) : Z := Z.of_nat sL * Z.of_nat sC * snd t.

Section Theta.
Variable t : Z * Z.
Let N := scale t.
Let worth := wt sL sC (snd t).
Let th := scaled sL sC t.
Let k := kappa slow th worth.

Fixpoint earns_both (s : string) : Z * Z :=
  match s with
  | [] => (0, 0)
  | U :: s => let (x, y) := earns_both s in
    (Z.max (earn worth L U + x) (earn worth C U + y - k L), Z.max (earn worth C U + y) (earn worth L U + x - k C))
  end.

(** What a warp with the string s adds to the sums, and its own part of its bound: with S_X = what all warps earn with the
    label X before them, a followed warp that wants X has at most
    max(S_X + own_X, S_Y + own_Y) / N cycles left, where own_X = N |s| + n c - earns X s,
    and own_Y = N |s| + n c - earns Y s - c_X - N k for its first run of length k. *)
Definition weight_of (s : string) : weight :=
  let (x, y) := earns_both s in
  let cx := Z.min (Z.of_nat (sigma fast) - 1) (most - twice sL sC s) * (th - worth fast) in
  let c A := if eqb A slow then cx else 0 in
  let own := N * zlength s + switches c s in
  let run := N * first_run s in
  match s with
  | C :: _ => Weight x y (own - x - c C - run) (own - y)
  | _ => Weight x y (own - x) (own - y - c L - run)
  end.

(** * Proof *)

Notation sum := (earned worth k None).

Lemma earns_both_spec s : earns_both s = (earns worth k None L s, earns worth k None C s).
Proof. induction s as [|U s IH]; [reflexivity|]. cbn [earns_both]. rewrite IH. reflexivity. Qed.

Lemma sum_perm X st st' : Permutation st st' -> sum X st = sum X st'.
Proof. induction 1; cbn [earned]; lia. Qed.

Lemma sum_live X st : sum X (live st) = sum X st.
Proof.
  induction st as [|s st IH]; [reflexivity|]. cbn [live flat_map]. fold (live st).
  rewrite earned_app, IH. destruct s; cbn [rest earned earns]; lia.
Qed.

Lemma sum_unlimited b X st : earned worth k b X st <= sum X st.
Proof.
  induction st as [|s st IH]; cbn [earned]; [lia|]. pose proof (earns_unlimited worth k b X s). lia.
Qed.

Hypothesis Hv : valid sL sC (snd t) th = true.

Lemma sum_pos X st : 0 <= sum X st.
Proof.
  destruct (valid_spec _ _ _ _ Hv) as (HN & Hw & Hs & Ht).
  apply earned_pos; [eapply kappa_pos; eauto|eapply kappa_le_worth; eauto].
Qed.

Lemma rest_of_warp st ms st' i : run sigma st ms st' -> (i < length st)%nat ->
  Z.of_nat (doubles fast st) <= most ->
  match weight_of (nth i st []) with
  | Weight _ _ p q =>
    nth i st [] = [] /\ finish i ms = O \/
    nth i st [] <> [] /\ N * Z.of_nat (finish i ms) <= Z.max (sum L st + p) (sum C st + q)
  end.
Proof.
  intros Hr Hi HD. destruct (valid_spec _ _ _ _ Hv) as (HN & Hw & Hs & Ht).
  set (x := nth i st []).
  set (cx := Z.min (Z.of_nat (sigma fast) - 1) (most - twice sL sC x) * (th - worth fast)).
  assert (Z.of_nat (doubles fast (others i st)) = Z.of_nat (doubles fast st) - twice sL sC x) as Hd
    by (apply (twice_others sL sC); assumption).
  assert (sigma fast <> O) as Hf
    by (intros E0; specialize (Hw fast); fold sigma in Hw; rewrite E0 in Hw; lia).
  set (c := fun A => if eqb A slow then cx else 0).
  assert (0 <= th - worth fast) as Ht0 by (unfold worth, fast, slow, slower in *; lia).
  assert (0 <= cx) as Hpos by (unfold cx; apply Z.mul_nonneg_nonneg; lia).
  assert (forall U, 0 <= c U) as Hc by (intros U; unfold c; destruct (eqb U slow); lia).
  assert (enough sigma worth k c (others i st)) as He.
  { intros X. unfold c, k, kappa. destruct (letter_cases slow X) as [->| ->].
    - rewrite eqb_refl. fold fast. unfold cx. apply Z.mul_le_mono_nonneg_r; [assumption|]. lia.
    - destruct (eqb_other slow) as [-> _]. rewrite other_other.
      apply Z.mul_nonneg_nonpos; [lia|]. unfold worth, fast, slow, slower in *. lia. }
  destruct (run_front sigma i st ms st' Hi Hr) as (ms' & Hr' & <-).
  pose proof (phase_bound_any_state sigma N worth k c HN Hw ltac:(eapply kappa_pos; eauto)
    ltac:(eapply kappa_le_worth; eauto) Hc _ _ _ _ He Hr') as H.
  assert (forall X r, earned worth k (Some r) X (others i st) <= sum X st - earns worth k None X x) as Hle.
  { intros X r. pose proof (sum_unlimited (Some r) X (others i st)) as H1.
    pose proof (earned_others worth k None X st i Hi). unfold x. lia. }
  unfold front in *. fold x in H, Hr' |- *. unfold weight_of. rewrite earns_both_spec.
  fold fast. fold sigma. fold cx. assert (0 < N) as HN0 by exact HN.
  destruct x as [|X x'] eqn:Ex; [left; split; [reflexivity|]; cbn [waits length] in H; clearbody N; nia|].
  assert (N * Z.of_nat (finish 0 ms') <= Z.max
     (N * zlength (X :: x') + switches c (X :: x') - earns worth k None X (X :: x') + sum X st)
     (N * zlength (X :: x') + switches c (X :: x') - earns worth k None (other X) (X :: x') - c X
        - N * first_run (X :: x') + sum (other X) st)) as Hmain.
  { rewrite zlength_spec. unfold waits in H. destruct (changes (X :: x')) as [|r].
    - pose proof (Hle X O). lia.
    - pose proof (Hle X (S r)). pose proof (Hle (other X) r). lia. }
  fold c. destruct X; cbn [other] in Hmain; right; (split; [discriminate|]);
    [change (if eqb L slow then cx else 0) with (c L)|change (if eqb C slow then cx else 0) with (c C)]; lia.
Qed.
End Theta.

Variable ts : list (Z * Z).
Hypothesis all_valid : forall t, In t ts -> valid sL sC (snd t) (scaled sL sC t) = true.

(** The place has the weights of its string. *)
Definition weighed (p : place) : Prop := weights p = map (fun t => weight_of t (letters p)) ts.

Definition add_place (p : place) (a : list weight) : list weight := add_all (weights p) a.
Notation gather := (gather add_place).

Definition gather1 (t : Z * Z) (l : list place) (a : weight) : weight :=
  fold_left (fun a p => add (weight_of t (letters p)) a) l a.

Lemma gather_map l : Forall weighed l -> forall f,
  gather l (map f ts) = map (fun t => gather1 t l (f t)) ts.
Proof.
  unfold Sweep.gather, add_place, gather1. induction 1 as [|p l Hp Hl IH]; intros f; [reflexivity|]. cbn [fold_left].
  rewrite <- (IH (fun t => add (weight_of t (letters p)) (f t))). f_equal. rewrite Hp.
  generalize ts as us. induction us as [|u us IHu]; [reflexivity|]. cbn [map add_all]. now rewrite IHu.
Qed.

Notation sum_of t := (earned (wt sL sC (snd t)) (kappa slow (scaled sL sC t) (wt sL sC (snd t))) None).

Lemma gather1_spec t l : forall x y p q, exists p' q',
  gather1 t l (Weight x y p q) =
    Weight (x + sum_of t L (map letters l)) (y + sum_of t C (map letters l)) p' q' /\
  p <= p' /\ q <= q' /\
  forall pl, In pl l -> match weight_of t (letters pl) with Weight _ _ p2 q2 => p2 <= p' /\ q2 <= q' end.
Proof.
  unfold gather1. induction l as [|pl l IH]; intros x y p q.
  - exists p, q. cbn. rewrite !Z.add_0_r. repeat split; lia || tauto.
  - cbn [fold_left map earned].
    assert (exists p2 q2, weight_of t (letters pl) =
      Weight (earns (wt sL sC (snd t)) (kappa slow (scaled sL sC t) (wt sL sC (snd t))) None L (letters pl))
             (earns (wt sL sC (snd t)) (kappa slow (scaled sL sC t) (wt sL sC (snd t))) None C (letters pl)) p2 q2)
      as (p2 & q2 & E).
    { unfold weight_of. rewrite earns_both_spec. destruct (letters pl) as [|[] s]; eexists; eexists; reflexivity. }
    rewrite E. cbn [add].
    match goal with |- context [fold_left _ l (Weight ?x ?y ?p ?q)] =>
      destruct (IH x y p q) as (p' & q' & H1 & H2 & H3 & H4) end.
    exists p', q'. rewrite H1. split; [f_equal; lia|]. split; [lia|]. split; [lia|].
    intros pl' [<-|Hin]; [rewrite E; lia|exact (H4 pl' Hin)].
Qed.

Lemma below_spec left f : forall us, below left (map scale us) (map f us) = true ->
  exists t, In t us /\ match f t with Weight x y p q => x + p < scale t * left /\ y + q < scale t * left end.
Proof.
  induction us as [|t us IH]; cbn [map below]; [discriminate|].
  destruct (f t) as [x y p q] eqn:E. rewrite orb_true_iff, andb_true_iff, !Z.ltb_lt. intros [H|H].
  - exists t. rewrite E. cbn. auto.
  - destruct (IH H) as (t' & Hin & Ht). exists t'. cbn. auto.
Qed.

(** If the sums over the warps of a state are below, every schedule from it takes fewer than [left] cycles. *)
Lemma below_sound left l st ms st' : Forall weighed l ->
  below left (map scale ts) (gather l (nothing (map scale ts))) = true ->
  Permutation (live st) (map letters l) -> Z.of_nat (doubles fast st) <= most ->
  run sigma st ms st' -> Z.of_nat (makespan ms) < left.
Proof.
  intros Hl Hb Hp HD Hr. unfold nothing in Hb. rewrite map_map, gather_map in Hb by assumption.
  apply below_spec in Hb. destruct Hb as (t & Hin & Hb). pose proof (all_valid t Hin) as Hv.
  destruct (gather1_spec t l 0 0 0 0) as (p & q & E & Hp0 & Hq0 & Hall). rewrite E in Hb.
  destruct (valid_spec _ _ _ _ Hv) as (HN & _).
  assert (forall X, sum_of t X (map letters l) = sum_of t X st) as HR.
  { intros X. rewrite <- (sum_live t X st). symmetry. now apply sum_perm. }
  rewrite !HR in Hb. pose proof (sum_pos t Hv L st). assert (0 < scale t) as HN' by exact HN.
  assert (0 < left) by nia. enough (makespan ms <= Z.to_nat (left - 1))%nat by lia.
  apply (makespan_le sigma _ _ _ _ Hr). intros i Hi.
  pose proof (rest_of_warp t Hv st ms st' i Hr Hi HD) as H1.
  destruct (nth i st []) as [|X x] eqn:Ei.
  - destruct (weight_of t []). destruct H1 as [[_ ->]|[H1 _]]; [lia|congruence].
  - assert (In (X :: x) (map letters l)) as Hx.
    { apply (Permutation_in _ Hp). unfold live. apply in_flat_map. exists (X :: x). split; [|now left].
      rewrite <- Ei. apply nth_In. assumption. }
    apply in_map_iff in Hx. destruct Hx as (pl & Epl & Hpl). specialize (Hall pl Hpl). rewrite Epl in Hall.
    destruct (weight_of t (X :: x)) as [? ? p2 q2]. destruct H1 as [[E0 _]|[_ H1]]; [discriminate|].
    assert (scale t * Z.of_nat (finish i ms) < scale t * left) by lia. nia.
Qed.

(** * The places of a kernel *)

Definition place_of (s : string) : place :=
  Place s (hd L s) (match s with [_] => true | _ => false end) (map (fun t => weight_of t s) ts).

Fixpoint places (s : string) : list place :=
  match s with [] => [] | _ :: s' => place_of s :: places s' end.

Lemma places_table s ps : table ps -> table (places s ++ ps).
Proof.
  intros Hq. induction s as [|X s IH]; [exact Hq|]. cbn [places app].
  destruct s as [|Y s]; [now constructor|]. cbn [places app] in *. apply table_more; auto. discriminate.
Qed.

Lemma places_weighed s : Forall weighed (places s).
Proof. induction s; cbn [places]; constructor; auto. reflexivity. Qed.
End Rest.
