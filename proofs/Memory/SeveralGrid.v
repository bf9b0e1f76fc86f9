(** A grid on several multiprocessors (servers.md): until the last block starts, another multiprocessor is full (Q(y)); then ended blocks
    may hold units for h cycles; and then only blocks that are there are in the way of the last warp (L). The memory term counts once. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid.

Section Several.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation fstep := (fstep unit occ).
Notation gnext := (gnext unit occ).
Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation able := (able lo hi).
Notation at_time := (at_time unit occ).
Notation nth_core i st := (core (nth i st idle_warp)).

(** ** What stays true of each warp *)

Lemma at_time_inv (P : warp -> Prop) i st pool cs st' pool' : (forall v a f, able v a -> P v -> P (fstep v a f)) ->
  grun st pool cs st' pool' -> P (nth_core i st) -> forall t, t <= length cs -> P (nth_core i (at_time st cs t)).
Proof.
  intros HP H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hi t Ht; cbn [length] in Ht.
  - now replace t with 0 by lia.
  - destruct t as [|t]; cbn [Grid.at_time]; [assumption|]. apply IH; [|lia]. destruct Hm as (Hl & (Ha & _) & _).
    rewrite gnext_nth by assumption. unfold gstep. cbn [core]. apply HP; [|assumption]. now apply (able_at_index lo hi).
Qed.

(** h is at least n - lo of every letter: a hold outlasts its latency by h at most. *)
Variable h : nat.
Hypothesis overhang : forall x, occ x <= lo x + h.

Definition held_over (v : warp) : Prop := longest (held v) <= lat v + h.

Lemma held_over_step v a f : able v a -> held_over v -> held_over (fstep v a f).
Proof.
  unfold held_over, MemoryRuns.fstep, step. intros Ha H. destruct a as [l|].
  - destruct Ha as [Hl Hr]. destruct (code v) as [|x s]; [tauto|]. pose proof (overhang x).
    destruct f; cbn [held lat code sched longest]; rewrite longest_age; lia.
  - destruct f, (code v); cbn [held lat code sched]; rewrite longest_age; lia.
Qed.

(** A warp that has ended holds units for d cycles more at most. *)
Definition gone (d : nat) (v : warp) : Prop := code v = [] /\ lat v = 0 /\ longest (held v) <= d.

Lemma gone_step d v a f : able v a -> gone d v -> gone (pred d) (fstep v a f).
Proof.
  intros Ha (H1 & H2 & H3). unfold gone, MemoryRuns.fstep, step. rewrite H1. destruct a as [l|].
  { destruct Ha as [_ Ha]. now rewrite H1 in Ha. }
  destruct f; cbn [held lat code sched]; rewrite longest_age; repeat split; lia.
Qed.

Lemma at_time_gone i st pool cs st' pool' : grun st pool cs st' pool' -> forall d t, t <= length cs -> gone d (nth_core i st) ->
  gone (d - t) (nth_core i (at_time st cs t)).
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros d t Ht Hg; cbn [length] in Ht.
  - replace t with 0 by lia. now rewrite Nat.sub_0_r.
  - destruct t as [|t]; cbn [Grid.at_time]; [now rewrite Nat.sub_0_r|].
    replace (d - S t) with (pred d - t) by lia. apply IH; [lia|]. destruct Hm as (Hl & (Ha & _) & _).
    rewrite gnext_nth by assumption. unfold gstep. cbn [core]. apply gone_step; [|assumption]. now apply (able_at_index lo hi).
Qed.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variables (A F : nat) (om : Z).
Local Open Scope Z_scope.

Notation charge near U := (charge unit occ shared wi wd near U).
Notation weight near U := (weight unit occ shared wi wd near U).
Notation small near U := (small unit occ hi shared wi wd near U A F om).
Notation own := (own occ hi).

Lemma gone_charge near U v : gone 0 v -> charge near U v = 0.
Proof.
  intros (H1 & _ & H3). unfold CP.charge, CP.weight. rewrite H1. cbn [map sumZ]. rewrite Z.add_0_l. revert H3.
  induction (held v) as [|[u r] l IH]; [reflexivity|]. cbn [longest CP.debt]. intros H. rewrite IH by lia. replace r with O by lia.
  destruct (_ && _); lia.
Qed.

(** L: from any state, with the warps [mine] in the way. *)
Theorem left_over near U (mine : nat -> bool) st pool cs st' pool' w :
  grun st pool cs st' pool' -> (forall i, (i < length st)%nat -> charge near U (nth_core i st) <= if mine i then om else 0) ->
  (own (nth_core w st) <= F)%nat -> near (sched (nth_core w st)) = true ->
  (forall y, In y (code (nth_core w st)) -> occurs (unit y) U = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (w < length st)%nat -> mine w = true -> (forall t, (t < length cs)%nat -> here (nth w (during cs t) still) = true) ->
  code (nth_core w (at_time st cs (length cs - 1))) <> [] ->
  Z.of_nat (length cs - gstalls cs) <= Z.of_nat F + (Z.of_nat (length (filter mine (seq 0 (length st)))) - 1) * om / N.
Proof.
  intros Hr Hch How Hnear HU Hwide Hw Hmw Hpres Hlast.
  set (f := fun i => if (i =? w)%nat then Last else Other).
  destruct (lengths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr) as [Hlen Hdl].
  assert (all_watched unit occ (rerole f 0 st) cs) as Hwat.
  { apply watched_pointwise. intros t Ht. rewrite rerole_at_time. split.
    - exists w, (FWarp (nth_core w (at_time st cs t)) (f w)), (nth w (during cs t) still). split; [|split].
      + rewrite rerole_nth by (now rewrite Hlen). reflexivity.
      + apply nth_error_nth'. now rewrite Hdl.
      + unfold busy_with. cbn [as_ core]. split; [now apply Hpres|]. unfold f. now rewrite Nat.eqb_refl.
    - apply Forall_forall. intros z Hz. destruct (rerole_In unit inst lo hi shared width asks f _ 0 z Hz) as (j & Hj & ->). cbn [as_ core]. rewrite Nat.add_0_l. intros E.
      assert (j = w) as -> by (unfold f in E; destruct (Nat.eqb_spec j w); [assumption|discriminate]).
      apply (at_time_code _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ w Hr t (length cs - 1)); [lia|exact Hlast]. }
  pose proof (rerole_run _ _ _ _ _ _ _ _ _ _ f _ _ _ _ _ Hr) as Hrr.
  assert (covered unit near U (rerole f 0 st)) as Hcov.
  { apply Forall_forall. intros z Hz Hr0. destruct (rerole_In unit inst lo hi shared width asks f _ 0 z Hz) as (j & Hj & ->). cbn [core as_] in *. rewrite Nat.add_0_l in Hr0.
    unfold f in Hr0. destruct (Nat.eqb_spec j w); [subst; auto|congruence]. }
  assert (wide width N wd (rerole f 0 st)) as Hwide'.
  { destruct Hwide as [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g. now rewrite rerole_core. }
  pose proof (followed_any_state unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le near U
    _ _ _ _ _ Hrr Hwat Hcov Hwide') as Hmain.
  assert (worths unit occ hi shared N wi wd near U (rerole f 0 st) <=
    sumZ (map (fun j => price_of N A F om (mine j) (f j)) (seq 0 (length st)))) as Hsum.
  { assert (forall l i, (forall k, (k < length l)%nat -> charge near U (nth_core k l) <= if mine (i + k)%nat then om else 0) ->
      (forall k, (k < length l)%nat -> (i + k)%nat = w -> (own (nth_core k l) <= F)%nat) ->
      worths unit occ hi shared N wi wd near U (rerole f i l) <= sumZ (map (fun j => price_of N A F om (mine j) (f j)) (seq i (length l)))) as G.
    { induction l as [|x l IH]; intros i H1 H2; [cbn; lia|]. unfold worths in *. cbn [rerole map sumZ length seq].
      assert (worth unit occ hi shared N wi wd near U (FWarp (core x) (f i)) <= price_of N A F om (mine i) (f i)) as Hx.
      { unfold worth, price_of. cbn [as_ core]. specialize (H1 0%nat ltac:(cbn [length]; lia)). specialize (H2 0%nat ltac:(cbn [length]; lia)).
        cbn [nth] in H1, H2. rewrite Nat.add_0_r in H1, H2. unfold f. destruct (Nat.eqb_spec i w); [|assumption].
        specialize (H2 ltac:(assumption)). cbn [takes]. nia. }
      assert (sumZ (map (worth unit occ hi shared N wi wd near U) (rerole f (S i) l)) <=
        sumZ (map (fun j => price_of N A F om (mine j) (f j)) (seq (S i) (length l)))); [|lia].
      apply IH.
      - intros k Hk. specialize (H1 (S k) ltac:(cbn [length]; lia)). cbn [nth] in H1. now rewrite Nat.add_succ_r in H1.
      - intros k Hk E. specialize (H2 (S k) ltac:(cbn [length]; lia)). cbn [nth] in H2. apply H2. lia. }
    apply G; [exact Hch|]. intros k Hk E. cbn in E. now subst. }
  rewrite prices_sum in Hsum.
  2:{ intros j _ Hj. unfold f in Hj. destruct (Nat.eqb_spec j w); [now subst|congruence]. }
  assert (length (filter (fun j => is_whole (f j)) (seq 0 (length st))) = 0)%nat as H0.
  { assert (filter (fun j => is_whole (f j)) (seq 0 (length st)) = []) as ->; [|reflexivity].
    generalize (seq 0 (length st)). induction l as [|j l IH]; [reflexivity|]. cbn [filter]. unfold f at 1. destruct (j =? w)%nat; exact IH. }
  assert (length (filter (fun j => is_last (f j)) (seq 0 (length st))) = 1)%nat as H1.
  { apply Nat.le_antisymm.
    - change 1%nat with (length [w]). apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj.
      destruct Hj as [_ Hj]. unfold f in Hj. destruct (Nat.eqb_spec j w); [subst; now left|]. discriminate.
    - assert (In w (filter (fun j => is_last (f j)) (seq 0 (length st)))) as Hi.
      { apply filter_In. split; [apply in_seq; lia|]. unfold f. now rewrite Nat.eqb_refl. }
      destruct (filter (fun j => is_last (f j)) (seq 0 (length st))) as [|j0 l0]; [elim Hi|]. cbn [length]. lia. }
  rewrite H0, H1 in Hsum.
  assert (Z.of_nat (length cs - gstalls cs) - Z.of_nat F <= (Z.of_nat (length (filter mine (seq 0 (length st)))) - 1) * om / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. nia.
Qed.

(** The second branch of the bound for several multiprocessors. In the first s cycles another multiprocessor (near2, U2, place2) that is
    given y blocks is full; from then on warp w is present until its last issue, that of cycle [length cs]. [there] tells the warps
    of w's multiprocessor (near1, U1) whose blocks have not ended at that moment. *)
Theorem several near1 U1 near2 U2 st pool cs st' pool' (block : nat -> nat) B R (place2 : nat -> nat) (on : nat -> nat -> bool) s (there : nat -> bool) w :
  let mine i := (place2 (block i) <? R)%nat in
  let y := length (filter (fun b => (place2 b <? R)%nat) (seq 0 B)) in
  let warps := length (filter mine (seq 0 (length st))) in
  grun st pool cs st' pool' ->
  (forall i, (i < length st)%nat -> small near2 U2 (mine i) (nth_core i st)) -> (forall i, (i < length st)%nat -> small near1 U1 true (nth_core i st)) ->
  om <= N * Z.of_nat A ->
  (forall i, (i < length st)%nat -> mine i = true -> near2 (sched (nth_core i st)) = true /\
    forall y, In y (code (nth_core i st)) -> occurs (unit y) U2 = true) ->
  near1 (sched (nth_core w st)) = true -> (forall y, In y (code (nth_core w st)) -> occurs (unit y) U1 = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (0 < R)%nat -> (w < length st)%nat -> there w = true -> (forall i, (i < length st)%nat -> (block i < B)%nat) ->
  (forall t i, (t < length cs)%nat -> (i < length st)%nat -> here (nth i (during cs t) still) = on t (block i)) ->
  (forall t, (t < length cs)%nat -> (t < s)%nat -> forall p, (p < R)%nat ->
     exists i, (i < length st)%nat /\ place2 (block i) = p /\ on t (block i) = true /\ lives (at_time st cs t) i) ->
  (forall t, (t < length cs)%nat -> (s <= t)%nat -> on t (block w) = true) ->
  (forall i, (i < length st)%nat -> there i = false -> weight near1 U1 (nth_core i st) <= 0 \/ ((s <= length cs)%nat -> ~ lives (at_time st cs s) i)) ->
  code (nth_core w (at_time st cs (length cs - 1))) <> [] ->
  let k := (y / R)%nat in
  Z.of_nat (length cs) <= Z.of_nat h + (Z.of_nat F + (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * om / N) +
    (Z.of_nat (k * A) + (Z.of_nat warps - Z.of_nat k) * om / N) +
    Z.of_nat (memory_term J rate (fun j => pool j + to_ask asks j (map core st))%nat).
Proof.
  intros mine y warps Hr Hsm2 Hsm1 Hom Hcov2 Hn1 HU1 Hwide HR Hw Htw Hblk Hpres Hfull Hafter Hthere Hlast k.
  pose proof (gstalled_cycles unit inst occ lo hi shared width J rate asks _ _ _ _ _ rate_pos Hr) as Hterm.
  (* the window before *)
  set (s1 := Nat.min s (length cs)).
  destruct (run_split _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr s1 ltac:(lia)) as (pool1 & Hr1 & Hr2).
  assert (length (firstn s1 cs) = s1) as Hl1 by (rewrite firstn_length; lia).
  assert (Z.of_nat (s1 - gstalls (firstn s1 cs)) <= Z.of_nat (k * A) + (Z.of_nat warps - Z.of_nat k) * om / N) as W1.
  { rewrite <- Hl1 at 1. apply (full unit inst occ lo hi shared width J rate asks occ_pos block N wi wd N_pos wi_unit wd_pos wd_le near2 U2 A F om
      st pool (firstn s1 cs) _ pool1 B R place2 on Hr1 Hsm2 Hom Hcov2 Hwide HR Hblk).
    - intros t i Ht Hi. rewrite Hl1 in Ht. rewrite during_firstn by assumption. apply Hpres; [lia|assumption].
    - intros t Ht p Hp. rewrite Hl1 in Ht. rewrite at_time_firstn by lia. apply Hfull; [lia|lia|assumption]. }
  pose proof (stalls_split s1 cs) as Hs1.
  assert (0 <= om) as Hom0.
  { destruct (Hsm1 w Hw) as (_ & _ & _ & Ho). pose proof (charge_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos near1 U1
      (fresh (sched (nth_core w st)) (code (nth_core w st)))) as H. unfold CP.charge, CP.weight in *. cbn [fresh held CP.debt sched code] in H. lia. }
  assert (1 <= length (filter there (seq 0 (length st))))%nat as Hcount.
  { assert (In w (filter there (seq 0 (length st)))) as Hi by (apply filter_In; split; [apply in_seq; lia|assumption]).
    destruct (filter there (seq 0 (length st))); [elim Hi|]. cbn [length]. lia. }
  assert (0 <= (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * om / N) as Hdiv by (apply Z.div_pos; nia).
  destruct (le_lt_dec (length cs) (s + h)) as [Hshort|Hlong].
  { assert (length cs <= s1 + h)%nat by lia. lia. }
  (* the window after the holds *)
  assert (s1 = s) as Es by lia. rewrite Es in *. clear s1 Es.
  destruct (run_split _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr (s + h)%nat ltac:(lia)) as (pool2 & _ & Hr3).
  set (st2 := at_time st cs (s + h)) in *. set (cs2 := skipn (s + h) cs) in *.
  assert (length cs2 = length cs - (s + h))%nat as Hl2 by apply skipn_length.
  destruct (lengths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr) as [Hlen _]. pose proof (Hlen (s + h)%nat) as Hlen2. fold st2 in Hlen2.
  assert (forall i, (i < length st)%nat -> charge near1 U1 (nth_core i st2) <= weight near1 U1 (nth_core i st)) as Hfall.
  { intros i Hi. apply (at_time_inv (fun v => charge near1 U1 v <= weight near1 U1 (nth_core i st)) i _ _ _ _ _) with (2 := Hr); [| |lia].
    - intros v a f Ha H. etransitivity; [|exact H].
      exact (worth_mono unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos near1 U1 (FWarp v Other) (Doing a f true) Ha).
    - destruct (Hsm1 i Hi) as (Hf & _). unfold CP.charge. rewrite Hf at 2 3. cbn [fresh held sched CP.debt]. lia. }
  assert (Z.of_nat (length cs2 - gstalls cs2) <= Z.of_nat F + (Z.of_nat (length (filter there (seq 0 (length st)))) - 1) * om / N) as W3.
  { rewrite <- Hlen2. apply (left_over near1 U1 there st2 pool2 cs2 st' pool' w Hr3).
    - intros i Hi. rewrite Hlen2 in Hi. destruct (there i) eqn:Et.
      + destruct (Hsm1 i Hi) as (_ & _ & _ & Ho). specialize (Hfall i Hi). lia.
      + destruct (Hthere i Hi Et) as [H0|H0]; [specialize (Hfall i Hi); lia|].
        specialize (H0 ltac:(lia)). unfold lives in H0.
        assert (gone h (nth_core i (at_time st cs s))) as Hg.
        { assert (held_over (nth_core i (at_time st cs s))) as Hh.
          { apply (at_time_inv held_over i st pool cs st' pool' held_over_step Hr); [|lia].
            destruct (Hsm1 i Hi) as (Hf & _). unfold held_over. rewrite Hf. cbn [fresh held lat longest]. lia. }
          unfold held_over in Hh. unfold gone. destruct (code (nth_core i (at_time st cs s))) eqn:Ec; [|elim H0; left; discriminate].
          assert (lat (nth_core i (at_time st cs s)) = O) as El by (destruct (lat (nth_core i (at_time st cs s))); [reflexivity|elim H0; right; lia]).
          repeat split; auto. lia. }
        assert (gone 0 (nth_core i st2)) as Hg2.
        { unfold st2. rewrite <- at_time_skipn by lia. rewrite <- (Nat.sub_diag h).
          apply (at_time_gone i _ _ _ _ _ Hr2); [rewrite skipn_length; lia|exact Hg]. }
        rewrite (gone_charge _ _ _ Hg2). lia.
    - apply (at_time_inv (fun v => (own v <= F)%nat) w st pool cs st' pool') with (2 := Hr); [| |lia].
      + intros v a f Ha H. pose proof (own_frozen unit inst occ lo hi shared width asks occ_pos v a f Ha). lia.
      + destruct (Hsm1 w Hw) as (Hf & _ & HF & _). assert (lat (nth_core w st) = O /\ held (nth_core w st) = []) as [E1 E2] by (rewrite Hf; split; reflexivity).
        unfold CP.own. rewrite E1, E2. cbn [longest]. destruct (code (nth_core w st)); lia.
    - apply (at_time_inv (fun v => near1 (sched v) = true) w st pool cs st' pool') with (2 := Hr); [|exact Hn1|lia].
      intros v a f _ H. now rewrite sched_fstep.
    - apply (at_time_inv (fun v => forall y, In y (code v) -> occurs (unit y) U1 = true) w st pool cs st' pool') with (2 := Hr); [|exact HU1|lia].
      intros v a f _ H z Hz. apply H. revert Hz. rewrite code_fstep. unfold step. destruct a, (code v); cbn [code In]; auto.
    - destruct Hwide as [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g.
      assert (crowd g (map core st2) = crowd g (map core st)) as ->; [|apply H2].
      clear - Hr. unfold st2. generalize (s + h)%nat. intros t. revert t. induction Hr as [st pool|st pool c cs st' pool' (Hl & _) H IH]; intros [|t];
        cbn [Grid.at_time]; auto. rewrite IH. clear - Hl. unfold crowd. revert Hl. generalize (doings c). intros ds Hl.
      revert ds Hl; induction st as [|x st IH]; intros [|d ds] Hl; cbn [length] in *; try lia; [reflexivity|].
      cbn [Followed.gnext map filter]. specialize (IH ds ltac:(lia)). unfold gstep at 1. cbn [core]. rewrite sched_fstep.
      destruct (sched (core x) =? g)%nat; cbn [length]; lia.
    - now rewrite Hlen2.
    - exact Htw.
    - intros t Ht. unfold cs2. rewrite during_skipn. rewrite Hpres by lia. apply Hafter; lia.
    - unfold st2, cs2. rewrite at_time_skipn by lia. rewrite skipn_length. replace (s + h + (length cs - (s + h) - 1))%nat with (length cs - 1)%nat by lia. exact Hlast. }
  pose proof (stalls_split (s + h) cs) as Hs2. fold cs2 in Hs2.
  assert (gstalls (firstn s cs) <= gstalls (firstn (s + h) cs))%nat as Hmono.
  { clear. revert s; induction cs as [|c cs IH]; intros [|s]; cbn [firstn gstalls Nat.add]; try lia. specialize (IH s). lia. }
  lia.
Qed.
End Several.
