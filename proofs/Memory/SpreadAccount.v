(** Spread warps (docs/machines.md): the account of one cycle and of a run. In each cycle one warp is followed, and what counts besides
    is what the others are worth for shared units, and what some of them are worth besides on the scheduler of the followed warp. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP CPBarriers Pinned.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed Grid.

(** * Sums over indices *)
Section Sums.
Local Open Scope Z_scope.
Implicit Types F G : nat -> Z.

Lemma sig_le l F G : (forall i, In i l -> F i <= G i) -> sumZ (map F l) <= sumZ (map G l).
Proof.
  induction l as [|x l IH]; intros H; cbn [map sumZ]; [lia|]. pose proof (H x (or_introl eq_refl)).
  specialize (IH (fun i Hi => H i (or_intror Hi))). lia.
Qed.

Lemma sig_eq l F G : (forall i, In i l -> F i = G i) -> sumZ (map F l) = sumZ (map G l).
Proof. intros H. f_equal. now apply map_ext_in. Qed.

Lemma sig_add l F G : sumZ (map (fun i => F i + G i) l) = sumZ (map F l) + sumZ (map G l).
Proof. induction l as [|x l IH]; cbn [map sumZ]; lia. Qed.

Lemma sig_mul l c F : sumZ (map (fun i => c * F i) l) = c * sumZ (map F l).
Proof. induction l as [|x l IH]; cbn [map sumZ]; lia. Qed.

Lemma sig_pos l F : (forall i, In i l -> 0 <= F i) -> 0 <= sumZ (map F l).
Proof. intros H. pose proof (sig_le l (fun _ => 0) F H) as E. enough (sumZ (map (fun _ => 0) l) = 0) by lia. clear. induction l; cbn [map sumZ]; lia. Qed.

Lemma sig_zero l F : (forall i, In i l -> F i = 0) -> sumZ (map F l) = 0.
Proof. induction l as [|x l IH]; intros H; cbn [map sumZ]; [reflexivity|]. rewrite (H x (or_introl eq_refl)), IH; auto. intros i Hi. apply H. now right. Qed.

Lemma sig_drop l F G k d : In k l -> (forall i, In i l -> F i <= G i) -> d + F k <= G k -> d + sumZ (map F l) <= sumZ (map G l).
Proof.
  induction l as [|x l IH]; intros Hk H Hd; [elim Hk|]. cbn [map sumZ]. pose proof (H x (or_introl eq_refl)).
  destruct Hk as [->|Hk].
  - pose proof (sig_le l F G (fun i Hi => H i (or_intror Hi))). lia.
  - specialize (IH Hk (fun i Hi => H i (or_intror Hi)) Hd). lia.
Qed.

Lemma sig_swap (l l' : list nat) (F : nat -> nat -> Z) :
  sumZ (map (fun i => sumZ (map (F i) l')) l) = sumZ (map (fun j => sumZ (map (fun i => F i j) l)) l').
Proof.
  induction l as [|x l IH]; cbn [map sumZ]; [now rewrite sig_zero|]. rewrite IH, <- sig_add. apply sig_eq. reflexivity.
Qed.

(** How many there are. *)
Definition one (b : bool) : Z := if b then 1 else 0.

Lemma one_pos b : 0 <= one b.
Proof. destruct b; cbn; lia. Qed.

Lemma sig_count (p : nat -> bool) l : sumZ (map (fun i => one (p i)) l) = Z.of_nat (length (filter p l)).
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [map sumZ filter]. rewrite IH. destruct (p x); cbn [one length]; lia. Qed.

Lemma total_index f vs m : length m = length vs ->
  Z.of_nat (total f vs m) = sumZ (map (fun i => Z.of_nat (f (nth i vs nobody) (nth i m None))) (seq 0 (length vs))).
Proof.
  revert m; induction vs as [|v vs IH]; intros [|a m] H; cbn [length] in H; try lia; [reflexivity|].
  cbn [total length seq map sumZ nth]. rewrite Nat2Z.inj_add, IH by lia. rewrite <- seq_shift, map_map. reflexivity.
Qed.
End Sums.

Lemma views_at st : forall ds i, length ds = length st -> i < length st ->
  nth i (views st ds) nobody = seen (core (nth i st idle_warp)) (here (nth i ds still)).
Proof.
  induction st as [|x st IH]; intros [|d ds] i Hl Hi; cbn [length] in *; try lia. destruct i as [|i]; cbn [views nth]; [reflexivity|].
  apply IH; lia.
Qed.

Lemma acts_at : forall (ds : list doing) i, nth i (map act ds) None = act (nth i ds still).
Proof. intros ds i. change None with (act still). apply map_nth. Qed.

Lemma no_ice c i : gstalled c = false -> ice (nth i (doings c) still) = false.
Proof.
  unfold gstalled. generalize (doings c). intros ds; revert i; induction ds as [|d ds IH]; intros [|i] H; cbn [existsb nth] in *; auto;
    apply orb_false_iff in H; [tauto|now apply IH].
Qed.

Section Account.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis occ_pos : forall x, 1 <= occ x.
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
(** The units of the followed warps. *)
Variable U : list nat.

Notation gnext := (gnext unit occ).
Notation gstep := (gstep unit occ).
Notation glegal := (glegal unit inst lo hi shared width J rate asks).
Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation able := (able lo hi).
Notation busy := (busy unit shared).
Notation at_time := (at_time unit occ).
Notation worth near := (worth unit occ hi shared N wi wd near U).
Notation sharedZ := (sharedZ unit occ shared wi wd U).
Notation privateOn := (privateOn unit occ shared wi wd U).
Notation nth_core i st := (core (nth i st idle_warp)).
Local Open Scope Z_scope.

(** What a warp is worth to a followed warp on scheduler g, if its part on g counts, and if not. *)
Definition near_if (g : nat) (counts : bool) : nat -> bool := if counts then on g else far.
Definition val (g : nat) (counts : bool) (r : role) (v : warp) : Z := worth (near_if g counts) (FWarp v r).

Lemma val_followed g c r v : r <> Other -> val g c r v = N * Z.of_nat (takes occ hi r v).
Proof. unfold val, Followed.worth. cbn [as_ core]. destruct r; congruence. Qed.

Lemma val_other g c v : val g c Other v = sharedZ v + if c then privateOn g v else 0.
Proof.
  unfold val, Followed.worth. cbn [as_ core]. destruct c; cbn [near_if]; [apply charge_split|]. unfold Pinned.sharedZ. lia.
Qed.

Lemma val_pos g c r v : 0 <= val g c r v.
Proof. exact (worth_pos unit inst occ hi shared occ_pos N wi wd N_pos wi_unit wd_pos (near_if g c) U (FWarp v r)). Qed.

Lemma val_step g c r v d : able v (act d) -> val g c r (core (gstep (FWarp v r) d)) <= val g c r v.
Proof. exact (worth_mono unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos (near_if g c) U (FWarp v r) d). Qed.

(** A warp whose part on g need not count: it is not there and holds nothing, or it has issued all and has nothing left on g. *)
Definition quiet (g : nat) (v : warp) (d : doing) : Prop :=
  here d = false /\ longest (held v) = 0%nat \/ code v = [] /\ privateOn g v = 0 \/ sched v <> g.

Lemma gstep_core r v d : core (gstep (FWarp v r) d) = fstep unit occ v (act d) (ice d).
Proof. reflexivity. Qed.

Lemma privateOn_step g v d : able v (act d) -> privateOn g v = 0 -> privateOn g (core (gstep (FWarp v Other) d)) = 0.
Proof.
  intros Ha H0.
  pose proof (privateOn_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U g (core (gstep (FWarp v Other) d))).
  enough (privateOn g (core (gstep (FWarp v Other) d)) <= privateOn g v) by lia. rewrite gstep_core.
  pose proof (privateZ_step unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos U v (act d) Ha) as Hp.
  assert (privateZ unit occ shared wi wd U (fstep unit occ v (act d) (ice d)) = privateZ unit occ shared wi wd U (step unit occ v (act d))) as E
    by (unfold fstep; now destruct (ice d)).
  unfold Pinned.privateOn. rewrite sched_fstep, E. destruct (_ =? _)%nat; lia.
Qed.

Lemma val_busy g u c r v d : occurs u U = true -> able (seen v (here d)) (act d) -> goes_on (FWarp v r) -> ice d = false ->
  (r = Other -> c = false -> quiet g v d) -> (busy g u (seen v (here d)) (act d) <= inst u)%nat ->
  wi u * Z.of_nat (busy g u (seen v (here d)) (act d)) + val g c r (core (gstep (FWarp v r) d)) <= val g c r v.
Proof.
  intros Hu Hs Hg Hi Hq Hb. pose proof (seen_able unit lo hi shared J rate asks shared _ _ _ Hs) as Ha.
  rewrite (busy_seen unit lo hi shared J rate asks shared g u v _ _ Hs) in *.
  pose proof (pays_busy unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos (on g) U g u (FWarp v r) d (Nat.eqb_refl g) Hu Ha Hg Hb) as Hp.
  rewrite <- (gstep_melted unit occ (FWarp v r) d Hi) in Hp.
  destruct c; [exact Hp|]. destruct r.
  2, 3: exact Hp.
  specialize (Hq eq_refl eq_refl).
  assert (privateOn g v = 0 -> wi u * Z.of_nat (busy g u v (act d)) + val g false Other (core (gstep (FWarp v Other) d)) <= val g false Other v) as Hz.
  { intros H0. change (worth (on g) (gstep (FWarp v Other) d)) with (val g true Other (core (gstep (FWarp v Other) d))) in Hp.
    change (worth (on g) (FWarp v Other)) with (val g true Other v) in Hp. rewrite !val_other in *. cbn [core] in Hp.
    pose proof (privateOn_nonneg unit inst occ shared width occ_pos N wi wd N_pos wi_unit wd_pos U g (core (gstep (FWarp v Other) d))). lia. }
  destruct Hq as [[H1 H2]|[[_ H2]|H]].
  - assert (busy g u v (act d) = 0%nat) as ->.
    { rewrite H1 in Hs. cbn [seen] in Hs. destruct (act d) as [l|]; [cbn in Hs; tauto|]. unfold MachineRuns.busy. cbn [issues andb].
      rewrite longest_holding by assumption. now destruct (sees _ _ _ _). }
    pose proof (val_step g false Other v d Ha). lia.
  - now apply Hz.
  - apply Hz. unfold Pinned.privateOn. now destruct (Nat.eqb_spec (sched v) g).
Qed.

Lemma val_slot g c r v d : able (seen v (here d)) (act d) -> goes_on (FWarp v r) -> ice d = false ->
  (r = Other -> c = false -> quiet g v d) ->
  wd * Z.of_nat (slot g (seen v (here d)) (act d)) + val g c r (core (gstep (FWarp v r) d)) <= val g c r v.
Proof.
  intros Hs Hg Hi Hq. pose proof (seen_able unit lo hi shared J rate asks shared _ _ _ Hs) as Ha. rewrite slot_seen.
  pose proof (pays_slot unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le (on g) U g (FWarp v r) d (Nat.eqb_refl g) Ha Hg) as Hp.
  rewrite <- (gstep_melted unit occ (FWarp v r) d Hi) in Hp.
  destruct c; [exact Hp|]. destruct r.
  2, 3: exact Hp.
  specialize (Hq eq_refl eq_refl). assert (slot g v (act d) = 0%nat) as ->; [|pose proof (val_step g false Other v d Ha); lia].
  unfold slot. destruct (act d) as [l|] eqn:E; cbn [issues]; [|now rewrite andb_false_r]. rewrite andb_true_r.
  destruct Hq as [[H1 _]|[[H1 _]|H]].
  - rewrite H1 in Hs. cbn in Hs. tauto.
  - destruct Ha as [_ Ha]. now rewrite H1 in Ha.
  - now destruct (Nat.eqb_spec (sched v) g).
Qed.

(** All warps. [f] tells their roles, and X whose part on g counts. *)
Definition pot (g : nat) (X : nat -> bool) (f : nat -> role) (st : list fwarp) : Z :=
  sumZ (map (fun i => val g (X i) (f i) (nth_core i st)) (seq 0 (length st))).

Definition base (f : nat -> role) (st : list fwarp) : Z := pot 0 (fun _ => false) f st.

Definition phi (g : nat) (X : nat -> bool) (f : nat -> role) (st : list fwarp) : Z :=
  sumZ (map (fun i => if match f i with Other => X i | _ => false end then privateOn g (nth_core i st) else 0) (seq 0 (length st))).

Lemma pot_split g X f st : pot g X f st = base f st + phi g X f st.
Proof.
  unfold base, pot, phi. rewrite <- sig_add. apply sig_eq. intros i _. destruct (f i) eqn:E.
  - rewrite !val_other. lia.
  - rewrite !val_followed by discriminate. lia.
  - rewrite !val_followed by discriminate. lia.
Qed.

Lemma pot_pos g X f st : 0 <= pot g X f st.
Proof. apply sig_pos. intros. apply val_pos. Qed.

Lemma gnext_core i st ds f : length ds = length st ->
  nth_core i (gnext st ds) = core (gstep (FWarp (nth_core i st) (f i)) (nth i ds still)).
Proof. intros H. now rewrite gnext_nth. Qed.

Lemma pot_step g X f st pool c : glegal st pool c -> pot g X f (gnext st (doings c)) <= pot g X f st.
Proof.
  intros (Hl & (Ha & _) & _). unfold pot. rewrite (gnext_length unit occ) by assumption. apply sig_le. intros i _.
  rewrite (gnext_core i st (doings c) f Hl). apply val_step. now apply (able_at_index lo hi shared J rate asks).
Qed.

(** Warps on g that could issue. *)
Definition contends (g : nat) (st : list fwarp) (ds : list doing) (i : nat) : bool :=
  (sched (nth_core i st) =? g)%nat && here (nth i ds still) && match code (nth_core i st) with [] => false | _ => true end.

(** A cycle that is not stalled: warp k is followed. *)
Lemma account_cycle g X f st pool c k : glegal st pool c -> gstalled c = false -> (k < length st)%nat ->
  here (nth k (doings c) still) = true -> sched (nth_core k st) = g ->
  (f k = Whole /\ (code (nth_core k st) <> [] \/ 0 < lat (nth_core k st) \/ 0 < longest (held (nth_core k st)))%nat \/ f k = Last) ->
  (forall i, (i < length st)%nat -> f i = Last -> code (nth_core i st) <> []) ->
  (forall i, (i < length st)%nat -> f i = Other -> X i = false -> quiet g (nth_core i st) (nth i (doings c) still)) ->
  (forall y, In y (code (nth_core k st)) -> occurs (unit y) U = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ (length (filter (contends g st (doings c)) (seq 0 (length st))) <= width)%nat) ->
  N + pot g X f (gnext st (doings c)) <= pot g X f st.
Proof.
  intros Hm Hst Hk Hh Hg Hlive Hlast Hq HU Hw. pose proof Hm as (Hlen & Hleg & _). pose proof Hleg as (Hab & Hbusy & Hslot & Hwait).
  set (ds := doings c) in *. set (v := nth_core k st) in *. set (d := nth k ds still) in *.
  assert (forall i, (i < length st)%nat -> able (seen (nth_core i st) (here (nth i ds still))) (act (nth i ds still))) as Hsee.
  { intros i Hi. pose proof (able_nth lo hi i _ _ Hab ltac:(now rewrite views_length)) as H. now rewrite views_at, acts_at in H by assumption. }
  assert (forall i, (i < length st)%nat -> able (nth_core i st) (act (nth i ds still))) as Habl
    by (intros; now apply (able_at_index lo hi shared J rate asks)).
  assert (forall i, (i < length st)%nat -> goes_on (FWarp (nth_core i st) (f i))) as Hgo by (intros i Hi E; now apply Hlast).
  assert (f k <> Other) as Hr by (destruct Hlive as [[E _]|E]; rewrite E; discriminate).
  assert (forall i, ice (nth i ds still) = false) as Hice by (intros; now apply no_ice).
  unfold pot. rewrite (gnext_length unit occ) by assumption.
  assert ((act d <> None \/ (0 < longest (held v))%nat \/ (0 < lat v)%nat) ->
    N + sumZ (map (fun i => val g (X i) (f i) (nth_core i (gnext st ds))) (seq 0 (length st))) <=
    sumZ (map (fun i => val g (X i) (f i) (nth_core i st)) (seq 0 (length st)))) as Hfall.
  { intros H. apply (sig_drop _ _ _ k); [apply in_seq; lia| |].
    - intros i Hi. apply in_seq in Hi. rewrite (gnext_core i st ds f Hlen). apply val_step, Habl. lia.
    - rewrite (gnext_core k st ds f Hlen), !val_followed by assumption. fold v d. rewrite gstep_core. unfold d at 2. rewrite Hice. fold d.
      change (fstep unit occ v (act d) false) with (step unit occ v (act d)).
      pose proof (takes_falls unit occ lo hi shared J rate asks occ_pos shared (f k) v (act d) (Habl k Hk) Hr (Hgo k Hk) H). nia. }
  assert (act d <> None \/ (0 < longest (held v))%nat \/ (0 < lat v)%nat \/ act d = None /\ longest (held v) = O /\ lat v = O) as Hcase.
  { destruct (act d); [left; discriminate|]. right.
    destruct (Nat.eq_dec (longest (held v)) 0); [|left; lia]. right. destruct (Nat.eq_dec (lat v) 0); [right; auto|left; lia]. }
  destruct Hcase as [H|[H|[H|(Hn & Hh0 & Hl0)]]]; [apply Hfall; now left|apply Hfall; right; now left|apply Hfall; right; now right|]. clear Hfall.
  destruct (code v) as [|y s] eqn:Ec.
  { exfalso. destruct Hlive as [[_ [H|[H|H]]]|H]; [now apply H|lia|lia|]. now apply (Hlast k Hk H). }
  assert (occurs (unit y) U = true) as Hy by (apply HU; now left).
  assert (0 < total (blocked unit g (unit y)) (views st ds) (map act ds))%nat as Hbl.
  { pose proof (total_one (blocked unit g (unit y)) (views st ds) (map act ds) k ltac:(now rewrite views_length) ltac:(now rewrite views_length, map_length)) as H.
    rewrite views_at, acts_at in H by assumption. fold v d in H. rewrite Hh, Hn in H. cbn [seen] in H.
    assert (blocked unit g (unit y) v None = 1%nat) as E by (unfold blocked, wants; rewrite Hl0, Ec, Hg, !Nat.eqb_refl; reflexivity). rewrite E in H. lia. }
  assert (length (map act ds) = length (views st ds)) as Hlm by (now rewrite views_length, map_length).
  destruct (Hwait _ _ Hbl) as [Hf|Hf].
  - assert (wi (unit y) * Z.of_nat (total (busy g (unit y)) (views st ds) (map act ds)) = N) as E by (rewrite Hf; pose proof (wi_unit (unit y)); lia).
    rewrite <- E at 1. rewrite total_index, views_length by assumption. rewrite <- sig_mul, <- sig_add. apply sig_le. intros i Hi. apply in_seq in Hi.
    rewrite views_at, acts_at by (assumption || lia). rewrite (gnext_core i st ds f Hlen). apply val_busy; auto; try (apply Hsee; lia); try (apply Hgo; lia).
    { intros Hi1 Hi2. apply Hq; auto; lia. }
    pose proof (total_one (busy g (unit y)) (views st ds) (map act ds) i ltac:(rewrite views_length by assumption; lia) Hlm) as H.
    rewrite views_at, acts_at in H by (assumption || lia). rewrite Hf in H. exact H.
  - destruct Hw as [Hw|[_ Hw]].
    + assert (wd * Z.of_nat (total (slot g) (views st ds) (map act ds)) = N) as E by (rewrite Hf; lia).
      rewrite <- E at 1. rewrite total_index, views_length by assumption. rewrite <- sig_mul, <- sig_add. apply sig_le. intros i Hi. apply in_seq in Hi.
      rewrite views_at, acts_at by (assumption || lia). rewrite (gnext_core i st ds f Hlen). apply val_slot; auto; try (apply Hsee; lia); try (apply Hgo; lia).
      intros Hi1 Hi2. apply Hq; auto; lia.
    + exfalso. assert (1 + Z.of_nat (total (slot g) (views st ds) (map act ds)) <= Z.of_nat width); [|lia].
      apply Z.le_trans with (Z.of_nat (length (filter (contends g st ds) (seq 0 (length st))))); [|lia].
      rewrite <- sig_count, total_index, views_length by assumption. apply (sig_drop _ _ _ k); [apply in_seq; lia| |].
      * intros i Hi. apply in_seq in Hi. rewrite views_at, acts_at by (assumption || lia). specialize (Hsee i ltac:(lia)).
        rewrite slot_seen. unfold slot, contends. destruct (act (nth i ds still)) as [l|]; cbn [issues]; [|rewrite andb_false_r; apply one_pos].
        destruct (here (nth i ds still)); cbn [seen] in Hsee; [|cbn in Hsee; tauto]. destruct Hsee as [_ Hsee].
        destruct (code (nth_core i st)); [tauto|]. rewrite !andb_true_r. destruct (sched (nth_core i st) =? g)%nat; cbn; lia.
      * rewrite views_at, acts_at by assumption. fold v d. rewrite slot_seen, Hn. unfold slot, contends. fold v d. cbn [issues]. rewrite andb_false_r, Hh, Hg, Ec, Nat.eqb_refl. cbn. lia.
Qed.

(** ** A run *)

Lemma cycle_at st pool cs st' pool' : grun st pool cs st' pool' -> forall t, (t < length cs)%nat ->
  exists pool1, glegal (at_time st cs t) pool1 (nth t cs (GCycle [] (fun _ => 0%nat))) /\
    at_time st cs (S t) = gnext (at_time st cs t) (during cs t).
Proof.
  unfold during. intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros t Ht; cbn [length] in Ht; [lia|].
  destruct t as [|t]; cbn [Grid.at_time nth].
  - exists pool. split; [assumption|]. now destruct cs.
  - destruct (IH t ltac:(lia)) as (pool1 & H1 & H2). exists pool1. split; [assumption|]. exact H2.
Qed.

Lemma stalls_next cs : forall t, (t < length cs)%nat ->
  gstalls (firstn (S t) cs) = (gstalls (firstn t cs) + if gstalled (nth t cs (GCycle [] (fun _ => 0%nat))) then 1 else 0)%nat.
Proof.
  induction cs as [|c cs IH]; intros t Ht; cbn [length] in Ht; [lia|]. destruct t as [|t].
  - cbn [firstn gstalls nth]. destruct cs; reflexivity.
  - cbn [nth]. change (firstn (S (S t)) (c :: cs)) with (c :: firstn (S t) cs). change (firstn (S t) (c :: cs)) with (c :: firstn t cs).
    cbn [gstalls]. rewrite IH by lia. lia.
Qed.

(** In cycle t (from 0) the warp [fol t] is followed, the parts of X t count, and [prep t] cycles are already paid; [rest t] is what else is
    set aside for the time after it. *)
Lemma account st pool cs st' pool' (f : nat -> role) (fol : nat -> nat) (X : nat -> nat -> bool) (prep : nat -> nat) (rest : nat -> Z) :
  let n := length cs in let S_ t := at_time st cs t in let g t := sched (nth_core (fol t) st) in
  grun st pool cs st' pool' -> (0 < n)%nat ->
  (forall t, (t < n)%nat -> (fol t < length st)%nat /\ here (nth (fol t) (during cs t) still) = true /\
    (f (fol t) = Whole /\ (code (nth_core (fol t) (S_ t)) <> [] \/ 0 < lat (nth_core (fol t) (S_ t)) \/ 0 < longest (held (nth_core (fol t) (S_ t))))%nat \/
     f (fol t) = Last)) ->
  (forall t i, (t < n)%nat -> (i < length st)%nat -> f i = Last -> code (nth_core i (S_ t)) <> []) ->
  (forall t, (t < n)%nat -> prep t = 0%nat -> forall i, (i < length st)%nat -> f i = Other -> X t i = false ->
    quiet (g t) (nth_core i (S_ t)) (nth i (during cs t) still)) ->
  (forall t, (t < n)%nat -> forall y, In y (code (nth_core (fol t) (S_ t))) -> occurs (unit y) U = true) ->
  (forall t, (t < n)%nat -> Z.of_nat width * wd = N \/ wd = 0 /\ (length (filter (contends (g t) (S_ t) (during cs t)) (seq 0 (length st))) <= width)%nat) ->
  (forall t, (S t < n)%nat -> phi (g (S t)) (X (S t)) f (S_ (S t)) + N * Z.of_nat (prep (S t)) + rest (S t) <=
    phi (g t) (X t) f (S_ (S t)) + N * Z.of_nat (pred (prep t)) + rest t) ->
  (forall t, (t < n)%nat -> 0 <= rest t) ->
  N * Z.of_nat (n - gstalls cs) <= base f st + phi (g 0%nat) (X 0%nat) f st + N * Z.of_nat (prep 0%nat) + rest 0%nat.
Proof.
  intros n S_ g Hr Hn Hfol Hlast Hq HU Hw Htrans Hrest.
  destruct (lengths _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ Hr) as [Hlen _].
  set (stl t := gstalls (firstn t cs)).
  assert (forall t, (stl t <= t)%nat) as Hstl.
  { intros t. unfold stl. clear. revert t; induction cs as [|c cs IH]; intros [|t]; cbn [firstn gstalls]; try lia.
    specialize (IH t). destruct (gstalled c); lia. }
  assert (forall t i, (t <= n)%nat -> sched (nth_core i (S_ t)) = sched (nth_core i st)) as Hsched.
  { intros t i Ht. induction t as [|t IH]; [unfold S_; destruct cs; reflexivity|]. destruct (cycle_at _ _ _ _ _ Hr t ltac:(lia)) as (pool1 & (Hl & _) & E).
    unfold S_ in *. rewrite E, gnext_nth by assumption. unfold Followed.gstep. cbn [core]. rewrite sched_fstep. apply IH. lia. }
  assert (forall t, (t < n)%nat -> N * (Z.of_nat (S t) - Z.of_nat (stl (S t))) + pot (g t) (X t) f (S_ (S t)) + N * Z.of_nat (pred (prep t)) <=
    N * (Z.of_nat t - Z.of_nat (stl t)) + pot (g t) (X t) f (S_ t) + N * Z.of_nat (prep t)) as Hone.
  { intros t Ht. destruct (cycle_at _ _ _ _ _ Hr t Ht) as (pool1 & Hm & E). unfold stl. rewrite stalls_next by assumption.
    unfold S_ in *. rewrite E. unfold during in *. pose proof (pot_step (g t) (X t) f _ _ _ Hm) as Hp. destruct (gstalled _) eqn:Est; [nia|].
    destruct (prep t) as [|p] eqn:Ep; [|cbn [pred]; nia].
    destruct (Hfol t Ht) as (H1 & H2 & H3). specialize (Hq t Ht Ep).
    pose proof (account_cycle (g t) (X t) f _ _ _ (fol t) Hm Est ltac:(now rewrite Hlen) H2 ltac:(apply (Hsched t (fol t)); lia) H3
      ltac:(rewrite Hlen; intros i Hi; now apply Hlast) ltac:(rewrite Hlen; exact Hq) (HU t Ht) ltac:(rewrite Hlen; exact (Hw t Ht))). cbn [pred]. nia. }
  assert (forall t, (t < n)%nat -> N * (Z.of_nat t - Z.of_nat (stl t)) + pot (g t) (X t) f (S_ t) + N * Z.of_nat (prep t) + rest t <=
    pot (g 0%nat) (X 0%nat) f st + N * Z.of_nat (prep 0%nat) + rest 0%nat) as Hall.
  { induction t as [|t IH]; intros Ht.
    - unfold S_, stl. destruct cs; cbn [firstn gstalls Grid.at_time]; lia.
    - specialize (IH ltac:(lia)). specialize (Hone t ltac:(lia)). specialize (Htrans t ltac:(lia)). rewrite !pot_split in *. lia. }
  specialize (Hall (n - 1)%nat ltac:(lia)). specialize (Hone (n - 1)%nat ltac:(lia)). specialize (Hrest (n - 1)%nat ltac:(lia)).
  replace (S (n - 1)) with n in Hone by lia. pose proof (pot_pos (g (n - 1)%nat) (X (n - 1)%nat) f (S_ n)).
  assert (stl n = gstalls cs) as E by (unfold stl, n; now rewrite firstn_all). rewrite E in *. specialize (Hstl n). rewrite E in Hstl.
  rewrite !pot_split in *. rewrite Nat2Z.inj_sub by lia. lia.
Qed.
End Account.
