(** Response times of a block that waits for room (docs/relay.md, response times (ii)). *)
From Coq Require Import List Arith ZArith Lia Bool Permutation.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions Moves Relays AnyRelay RelayBound.
Local Open Scope Z_scope.

Section Response.
Notation steps := (list (list cycle * list (option block))).
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
Notation earns := (earns worth kappa None).
Notation rate := (rate worth kappa).
Notation rates := (rates worth kappa).
Notation enough := (enough sigma worth kappa c).
Notation earned_rates := (earned_rates worth kappa None).
Notation earned_others := (earned_others worth kappa None).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation rrun := (rrun sigma).
Notation held := (held sigma N worth kappa c).
Notation free := (free c).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation total := (total worth kappa).
Notation val_le_A := (val_le_A worth kappa).
Notation rates_front := (rates_front worth kappa).
Notation inv := (inv room warps P begins).
Notation fee := (fee N worth kappa c ends).
Notation fee_pos := (fee_pos N worth kappa c c_pos ends).
Notation inv_next := (inv_next room warps P begins P_tl).
Notation inv_room := (inv_room room warps P begins).
Notation pot := (pot sigma N worth kappa c).
Notation stay := (stay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins P_ends c_enough).
Notation off := (off sigma kappa c begins).
Notation relay := (relay sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation left_cost := (left_cost room d).
Notation fees := (fees N worth kappa c ends).
Notation pot_one := (pot_one sigma N worth kappa c N_pos kappa_pos kappa_le c_pos).
Notation fees_app := (fees_app N worth kappa c ends).
Notation relay_run := (relay_run sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation followed := (followed sigma N worth kappa c ends d).
Notation relay_followed := (relay_followed sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins d P_tl P_ends ends_some c_enough k_sum d_pos d_enough).
Notation pot_le := (pot_le sigma N worth kappa c worth_unit kappa_pos kappa_le c_pos).
Notation keep := (keep N worth kappa c).
Notation work := (work worth kappa).
Notation some_issue := (some_issue sigma).
Notation response_time := (response_time sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos room warps P ends begins P_tl P_ends c_enough).
Notation nth_good := (nth_good warps P).
Notation fresh := (fresh warps P begins).
Notation good := (good warps P).

(** A block that is there, from any state. *)
Lemma life_pot slots pending mss prompt p : rrun prompt slots pending mss -> inv slots pending ->
  life p mss = 0%nat \/ exists i, warp i p slots <> [] /\ N * Z.of_nat (life p mss) <= pot slots pending p i.
Proof.
  intros Hr Hi. induction Hr as [slots pending|slots pending ms os pending' mss (Hf & Hl & Hs & Hp) Hprompt Hr IH]; [now left|].
    specialize (IH (inv_next _ _ _ _ _ Hi Hf Hs Hp)). cbn [life].
    set (t := match nth p os None with Some _ => 0%nat | None => life p mss end).
    destruct (0 <? t)%nat eqn:Et.
    - apply Nat.ltb_lt in Et. unfold t in *. destruct (nth p os None) eqn:Eo; [lia|].
      destruct IH as [IH|(i & Hx & Ht)]; [lia|].
      destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      right. exists i'. split; [assumption|]. lia.
    - destruct (existsb (fun b => b) (nth p ms [])) eqn:E; [|now left]. right.
      assert (p < length slots)%nat as Hlt.
      { destruct (Nat.lt_ge_cases p (length slots)); [assumption|].
        rewrite nth_overflow in E; [discriminate|]. pose proof (Forall2_same _ _ _ Hf). lia. }
      assert (able (fst (nth p slots ([], []))) (nth p ms [])) as Ha.
      { destruct Hl as [Ha _]. apply (flat_able _ _ Hf) in Ha. clear - Ha Hlt. revert p Hlt.
        induction Ha; intros [|p] Hlt; cbn [length nth] in *; try lia; auto. apply IHHa. lia. }
      destruct (all_done (fst (nth p slots ([], [])))) eqn:Ed.
      + destruct (idle _ _ Ha Ed). congruence.
      + destruct (not_done_nth _ Ed) as (i & _ & Hx). exists i. split; [assumption|].
        pose proof (pot_one slots pending p i Hx). lia.
Qed.

(** A block that waits: after n cycles, in each of which all slots are busy, b starts in slot q, and [rest] is what comes
    then. The blocks of [pending] may be released at any time. *)
Inductive starts (q : nat) (b : block) : list block -> steps -> nat -> steps -> Prop :=
| starts_now slots ms os rest : Forall busy slots -> nth q os None = Some b ->
    starts q b slots ((ms, os) :: rest) 1 rest
| starts_later slots ms os mss n rest : Forall busy slots ->
    starts q b (next slots ms os) mss n rest -> starts q b slots ((ms, os) :: mss) (S n) rest.

Lemma starts_run q b slots mss n rest : starts q b slots mss n rest -> forall prompt pending,
  rrun prompt slots pending mss -> inv slots pending ->
  exists F G, Permutation pending (b :: concat F ++ G) /\ length F = room /\
    forall p, (p < room)%nat -> exists i, warp i p slots <> [] /\
      N * (Z.of_nat n + Z.of_nat (life q rest)) <= pot slots pending p i + fees (nth p F []) + fee b + left_cost.
Proof.
  induction 1 as [slots ms os rest Hb Eo|slots ms os mss n rest Hb Hst IH]; intros prompt pending Hr Hi;
    inversion Hr as [|? ? ? ? pending' ? (Hf & Hl & Hs & Hp) Hprompt Hr']; subst;
    pose proof (inv_next _ _ _ _ _ Hi Hf Hs Hp) as Hi'; pose proof (inv_room _ _ Hi) as Hroom;
    pose proof (Hos slots ms os Hf Hs) as Hlen; rewrite Forall_forall in Hb.
  - assert (q < length os)%nat as Hq
      by (destruct (Nat.lt_ge_cases q (length os)); [assumption|]; rewrite nth_overflow in Eo by assumption; discriminate).
    assert (In b (flat_map listed os)) as Hin.
    { apply in_flat_map. exists (Some b). split; [|now left]. rewrite <- Eo. now apply nth_In. }
    exists (repeat [] room). apply in_split in Hin. destruct Hin as (l1 & l2 & El).
    exists (l1 ++ l2 ++ pending'). rewrite concat_repeat_nil, repeat_length. cbn [app]. split; [|split; [reflexivity|]].
    { rewrite Hp, El, <- app_assoc. cbn [app]. symmetry. apply Permutation_middle. }
    assert (exists i, warp i q (next slots ms os) <> [] /\
      N * Z.of_nat (life q rest) <= pot (next slots ms os) pending' q i) as (i & Hx & Ht).
    { destruct (life_pot _ _ _ _ q Hr' Hi') as [E0|H]; [|assumption]. rewrite E0.
      assert (nth q (next slots ms os) ([], []) = b) as En.
      { rewrite next_nth by (auto; lia). now rewrite Eo. }
      assert (busy b) as Bb.
      { pose proof (inv_fresh _ _ _ _ _ _ Hi) as HF. rewrite Forall_forall in HF.
        assert (In b pending) as Hbp.
        { apply (Permutation_in _ (Permutation_sym Hp)). rewrite El. apply in_or_app. left. apply in_or_app. right. now left. }
        now destruct (HF b Hbp) as (_ & HB & _). }
      destruct (not_done_nth _ Bb) as (i & _ & Hx). exists i. rewrite En. split; [exact Hx|].
      rewrite <- En in Hx. pose proof (pot_one _ pending' q i Hx). lia. }
    intros p Hpr. rewrite nth_repeat_nil.
    assert (busy (nth p slots ([], []))) as Hbp by (apply Hb, nth_In; lia).
    destruct (relay slots pending pending' ms os Hi Hf Hl Hs Hp p q b i ltac:(lia) Hbp ltac:(lia) Eo Hx) as (i' & H1 & H2).
    exists i'. split; [assumption|]. unfold fees. cbn [map sumZ]. unfold left_cost.
    destruct (Nat.eqb_spec room 1) as [E1|E1].
    + assert (q = p) as -> by lia. rewrite (started_free slots ms os Hf Hs p b ltac:(lia) Eo) in H2. lia.
    + destruct (all_done _); lia.
  - destruct (IH prompt pending' Hr' Hi') as (F & G & HF & HlF & Ht).
    assert (length os = length F) as HoF by lia.
    destruct (add_starts_spec os F HoF) as (A1 & A2 & A3).
    exists (add_starts os F), G. split; [|split; [lia|]].
    { rewrite Hp, HF, <- A3, <- !app_assoc. symmetry. apply Permutation_middle. }
    intros p Hlt. destruct (Ht p Hlt) as (i & Hx & Htp). rewrite A2, fees_app.
    assert (p < length slots)%nat as Hps by lia. specialize (Hb _ (nth_In slots ([], []) Hps)).
    destruct (nth p os None) as [b'|] eqn:Eo.
    + destruct (relay slots pending pending' ms os Hi Hf Hl Hs Hp p p b' i ltac:(lia) Hb ltac:(lia) Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|].
      pose proof (started_free slots ms os Hf Hs p b' Hps Eo) as Ed.
      rewrite Ed in H2. unfold fees at 1. cbn [listed map sumZ]. lia.
    + destruct (stay slots pending pending' ms os Hi Hf Hl Hs Hp p i Eo Hx) as (i' & H1 & H2).
      exists i'. split; [assumption|]. unfold fees at 1. cbn [listed map sumZ]. lia.
Qed.

(** Response time of a block b that waits for room: from its release to its end it takes at most the A of all blocks, what
    following b costs, and, for any slot that one likes, what the block in that slot keeps and what following the blocks F_p
    costs that start there before b. *)
Theorem response_time_waiting q b slots pending mss n rest prompt : starts q b slots mss n rest ->
  rrun prompt slots pending mss -> inv slots pending ->
  exists F G, Permutation pending (b :: concat F ++ G) /\ length F = room /\
    forall p, (p < room)%nat ->
      N * (Z.of_nat n + Z.of_nat (life q rest)) <=
        work slots pending + keep (nth p slots ([], [])) + fees (nth p F []) + fee b + left_cost.
Proof.
  intros Hst Hr Hi. destruct (starts_run _ _ _ _ _ _ Hst prompt pending Hr Hi) as (F & G & H1 & H2 & H3).
  exists F, G. split; [assumption|]. split; [assumption|]. intros p Hp. destruct (H3 p Hp) as (i & Hx & H).
  pose proof (pot_le slots pending p i Hx). lia.
Qed.
End Response.
