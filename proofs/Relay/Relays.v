(** A relay over the slots of one multiprocessor that ends with the block in which the last issue is made. *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves.
Local Open Scope Z_scope.

Section Relays.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.
Variables (room warps : nat) (P : string -> Prop) (ends begins : letter -> bool) (d : Z).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X s, P (X :: s) -> ends X = true \/ count (other X) s <> 0%nat.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (room * warps - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.
Hypothesis k_sum : forall X, ends X = false -> worth X + worth (other X) <= kappa X + kappa (other X) + N.
Hypothesis d_pos : 0 <= d.
Hypothesis d_enough : forall X, ends X = true -> begins (other X) = true ->
  head sigma kappa X + worth X - kappa (other X) <= N + d.

Notation warp i p slots := (nth i (fst (nth p slots (([], []) : block))) []).
Notation rest p slots := (snd (nth p slots (([], []) : block))).
Notation enough := (enough sigma worth kappa c).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation earned_others := (earned_others worth kappa None).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation rrun := (rrun sigma).
Notation held := (held sigma N worth kappa c).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation total := (total worth kappa).
Notation val_le_A := (val_le_A worth kappa).
Notation val_pos := (val_pos worth kappa kappa_pos kappa_le).
Notation inv := (inv room warps P begins).
Notation fee := (fee N worth kappa c ends).
Notation inv_next := (inv_next room warps P begins P_tl).
Notation inv_room := (inv_room room warps P begins).
Notation pot := (pot sigma N worth kappa c).
Notation stay := (stay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins P_ends c_enough).
Notation relay := (relay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).

(** * The relay

    If t cycles pass, either warp i of slot p may be followed all the way; or the block b that starts later
    may be followed from any slot p, over the blocks F_p that start in that slot before b does. *)
(** Nothing is left half-way if there is but one slot. *)
Definition left_cost : Z := if (room =? 1)%nat then 0 else d.

Definition fees (bs : list block) : Z := sumZ (map fee bs).

Definition outcome (slots pending : list block) (t : nat) : Prop :=
  t = 0%nat \/
  (exists p i, warp i p slots <> [] /\ N * Z.of_nat t <= pot slots pending p i) \/
  (exists b F G, Permutation pending (b :: concat F ++ G) /\ length F = room /\
     forall p, (p < room)%nat -> exists i, warp i p slots <> [] /\
       N * Z.of_nat t <= pot slots pending p i + fees (nth p F []) + fee b + left_cost).

Lemma total_ge U slots pending p : (p < length slots)%nat ->
  val U (nth p slots ([], [])) <= total slots pending U.
Proof.
  intros Hp. unfold total.
  assert (0 <= sumZ (map A pending)).
  { induction pending as [|b l IH]; cbn [map sumZ]; [lia|]. pose proof (val_pos U b). pose proof (val_le_A U b). lia. }
  enough (val U (nth p slots ([], [])) <= sumZ (map (val U) slots)) by lia.
  revert p Hp; induction slots as [|b slots IH]; intros [|p] Hp; cbn [length nth map sumZ] in *; try lia.
  - enough (0 <= sumZ (map (val U) slots)) by lia. clear - kappa_pos kappa_le. induction slots as [|b slots IH]; cbn [map sumZ]; [lia|].
    pose proof (val_pos U b). lia.
  - specialize (IH p ltac:(lia)). pose proof (val_pos U b). lia.
Qed.

Lemma pot_one slots pending p i : warp i p slots <> [] -> N <= pot slots pending p i.
Proof.
  intros Hx. pose proof (slot_lt i p slots Hx) as Hp. unfold pot, held.
  pose proof (nth_some_lt _ _ Hx) as Hi.
  pose proof (fun U => total_ge U slots pending p Hp) as HT. unfold val in HT.
  pose proof (fun U => earned_others U _ i Hi) as HF.
  destruct (warp i p slots) as [|X x] eqn:E; [congruence|]. specialize (HT X). specialize (HF X).
  pose proof (earned_pos X (others i (fst (nth p slots ([], []))))).
  pose proof (future_pos (rest p slots)). pose proof (chain_pos (X :: x) (rest p slots)).
  cbn [length] in *. nia.
Qed.

Lemma some_issue slots ms : fits slots ms -> legal sigma (flat slots) (concat ms) ->
  existsb (fun b => b) (concat ms) = true -> exists p i, warp i p slots <> [].
Proof.
  intros Hf [Ha _] He. destruct (all_done (flat slots)) eqn:E.
  - destruct (idle _ _ Ha E) as [H _]. congruence.
  - clear - E. induction slots as [|b slots IH]; [discriminate|]. cbn [flat flat_map] in E. fold (flat slots) in E.
    destruct (all_done (fst b)) eqn:Eb.
    + unfold all_done in *. rewrite forallb_app, Eb in E. destruct (IH E) as (p & i & H). now exists (S p), i.
    + destruct (not_done_nth _ Eb) as (i & _ & H). now exists O, i.
Qed.

Fixpoint add_starts (os : list (option block)) (F : list (list block)) : list (list block) :=
  match os, F with o :: os, l :: F => (listed o ++ l) :: add_starts os F | _, _ => [] end.

Lemma add_starts_spec os : forall F, length os = length F ->
  length (add_starts os F) = length F /\
  (forall p, nth p (add_starts os F) [] = listed (nth p os None) ++ nth p F []) /\
  Permutation (flat_map listed os ++ concat F) (concat (add_starts os F)).
Proof.
  induction os as [|o os IH]; intros [|l F] Hl; cbn [length] in *; try lia.
  - repeat split; [|reflexivity]. intros [|p]; reflexivity.
  - destruct (IH F ltac:(lia)) as (I1 & I2 & I3). cbn [add_starts length flat_map concat]. repeat split.
    + lia.
    + intros [|p]; [reflexivity|]. apply I2.
    + rewrite <- I3, <- !app_assoc. apply Permutation_app_head.
      rewrite !app_assoc. apply Permutation_app_tail, Permutation_app_comm.
Qed.

Lemma fees_app l l' : fees (l ++ l') = fees l + fees l'.
Proof. unfold fees. now rewrite map_app, sumZ_app. Qed.

Lemma nth_repeat_nil {X} n p : nth p (repeat ([] : list X) n) [] = [].
Proof. revert p; induction n as [|n IH]; intros [|p]; cbn; auto. Qed.

Lemma concat_repeat_nil {X} n : concat (repeat ([] : list X) n) = [].
Proof. induction n; cbn; auto. Qed.

Lemma relay_run slots pending mss : rrun True slots pending mss -> inv slots pending ->
  (pending <> [] -> Forall busy slots) -> outcome slots pending (span mss).
Proof.
  induction 1 as [slots pending|slots pending ms os pending' mss (Hf & Hl & Hs & Hp) Hprompt Hr IH]; intros Hi Hb.
  { left. reflexivity. }
  pose proof (inv_next _ _ _ _ _ Hi Hf Hs Hp) as Hi'.
  specialize (IH Hi' (Hprompt I)).
  assert (span ((ms, os) :: mss) = if (0 <? span mss)%nat then S (span mss) else
    if existsb (fun b => b) (concat ms) then 1%nat else 0%nat) as -> by reflexivity.
  destruct (0 <? span mss)%nat eqn:Et.
  2:{ destruct (existsb (fun b => b) (concat ms)) eqn:E; [|now left]. right; left.
      destruct (some_issue slots ms Hf Hl E) as (p & i & Hx). exists p, i. split; [assumption|].
      pose proof (pot_one slots pending p i Hx). lia. }
  apply Nat.ltb_lt in Et.
  pose proof (Hos slots ms os Hf Hs) as Hlen. pose proof (inv_room _ _ Hi) as Hroom.
  assert (length (next slots ms os) = length slots) as Hln
    by (rewrite Hroom; apply (inv_room _ _ Hi')).
  destruct IH as [IH|[(p & i & Hx & Ht)|(b & F & G & HF & HlF & Ht)]]; [lia| |].
  - (* no further change *)
    pose proof (slot_lt i p _ Hx) as Hlt. rewrite Hln in Hlt.
    destruct (nth p os None) as [b|] eqn:Eo.
    + (* but b starts now *)
      assert (In b (flat_map listed os)) as Hin.
      { apply in_flat_map. exists (Some b). split; [|now left]. rewrite <- Eo. apply nth_In. lia. }
      right; right. exists b, (repeat [] room). apply in_split in Hin. destruct Hin as (l1 & l2 & El).
      exists (l1 ++ l2 ++ pending'). rewrite concat_repeat_nil, repeat_length. cbn [app]. split; [|split; [reflexivity|]].
      { rewrite Hp, El, <- app_assoc. cbn [app]. symmetry. apply Permutation_middle. }
      intros q Hq. rewrite nth_repeat_nil.
      assert (busy (nth q slots ([], []))) as Hbq.
      { assert (pending <> []) as Hne.
        { intros ->. apply Permutation_nil in Hp. rewrite El in Hp. now destruct l1. }
        specialize (Hb Hne). rewrite Forall_forall in Hb. apply Hb, nth_In. lia. }
      destruct (relay slots pending pending' ms os Hi Hf Hl Hs Hp q p b i ltac:(lia) Hbq Hlt Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|]. unfold fees. cbn [map sumZ]. unfold left_cost.
      destruct (Nat.eqb_spec room 1) as [E1|E1].
      * assert (p = q) as -> by lia.
        rewrite (started_free slots ms os Hf Hs q b ltac:(lia) Eo) in H2. lia.
      * destruct (all_done _); lia.
    + destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      right; left. exists p, i'. split; [assumption|]. lia.
  - (* b starts later *)
    right; right. assert (length os = length F) as HoF by lia.
    destruct (add_starts_spec os F HoF) as (A1 & A2 & A3).
    exists b, (add_starts os F), G. split; [|split; [lia|]].
    { rewrite Hp, HF, <- A3, <- !app_assoc. symmetry. apply Permutation_middle. }
    assert (pending <> []) as Hne.
    { intros ->. apply Permutation_nil in Hp. apply app_eq_nil in Hp. destruct Hp as [_ ->].
      now apply Permutation_nil_cons in HF. }
    intros p Hlt. destruct (Ht p Hlt) as (i & Hx & Htp). rewrite A2, fees_app.
    specialize (Hb Hne). rewrite Forall_forall in Hb. assert (p < length slots)%nat as Hps by lia. specialize (Hb _ (nth_In slots ([], []) Hps)).
    destruct (nth p os None) as [b'|] eqn:Eo.
    + destruct (relay slots pending pending' ms os Hi Hf Hl Hs Hp p p b' i ltac:(lia) Hb ltac:(lia) Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|].
      pose proof (started_free slots ms os Hf Hs p b' Hps Eo) as Ed.
      rewrite Ed in H2. unfold fees at 1. cbn [listed map sumZ]. lia.
    + destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|]. unfold fees at 1. cbn [listed map sumZ]. lia.
Qed.
End Relays.
