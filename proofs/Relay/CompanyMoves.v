(** The moves of a relay that may enter blocks at any point of their code: to go on with a block, and to go on to another one
    that is present when it has ended. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential.
From Warpspan.Barriers Require Import BlockRuns BlockFacts Chain.
From Warpspan.Relay Require Import GridRuns FollowedCycle Totals Assumptions CompanyRuns KeptBlocks CompanyCycle.
Local Open Scope Z_scope.

Section CompanyMoves.
Variable sigma : letter -> nat.
Variables (N : Z) (worth kappa c : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis kappa_pos : forall U, 0 <= kappa U.
Hypothesis kappa_le : forall U, kappa U <= worth U.
Hypothesis c_pos : forall U, 0 <= c U.

(** What is assumed of the blocks: [P] holds of all segments and of what is left of them; a segment may end with X only where
    [ends X]; at most [most] warps are present at once. *)
Variables (most : nat) (P : string -> Prop) (ends : letter -> bool).
Hypothesis P_tl : forall s, P s -> P (tl s).
Hypothesis P_ends : forall X, P [X] -> ends X = true.
Hypothesis ends_some : ends L || ends C = true.
Hypothesis c_enough : forall X,
  Z.of_nat (min (sigma (other X) - 1) (most - 1)) * (kappa X - worth (other X)) <= c X
  \/ forall s, P s -> double (other X) s = false.

Definition sound (x : placed) : Prop :=
  wf (snd x) /\ fst (snd x) <> [] /\ settled (snd x) /\ Forall P (fst (snd x)) /\ Forall (Forall P) (snd (snd x)).

Variable rule : list placed -> Prop.
Hypothesis rule_most : forall bs, rule bs -> (crowd bs <= most)%nat.

Notation earns := (earns worth kappa None).
Notation earned := (earned worth kappa None).
Notation chain := (chain N worth kappa c).
Notation future := (future worth kappa).
Notation A := (A worth kappa).
Notation val := (val worth kappa).
Notation fee := (fee N worth kappa c ends).
Notation kept := (kept N worth kappa c ends).
Notation value := (value N worth kappa c ends).
Notation sum_of := (sum_of N worth kappa c ends).
Notation ahead := (ahead worth kappa).
Notation held := (held sigma N worth kappa c).
Notation free := (free c).
Notation cur f bs := (fst (snd (nth f bs nobody))).
Notation later f bs := (snd (snd (nth f bs nobody))).
Notation future_pos := (future_pos worth kappa kappa_pos kappa_le).
Notation earned_pos := (earned_pos worth kappa kappa_pos kappa_le None).
Notation chain_pos := (chain_pos N worth kappa c c_pos).
Notation kept_open := (kept_open N worth kappa c N_pos kappa_pos kappa_le c_pos ends ends_some).
Notation kept_fee := (kept_fee sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some).
Notation head_range := (head_range sigma N worth kappa worth_unit kappa_pos kappa_le).

(** * The blocks stay sound *)
Lemma sound_begin bs os : Forall sound bs -> Forall sound (begin bs os).
Proof.
  intros H; revert os; induction H as [|[w b] bs Hx H IH]; intros [|o os]; cbn [begin]; constructor; auto.
Qed.

Lemma sound_one x m : length m = length (warps x) -> sound x -> sound (opened (issue x m)).
Proof.
  destruct x as [[] [cu la]]; unfold opened, issue, warps, sound; cbn [fst snd]; [|auto].
  intros Hl (W & Hne & _ & H1 & H2). unfold open. cbn [fst snd].
  assert (Forall (fun row => length row = length (after cu m)) la) as W'
    by (rewrite after_length by assumption; exact W).
  destruct (release_wf _ _ W') as (W1 & L1 & S1). split; [assumption|]. split; [|split; [assumption|]].
  - intros E. rewrite E in L1. rewrite after_length in L1 by assumption. destruct cu; [congruence|discriminate].
  - apply (every_release P). split; [now apply (P_after P P_tl)|assumption].
Qed.

Lemma sound_next bs ms : speaks bs ms -> Forall sound bs -> Forall sound (map opened (issues bs ms)).
Proof.
  induction 1 as [|x m bs ms Hl H IH]; intros Hs; [constructor|]. inversion Hs; subst.
  rewrite issues_cons. cbn [map]. constructor; [now apply sound_one|auto].
Qed.

Lemma present_sound f bs : Forall sound bs -> present (nth f bs nobody) = true -> sound (nth f bs nobody) /\ (f < length bs)%nat.
Proof.
  intros H Hp. assert (f < length bs)%nat as Hf.
  { destruct (Nat.lt_ge_cases f (length bs)); [assumption|]. rewrite nth_overflow in Hp by assumption. discriminate. }
  split; [|assumption]. rewrite Forall_forall in H. now apply H, nth_In.
Qed.

Lemma enough_doubles bs : Forall sound bs -> rule bs -> forall Y,
  Z.of_nat (min (sigma (other Y) - 1) (crowd bs - 1)) * (kappa Y - worth (other Y)) <= c Y
    \/ doubles (other Y) (company bs) = O.
Proof.
  intros Hs Hr Y. specialize (rule_most _ Hr). destruct (c_enough Y) as [H|H].
  - left. pose proof (c_pos Y). destruct (Z.le_gt_cases (kappa Y - worth (other Y)) 0); [nia|].
    assert (Z.of_nat (min (sigma (other Y) - 1) (crowd bs - 1)) <= Z.of_nat (min (sigma (other Y) - 1) (most - 1))) by lia.
    nia.
  - right. clear - Hs H. induction Hs as [|x bs (_ & _ & _ & HP & _) Hs IH]; [reflexivity|].
    cbn [company flat_map]. fold (company bs). rewrite doubles_app, IH. unfold warps.
    destruct (fst x); [|reflexivity]. clear - HP H. induction HP as [|s vs Hx HP IH]; [reflexivity|].
    cbn [doubles]. rewrite H by assumption. lia.
Qed.

(** * Starts and openings raise nothing *)
Lemma fee_pos b : 0 <= fee b.
Proof. exact (Assumptions.fee_pos N worth kappa c c_pos ends b). Qed.

Lemma begin_le bs os F U : sum_of F (begin bs os) U <= sum_of F bs U.
Proof.
  revert os F; induction bs as [|[w b] bs IH]; intros [|o os] F; cbn [begin CompanyCycle.sum_of]; try lia.
  specialize (IH os (fun k => F (S k))).
  enough (value (F O) U (w || o, b) <= value (F O) U (w, b)) by lia.
  unfold CompanyCycle.value. cbn [fst snd]. destruct w; cbn [orb]; [lia|]. destruct o; [|lia].
  destruct (F O); [apply kept_fee|]. pose proof (val_le_A worth kappa U b). lia.
Qed.

Lemma opened_le bs F U : Forall sound bs -> sum_of F (map opened bs) U <= sum_of F bs U.
Proof.
  intros H; revert F; induction H as [|[w b] bs (W & Hne & _) H IH]; intros F; cbn [map CompanyCycle.sum_of]; [lia|].
  specialize (IH (fun k => F (S k))).
  enough (value (F O) U (opened (w, b)) <= value (F O) U (w, b)) by lia.
  unfold CompanyCycle.value, opened. cbn [fst snd] in *. destruct w; cbn [fst snd]; [|lia].
  destruct (F O); [now apply kept_open|apply val_open; assumption].
Qed.

(** The place f: what T gains if another value is taken there. *)
Lemma sum_at f : forall F bs U, (f < length bs)%nat ->
  sum_of F bs U = sum_of (off f F) bs U - value false U (nth f bs nobody) + value (F f) U (nth f bs nobody).
Proof.
  induction f as [|f IH]; intros F [|x bs] U Hf; cbn [length] in *; try lia; cbn [nth CompanyCycle.sum_of].
  - assert (sum_of (fun k => off 0 F (S k)) bs U = sum_of (fun k => F (S k)) bs U) as E
      by (apply sum_ext; intros k; unfold off; cbn [Nat.eqb negb]; apply andb_true_r).
    assert (off 0 F O = false) as E0 by (unfold off; apply andb_false_r). rewrite E, E0. lia.
  - rewrite (IH (fun k => F (S k)) bs U ltac:(lia)).
    assert (sum_of (fun k => off (S f) F (S k)) bs U = sum_of (off f (fun k => F (S k))) bs U) as E
      by (apply sum_ext; intros k; reflexivity).
    assert (off (S f) F O = F O) as E0 by (unfold off; apply andb_true_r). rewrite E, E0. lia.
Qed.

(** * The potential while block f is followed, at its warp i *)
Definition pot (F : nat -> bool) (bs : list placed) (f i : nat) : Z :=
  held (sum_of (off f F) bs) (nth i (cur f bs) []) (later f bs).

Lemma ahead_le F bs U : ahead bs <= sum_of F bs U.
Proof.
  revert F; induction bs as [|x bs IH]; intros F; unfold CompanyCycle.ahead in *; cbn [map sumZ CompanyCycle.sum_of]; [lia|].
  specialize (IH (fun k => F (S k))). enough ((if fst x then 0 else A (snd x)) <= value (F O) U x) by lia.
  unfold CompanyCycle.value. pose proof (fee_pos (snd x)).
  pose proof (kept_pos N worth kappa c kappa_pos kappa_le ends U (snd x)).
  pose proof (val_pos worth kappa kappa_pos kappa_le U (snd x)). destruct (fst x), (F O); lia.
Qed.

Lemma ahead_value F bs f U : (f < length bs)%nat -> fst (nth f bs nobody) = true ->
  ahead bs + value (F f) U (nth f bs nobody) <= sum_of F bs U.
Proof.
  revert F bs; induction f as [|f IH]; intros F [|x bs] Hf Hs; cbn [length nth] in *; try lia;
    unfold CompanyCycle.ahead in *; cbn [map sumZ CompanyCycle.sum_of].
  - rewrite Hs. cbv iota. pose proof (ahead_le (fun k => F (S k)) bs U). unfold CompanyCycle.ahead in *. lia.
  - specialize (IH (fun k => F (S k)) bs ltac:(lia) Hs). cbv beta in IH.
    enough ((if fst x then 0 else A (snd x)) <= value (F O) U x) by lia.
    pose proof (ahead_le F [x] U) as H. unfold CompanyCycle.ahead in H. cbn [map sumZ CompanyCycle.sum_of] in H. lia.
Qed.

Lemma present_started x : present x = true -> fst x = true /\ all_done (fst (snd x)) = false.
Proof. unfold present. intros H. apply andb_prop in H. destruct H as [H1 H2]. now apply negb_true_iff in H2. Qed.

Lemma off_f f F : off f F f = false.
Proof. unfold off. rewrite Nat.eqb_refl. apply andb_false_r. Qed.

(** The followed warp has a letter left, and the blocks ahead have all of theirs. *)
Lemma pot_one F bs f i : present (nth f bs nobody) = true -> nth i (cur f bs) [] <> [] ->
  N + ahead bs <= pot F bs f i.
Proof.
  intros Hp Hx. destruct (present_started _ Hp) as [Hs _].
  assert (f < length bs)%nat as Hf.
  { destruct (Nat.lt_ge_cases f (length bs)); [assumption|]. rewrite nth_overflow in Hp by assumption. discriminate. }
  pose proof (nth_some_lt _ _ Hx) as Hi.
  pose proof (fun U => ahead_value (off f F) bs f U Hf Hs) as HA. rewrite off_f in HA.
  unfold CompanyCycle.value, Totals.val in HA. rewrite Hs in HA.
  unfold pot, FollowedCycle.held. destruct (nth i (cur f bs) []) as [|X x] eqn:E; [congruence|].
  specialize (HA X). rewrite (earned_others worth kappa None X _ i Hi), E in HA.
  pose proof (earned_pos X (others i (cur f bs))). pose proof (future_pos (later f bs)).
  pose proof (chain_pos (X :: x) (later f bs)). cbn [length] in *. nia.
Qed.

(** * One cycle *)
Lemma issues_nth bs ms : speaks bs ms -> forall k, (k < length bs)%nat ->
  nth k (issues bs ms) nobody = issue (nth k bs nobody) (nth k ms []).
Proof.
  induction 1 as [|x m l ms Hl H IH]; intros [|k] Hk; cbn [length] in *; try lia; rewrite issues_cons; cbn [nth].
  - reflexivity.
  - apply IH. lia.
Qed.

Lemma issues_length bs ms : speaks bs ms -> length (issues bs ms) = length bs.
Proof. induction 1 as [|x m l ms Hl H IH]; [reflexivity|]. rewrite issues_cons. cbn [length]. now rewrite IH. Qed.

Lemma ahead_next bs ms : speaks bs ms -> ahead (map opened (issues bs ms)) = ahead bs.
Proof.
  unfold CompanyCycle.ahead. induction 1 as [|x m l ms Hl H IH]; [reflexivity|].
  rewrite issues_cons. cbn [map sumZ]. rewrite IH. unfold opened, issue. destruct (fst x) eqn:E; cbn [fst]; rewrite ?E; reflexivity.
Qed.

Lemma sound_issues bs ms : speaks bs ms -> Forall sound bs -> Forall (fun x => wf (snd x) /\ fst (snd x) <> []) (issues bs ms).
Proof.
  induction 1 as [|x m l ms Hl H IH]; intros Hs; [constructor|].
  inversion Hs as [|? ? (W & Hne & _) Hs']; subst. rewrite issues_cons. constructor; [|auto].
  destruct x as [[] [cu la]]; unfold issue, warps, wf in *; cbn [fst snd] in *; [|auto]. rewrite after_length by assumption.
  split; [assumption|]. intros E. apply (f_equal (@length _)) in E. rewrite after_length in E by assumption.
  destruct cu; [congruence|discriminate].
Qed.

Section Cycle.
Variables (F : nat -> bool) (bs : list placed) (ms : list cycle) (f : nat).
Hypothesis Hsound : Forall sound bs.
Hypothesis Hrule : rule bs.
Hypothesis Hspeaks : speaks bs ms.
Hypothesis Hlegal : legal sigma (company bs) (concat ms).
Hypothesis Hpresent : present (nth f bs nobody) = true.
Let cs := issues bs ms.
Let ns := map opened cs.

Lemma nth_issues k : (k < length bs)%nat -> nth k cs nobody = issue (nth k bs nobody) (nth k ms []).
Proof. exact (issues_nth bs ms Hspeaks k). Qed.

Lemma cs_length : length cs = length bs.
Proof. exact (issues_length bs ms Hspeaks). Qed.

Lemma nth_ns k : nth k ns nobody = opened (nth k cs nobody).
Proof. unfold ns. change nobody with (opened nobody) at 1. apply map_nth. Qed.

Lemma f_lt : (f < length bs)%nat.
Proof. exact (proj2 (present_sound f bs Hsound Hpresent)). Qed.

Lemma ahead_ns : ahead ns = ahead bs.
Proof. exact (ahead_next bs ms Hspeaks). Qed.

Lemma sound_cs : Forall (fun x => wf (snd x) /\ fst (snd x) <> []) cs.
Proof. exact (sound_issues bs ms Hspeaks Hsound). Qed.

Lemma ns_le G U : sum_of G ns U <= sum_of G cs U.
Proof.
  unfold ns. generalize sound_cs. generalize cs. intros l H. revert G; induction H as [|[w b] l (W & Hne) H IH]; intros G;
    cbn [map CompanyCycle.sum_of]; [lia|].
  specialize (IH (fun k => G (S k))).
  enough (value (G O) U (opened (w, b)) <= value (G O) U (w, b)) by lia.
  unfold CompanyCycle.value, opened. cbn [fst snd] in *. destruct w; cbn [fst snd]; [|lia].
  destruct (G O); [now apply kept_open|apply val_open; assumption].
Qed.

Lemma falls_f i X x : nth i (cur f bs) [] = X :: x ->
  falls sigma N worth kappa c (sum_of (off f F) bs) (sum_of (off f F) cs) X x (nth i (nth f ms []) false) /\
  nth i (cur f cs) [] = if nth i (nth f ms []) false then x else X :: x.
Proof.
  intros E.
  exact (company_falls sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos ends ends_some f i bs ms (off f F) X x
    Hspeaks Hlegal Hpresent (off_f f F) E (enough_doubles bs Hsound Hrule)).
Qed.

Lemma later_cs : later f cs = later f bs.
Proof. rewrite nth_issues by apply f_lt. unfold issue. now destruct (fst (nth f bs nobody)). Qed.

Lemma started_cs : fst (nth f cs nobody) = true.
Proof.
  rewrite nth_issues by apply f_lt. unfold issue. destruct (present_started _ Hpresent) as [-> _]. reflexivity.
Qed.

Lemma rows_f : Forall (fun row => row <> []) (later f bs).
Proof.
  destruct (present_sound f bs Hsound Hpresent) as [(W & Hne & _) _]. unfold wf in W. eapply Forall_impl; [|exact W].
  cbn. intros row Hr ->. destruct (cur f bs); [congruence|discriminate].
Qed.

(** All warps of the segment have issued it; one that issues its last letter, an X, is the one to have followed. *)
Lemma arrive : all_done (cur f cs) = true ->
  exists i X, nth i (cur f bs) [] <> [] /\ ends X = true /\
    N + chain [X] (later f bs) + free 0 (sum_of (off f F) cs) X <= pot F bs f i.
Proof.
  intros Hd. destruct (present_started _ Hpresent) as [_ Hb]. destruct (not_done_nth _ Hb) as (i & Hi & Hx).
  destruct (nth i (cur f bs) []) as [|X x] eqn:E; [congruence|]. exists i, X. rewrite E.
  destruct (falls_f i X x E) as [HF EC]. rewrite (all_done_nth i _ Hd) in EC.
  destruct (nth i (nth f ms []) false); [|discriminate]. subst x. split; [discriminate|].
  destruct (present_sound f bs Hsound Hpresent) as [(_ & _ & _ & HP & _) _]. split.
  - apply P_ends. rewrite <- E. rewrite Forall_forall in HP. now apply HP, nth_In.
  - unfold pot. rewrite E. exact (step_off sigma N worth kappa c worth_unit kappa_pos kappa_le _ _ X _ HF).
Qed.

(** The block is still there afterwards. *)
Lemma stay i : present (nth f ns nobody) = true -> nth i (cur f ns) [] <> [] ->
  exists i', nth i' (cur f bs) [] <> [] /\ N + pot F ns f i <= pot F bs f i'.
Proof.
  intros Hp' Hx. pose proof started_cs as Hs. pose proof cs_length as Hcl. pose proof f_lt as Hf.
  pose proof (nth_ns f) as En. unfold opened in En. rewrite Hs in En.
  destruct (all_done (cur f cs)) eqn:Ed.
  - destruct (arrive Ed) as (i' & X & H1 & H2 & H3). exists i'. split; [assumption|].
    pose proof rows_f as Hrows.
    pose proof (release_chain N worth kappa c kappa_pos kappa_le X) as RC.
    assert (snd (nth f ns nobody) = release (cur f cs) (later f bs)) as Eb
      by (rewrite En; cbn [snd]; unfold open; now rewrite later_cs).
    assert (forall U, sum_of (off f F) ns U - earns U (nth i (cur f ns) []) + N * Z.of_nat (length (nth i (cur f ns) []))
      + chain (X :: nth i (cur f ns) []) (later f ns) <= sum_of (off f F) cs U + chain [X] (later f bs)) as HE.
    { intros U. specialize (RC U i (later f bs) (cur f cs) Ed Hrows). cbv zeta in RC. rewrite <- Eb in RC.
      destruct (RC Hx) as [RC' _].
      pose proof (nth_some_lt _ _ Hx) as Hi.
      pose proof (sum_at f (fun k => (k =? f)%nat || off f F k) cs U ltac:(lia)) as S1.
      pose proof (sum_at f (fun k => (k =? f)%nat || off f F k) ns U ltac:(unfold ns; rewrite map_length; lia)) as S2.
      pose proof (ns_le (off f F) U) as Hle.
      (* all other blocks *)
      assert (forall l G, (f < length l)%nat -> G f = false -> Forall (fun x => wf (snd x) /\ fst (snd x) <> []) l ->
        sum_of G (map opened l) U - value false U (nth f (map opened l) nobody) <=
        sum_of G l U - value false U (nth f l nobody)) as Hrest.
      { clear - N_pos kappa_pos kappa_le c_pos ends_some. induction f as [|g IH]; intros [|x l] G Hl HG HW;
          cbn [length] in *; try lia; inversion HW as [|? ? (W & Hne) HW']; subst; cbn [map nth CompanyCycle.sum_of].
        - rewrite HG.
          enough (sum_of (fun k => G (S k)) (map opened l) U <= sum_of (fun k => G (S k)) l U) by lia.
          clear - HW' N_pos kappa_pos kappa_le c_pos ends_some. generalize (fun k => G (S k)). clear G.
          induction HW' as [|[w b] l (W & Hne) HW IH]; intros G; cbn [map CompanyCycle.sum_of]; [lia|].
          specialize (IH (fun k => G (S k))).
          enough (value (G O) U (opened (w, b)) <= value (G O) U (w, b)) by lia.
          unfold CompanyCycle.value, opened. cbn [fst snd] in *. destruct w; cbn [fst snd]; [|lia].
          destruct (G O); [now apply kept_open|apply val_open; assumption].
        - specialize (IH l (fun k => G (S k)) ltac:(lia) HG HW').
          enough (value (G O) U (opened x) <= value (G O) U x) by lia. destruct x as [w b].
          unfold CompanyCycle.value, opened. cbn [fst snd] in *. destruct w; cbn [fst snd]; [|lia].
          destruct (G O); [now apply kept_open|apply val_open; assumption]. }
      specialize (Hrest cs (off f F) ltac:(lia) (off_f f F) sound_cs). fold ns in Hrest.
      unfold CompanyCycle.value at 1 2 in Hrest. rewrite Hs in Hrest.
      assert (fst (nth f ns nobody) = true) as Hs' by (rewrite En; reflexivity). rewrite Hs' in Hrest.
      unfold Totals.val in Hrest. rewrite (earned_done worth kappa U _ Ed), later_cs in Hrest.
      rewrite (earned_others worth kappa None U (cur f ns) i Hi) in Hrest. lia. }
    assert (Forall (fun row => row <> []) (later f ns)) as Hrows'.
    { specialize (RC L i (later f bs) (cur f cs) Ed Hrows). cbv zeta in RC. rewrite <- Eb in RC. now destruct (RC Hx). }
    pose proof (head_range X).
    pose proof (enter sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos 0 _ _ X _ _ _
      ltac:(lia) ltac:(auto) Hx Hrows' HE). unfold pot at 1. lia.
  - assert (nth f ns nobody = nth f cs nobody) as En'.
    { rewrite En. destruct (nth f cs nobody) as [w [cu la]]. cbn [fst snd] in *. subst w. unfold open. cbn [fst snd].
      destruct la; cbn [release]; [reflexivity|]. now rewrite Ed. }
    unfold pot at 1. rewrite En' in *. rewrite later_cs.
    destruct (nth i (cur f bs) []) as [|X x] eqn:E.
    + exfalso. apply Hx. rewrite nth_issues by assumption. unfold issue. destruct (present_started _ Hpresent) as [-> _].
      cbn [fst snd]. clear - E. revert i E. generalize (nth f ms []).
      induction (cur f bs) as [|s l IH]; intros [|b m] [|i] E; cbn in *; auto. subst s. now destruct b.
    + exists i. rewrite E. split; [discriminate|]. destruct (falls_f i X x E) as [HF EC]. rewrite EC in *.
      unfold pot. rewrite E.
      pose proof (step_on sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos _ _ X x _ (later f bs) rows_f HF Hx).
      pose proof (held_mono sigma N worth kappa c (sum_of (off f F) cs) (sum_of (off f F) ns)
        (if nth i (nth f ms []) false then x else X :: x) (later f bs) (ns_le (off f F))). lia.
Qed.

(** The block has ended, and another one that is to be followed is present after starts. *)
Lemma switch os g j : F f = true -> F g = true -> present (nth f ns nobody) = false ->
  present (nth g (begin ns os) nobody) = true -> nth j (cur g (begin ns os)) [] <> [] ->
  exists i, nth i (cur f bs) [] <> [] /\ N + pot F (begin ns os) g j <= pot F bs f i.
Proof.
  intros Ff Fg Hend Hg Hx. pose proof started_cs as Hs. pose proof cs_length as Hcl. pose proof f_lt as Hf.
  pose proof (nth_ns f) as En. unfold opened in En. rewrite Hs in En.
  assert (Forall sound (begin ns os)) as Hsb by (apply sound_begin; now apply sound_next).
  assert (sound (nth f ns nobody)) as Hsf.
  { assert (Forall sound ns) as Hn by now apply sound_next. rewrite Forall_forall in Hn. apply Hn, nth_In.
    unfold ns. rewrite map_length. lia. }
  unfold present in Hend. rewrite En in Hend, Hsf. cbn [fst snd andb] in Hend. apply negb_false_iff in Hend.
  destruct Hsf as (_ & _ & Hset & _). cbn [snd] in Hset. specialize (Hset Hend).
  assert (all_done (cur f cs) = true) as Ed.
  { destruct (nth f cs nobody) as [w [cu la]]. cbn [fst snd] in *. unfold open in *. cbn [fst snd] in *.
    destruct la; cbn [release] in *; [assumption|]. destruct (all_done cu) eqn:E; [reflexivity|]. cbn [fst] in *. congruence. }
  destruct (arrive Ed) as (i & X & H1 & H2 & H3). exists i. split; [assumption|].
  assert (forall U, sum_of F ns U <= sum_of (off f F) cs U) as HT.
  { intros U. rewrite (sum_at f F ns U) by (unfold ns; rewrite map_length; lia).
    pose proof (ns_le (off f F) U). rewrite Ff. rewrite En. unfold CompanyCycle.value. cbn [fst snd].
    assert (kept U (open (snd (nth f cs nobody))) <= 0) as HK.
    { apply (kept_bound N worth kappa c ends); rewrite Hset; cbn; [lia|]. intros k _. unfold term.
      rewrite (all_done_nth k _ Hend), earned_done by now apply all_done_others. unfold entry. cbn.
      destruct (ends L), (ends C); lia. }
    pose proof (val_pos worth kappa kappa_pos kappa_le U (open (snd (nth f cs nobody)))). lia. }
  destruct (present_started _ Hg) as [Hgs _].
  destruct (present_sound g _ Hsb Hg) as [(Wg & Hneg & _) Hgl].
  pose proof (nth_some_lt _ _ Hx) as Hj.
  set (b1 := begin ns os) in *.
  assert (forall U, sum_of (off g F) b1 U - earns U (nth j (cur g b1) []) + N * Z.of_nat (length (nth j (cur g b1) []))
    + chain (X :: nth j (cur g b1) []) (later g b1) <= sum_of F ns U + 0) as HE.
  { intros U. pose proof (begin_le ns os F U) as HB. fold b1 in HB. rewrite (sum_at g F b1 U Hgl), Fg in HB.
    unfold CompanyCycle.value in HB. rewrite Hgs in HB. unfold Totals.val in HB.
    rewrite (earned_others worth kappa None U (cur g b1) j Hj) in HB.
    pose proof (kept_ge N worth kappa c ends U (snd (nth g b1 nobody)) j Hj) as HK. unfold term in HK.
    pose proof (entry_ge N worth kappa c ends X (nth j (cur g b1) []) (later g b1) H2). lia. }
  assert (Forall (fun row => row <> []) (later g b1)) as Hrows.
  { unfold wf in Wg. eapply Forall_impl; [|exact Wg]. cbn. intros row Hr ->. destruct (cur g b1); [congruence|discriminate]. }
  pose proof (head_range X).
  pose proof (enter sigma N worth kappa c N_pos worth_unit kappa_pos kappa_le c_pos 0 _ _ X _ _ _
    ltac:(lia) ltac:(auto) Hx Hrows HE) as HP. fold (pot F b1 g j) in HP.
  pose proof (gap c 0 (sum_of (off f F) cs) (sum_of F ns) X HT). pose proof (chain_pos [X] (later f bs)). lia.
Qed.
End Cycle.

End CompanyMoves.
