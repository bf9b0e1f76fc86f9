(** A search that Coq's kernel can run: it goes through every state that a schedule can reach, but for those from which the
    phase bound shows that no schedule ends after T. If none is left, T is a bound on the makespan. *)
From Coq Require Import List Arith ZArith NArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Progress.
From Warpspan.Phase Require Import Earnings.
From Warpspan.Checker Require Import Instance Upper.
From Warpspan.Search Require Import Tree Sweep Cycles Rest.
Local Open Scope Z_scope.

Section Search.
Variables (sL sC : nat).
Variable ps : list place.
Variable scales : list Z.
Variable T : Z.

(** What follows from one state: nothing, if the bound shows that T is kept. *)
Definition expand_state (v : N) (rev_cs : list nat) (a : list weight) (ms : list tree) : list tree :=
  if below (T + 2 - Z.of_N v) scales a then ms
  else
    let cs := rev_append rev_cs [] in
    let rL := ready L cs ps in let rC := ready C cs ps in
    let iL := min rL sL in let iC := min rC sC in
    change (pred (iL + iC)) (walk cs ps O iL (rL - iL) iC (rC - iC) (N.succ v)) ms.

End Search.

(** All warps at the first place of their kernel. *)
Definition starts (g : group) : list nat :=
  match fst g with [] => [] | _ :: s => N.to_nat (snd g) :: map (fun _ => O) s end.

Definition all_letters (gs : list group) : nat := fold_right (fun g n => (length (fst g) * N.to_nat (snd g) + n)%nat) O gs.

Definition search_check (sL sC : nat) (gs : list group) (thetas : list (Z * Z)) (T : Z) : bool :=
  let ts := filter (fun t => valid sL sC (snd t) (scaled sL sC t)) thetas in
  let ps := flat_map (fun g => places sL sC (zdoubles sL sC gs) ts (fst g)) gs in
  let scales := map (scale sL sC) ts in
  levels add_place (expand_state sL sC ps scales T) ps (nothing scales) (2 + all_letters gs) [single 1 (flat_map starts gs)].

(** * Proof *)
Section Sound.
Variables (sL sC : nat).
Let sigma := units sL sC.
Let fast := other (slower sL sC).
Variable most : Z.
Variable ts : list (Z * Z).
Hypothesis all_valid : forall t, In t ts -> valid sL sC (snd t) (scaled sL sC t) = true.
Variable ps : list place.
Hypothesis Hps : table ps.
Hypothesis Hw : Forall (weighed sL sC most ts) ps.
Variable T : Z.
Let scales := map (scale sL sC) ts.

(** If cycle v is the next one, every schedule ends by T. *)
Definition in_time (cs : list nat) (v : N) : Prop := forall st ms st', counted ps st cs ->
  Z.of_nat (doubles fast st) <= most -> run sigma st ms st' -> Z.of_nat (makespan ms) + Z.of_N v <= T + 1.

Lemma in_time_earlier cs v v' : (v <= v')%N -> in_time cs v' -> in_time cs v.
Proof. intros H Hs st ms st' H1 H2 H3. specialize (Hs st ms st' H1 H2 H3). lia. Qed.

Lemma warps_at_weighed qs : Forall (weighed sL sC most ts) qs ->
  forall cs, Forall (weighed sL sC most ts) (warps_at cs qs).
Proof.
  induction 1 as [|p qs Hp H IH]; intros [|n cs]; cbn [warps_at]; try constructor.
  apply Forall_app. split; [|apply IH]. clear - Hp. induction n; constructor; auto.
Qed.

(** If the trees are good after a state has been expanded, the state is in time. *)
Lemma expand_good v rev_cs ms :
  let cs := rev_append rev_cs [] in
  length cs = length ps ->
  good ps in_time (expand_state sL sC ps scales T v rev_cs (gather add_place (warps_at cs ps) (nothing scales)) ms) ->
  good ps in_time ms /\ in_time cs v.
Proof.
  intros cs Hlen. unfold expand_state. fold cs.
  destruct (below _ _ _) eqn:Hb.
  - intros Hg. split; [assumption|]. intros st run_ms st' [_ Hp] HD Hr.
    pose proof (below_sound sL sC most ts all_valid _ _ _ _ _ (warps_at_weighed _ Hw cs) Hb Hp HD Hr). lia.
  - cbv zeta. match goal with |- good _ _ (change ?i ?f ms) -> _ => set (n := i); set (g := f) end.
    intros Hg.
    assert (forall m, within m (g m)) as Hin by (intros m; apply walk_within).
    split; [revert Hg; apply (good_within ps in_time in_time_earlier); now apply change_within|].
    assert (forall st m, counted ps st cs -> Z.of_nat (doubles fast st) <= most -> legal sigma st m ->
      forall ms st', run sigma (after st m) ms st' -> Z.of_nat (makespan ms) + Z.of_N (N.succ v) <= T + 1) as Hnext.
    { intros st m Hrel HD Hm run_ms st' Hr.
      destruct (every_cycle sL sC ps st cs m Hps Hrel Hm) as (cs' & Hs & Hrel').
      pose proof (change_find g (N.succ v) cs' ltac:(intros; now apply walk_find) n ms) as Hf.
      specialize (Hg n cs' (proj1 Hrel') ltac:(lia)).
      apply (in_time_earlier _ _ _ Hf Hg (after st m) run_ms st'); auto.
      pose proof (doubles_after fast st m). lia. }
    intros st run_ms st' Hrel HD Hr. destruct Hr as [st|st m run_ms st' Hm Hr].
    + pose proof (Hnext st _ Hrel HD (greedy_legal sigma st) [] _ (run_nil _ _)) as H.
      change (makespan []) with O in *. lia.
    + specialize (Hnext st m Hrel HD Hm run_ms st' Hr). unfold makespan in *. cbn [last_cycle].
      destruct (Nat.ltb_spec 0 (last_cycle (existsb (fun b => b)) run_ms)); [lia|].
      destruct (existsb _ m); lia.
Qed.

End Sound.

(** * The start *)

Lemma starts_length sL sC most ts gs :
  length (flat_map starts gs) = length (flat_map (fun g => places sL sC most ts (fst g)) gs).
Proof.
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [flat_map]. rewrite !app_length, IH. f_equal. clear.
  unfold starts. cbn [fst snd]. destruct s as [|X s]; [reflexivity|]. cbn [length places]. f_equal.
  induction s; cbn [map places length]; congruence.
Qed.

Lemma start_counted sL sC most ts gs :
  counted (flat_map (fun g => places sL sC most ts (fst g)) gs) (expand gs) (flat_map starts gs).
Proof.
  split; [apply starts_length|].
  induction gs as [|[s n] gs IH]; [reflexivity|]. cbn [flat_map expand fst snd].
  pose proof (starts_length sL sC most ts [(s, n)]) as Hl. cbn [flat_map] in Hl. rewrite !app_nil_r in Hl.
  rewrite warps_at_app, map_app by exact Hl. unfold live. rewrite flat_map_app. apply Permutation_app; [|exact IH].
  clear. unfold starts. cbn [fst snd]. destruct s as [|X s].
  - cbn [warps_at map]. rewrite flat_map_rest_nil. constructor.
  - rewrite flat_map_rest by discriminate. cbn [places warps_at]. rewrite map_app, map_letters_repeat.
    assert (forall qs, warps_at (map (fun _ => O) s) qs = []) as ->.
    { induction s as [|Y s IH]; intros [|q qs]; auto. apply IH. }
    rewrite app_nil_r. reflexivity.
Qed.

(** If the search ends with no state left, no schedule takes more than T cycles. *)
Theorem search_sound sL sC gs thetas T : search_check sL sC gs thetas T = true -> bounded sL sC gs T.
Proof.
  unfold search_check. cbv zeta. set (ts := filter _ thetas). set (most := zdoubles sL sC gs).
  set (ps := flat_map (fun g => places sL sC most ts (fst g)) gs). intros H ms st' Hr.
  assert (table ps) as Hps.
  { subst ps. clear. generalize most. intros most0. induction gs; [constructor|]. now apply places_table. }
  assert (Forall (weighed sL sC most ts) ps) as Hw.
  { subst ps. clear. generalize most. intros most0. induction gs; [constructor|].
    apply Forall_app. split; [apply places_weighed|assumption]. }
  assert (forall t, In t ts -> valid sL sC (snd t) (scaled sL sC t) = true) as Hv
    by (intros t Ht; apply filter_In in Ht; apply Ht).
  pose proof (levels_good _ _ ps _ _
    (expand_good sL sC most ts Hv ps Hps Hw T) _ _ H) as Hg.
  set (cs := flat_map starts gs) in *. pose proof (single_find 1 cs) as Hf.
  pose proof (start_counted sL sC most ts gs) as Hrel. fold cs ps in Hrel.
  specialize (Hg O cs (proj1 Hrel)). cbn [nth] in Hg. specialize (Hg ltac:(lia) _ ms st' Hrel).
  assert (Z.of_nat (doubles (other (slower sL sC)) (expand gs)) <= most) as Hm
    by (unfold most; rewrite (doubles_expand sL sC 0); apply Z.le_refl).
  specialize (Hg Hm Hr). lia.
Qed.
