(** A set of followed warps (servers.md, any followed warps): in each cycle some followed warp that is present still has something to do.
    Then each cycle is stalled or pays for itself. Grids are this with one followed warp for each block of a place. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP.

(** A warp is not followed, or followed until its last result is there, or until its last issue. *)
Inductive role := Other | Whole | Last.
Record fwarp := FWarp { core : warp; as_ : role }.

(** What happens to a warp in a cycle: what it does, whether its latency is frozen, and whether it is present. A warp that is not
    present does not issue and does not wait: its block has not started. (Presence may change in any way.) *)
Record doing := Doing { act : action; ice : bool; here : bool }.
Record gcycle := GCycle { doings : list doing; gtook : nat -> nat }.

Definition gstalled (c : gcycle) : bool := existsb ice (doings c).
Fixpoint gstalls (cs : list gcycle) : nat :=
  match cs with [] => 0 | c :: cs => gstalls cs + if gstalled c then 1 else 0 end.

Definition seen (v : warp) (h : bool) : warp := if h then v else Warp (sched v) [] (lat v) (held v).

Section Followed.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).

Notation fstep := (fstep unit occ).
Notation step := (step unit occ).
Notation legal := (legal unit inst lo hi shared width).
Notation able := (able lo hi).
Notation span := (span occ hi).
Notation busy := (busy unit shared).

Fixpoint views (st : list fwarp) (ds : list doing) : list warp :=
  match st, ds with x :: st, d :: ds => seen (core x) (here d) :: views st ds | _, _ => [] end.

Definition gstep (x : fwarp) (d : doing) : fwarp := FWarp (fstep (core x) (act d) (ice d)) (as_ x).

Fixpoint gnext (st : list fwarp) (ds : list doing) : list fwarp :=
  match st, ds with x :: st, d :: ds => gstep x d :: gnext st ds | _, _ => [] end.

Definition glegal (st : list fwarp) (pool : nat -> nat) (c : gcycle) : Prop :=
  length (doings c) = length st /\ legal (views st (doings c)) (map act (doings c)) /\
  serves J rate pool (fun j => asked asks j (map core st) (map act (doings c))) (gtook c) (gstalled c).

Inductive grun : list fwarp -> (nat -> nat) -> list gcycle -> list fwarp -> (nat -> nat) -> Prop :=
| grun_nil st pool : grun st pool [] st pool
| grun_cons st pool c cs st' pool' : glegal st pool c ->
    grun (gnext st (doings c)) (pool_after pool (fun j => asked asks j (map core st) (map act (doings c))) (gtook c)) cs st' pool' ->
    grun st pool (c :: cs) st' pool'.

(** Some followed warp is present and has a letter to issue or, if it is followed to its last result, a latency left; and no warp
    that is followed to its last issue has issued it. *)
Definition busy_with (x : fwarp) (d : doing) : Prop :=
  here d = true /\ match as_ x with Other => False | Whole => code (core x) <> [] \/ 0 < lat (core x) | Last => True end.

Definition watched (st : list fwarp) (ds : list doing) : Prop :=
  (exists k x d, nth_error st k = Some x /\ nth_error ds k = Some d /\ busy_with x d) /\
  Forall (fun x => as_ x = Last -> code (core x) <> []) st.

Fixpoint all_watched (st : list fwarp) (cs : list gcycle) : Prop :=
  match cs with [] => True | c :: cs => watched st (doings c) /\ all_watched (gnext st (doings c)) cs end.

Hypothesis occ_pos : forall x, 1 <= occ x.

(** What a followed warp takes by itself: max(hi, n) for each letter; one cycle for the last letter if it is followed to its last
    issue. *)
Definition whole (v : warp) : nat := Nat.max (lat v) (longest (held v)) + list_sum (map span (code v)).
Definition takes (r : role) (v : warp) : nat :=
  match r with Other => 0 | Whole => whole v | Last => own occ hi v end.

Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.

(** [near] tells the schedulers and U the units of the followed warps. *)
Variables (near : nat -> bool) (U : list nat).

Notation charge := (charge unit occ shared wi wd near U).
Notation charge_pos := (charge_pos unit inst occ shared occ_pos N wi wd N_pos wi_unit wd_pos near U).

Local Open Scope Z_scope.

Definition worth (x : fwarp) : Z :=
  match as_ x with Other => charge (core x) | r => N * Z.of_nat (takes r (core x)) end.

Definition worths (st : list fwarp) : Z := sumZ (map worth st).

Definition goes_on (x : fwarp) : Prop := as_ x = Last -> code (core x) <> [].

Lemma worth_pos x : 0 <= worth x.
Proof. unfold worth. destruct (as_ x); try nia. apply charge_pos. Qed.

Lemma seen_able v h a : able (seen v h) a -> able v a.
Proof. unfold seen. destruct h; [auto|]. destruct a; cbn; tauto. Qed.

(** An issue, a latency or a hold takes 1 off what a followed warp takes; a frozen latency takes nothing off. *)
Lemma takes_frozen r v a f : able v a -> (takes r (fstep v a f) <= takes r v)%nat.
Proof.
  intros Ha. destruct r; cbn [takes]; [lia| |].
  - unfold whole, MemoryRuns.fstep, MachineRuns.step. destruct a as [l|].
    + destruct Ha as [Hl Hr]. destruct (code v) as [|x s]; [tauto|]. pose proof (occ_pos x).
      destruct f; cbn [code lat held sched longest map list_sum fold_right]; rewrite longest_age; fold (list_sum (map span s));
        unfold CP.span at 2; lia.
    + destruct f; cbn [code lat held sched]; rewrite longest_age; destruct (code v); lia.
  - apply MemoryCP.own_frozen with lo; assumption.
Qed.

Lemma takes_falls r v a : able v a -> r <> Other -> (r = Last -> code v <> []) ->
  (a <> None \/ (0 < longest (held v))%nat \/ (0 < lat v)%nat) -> (1 + takes r (step v a) <= takes r v)%nat.
Proof.
  intros Ha Hr Hc H. destruct r; [congruence| |]; cbn [takes].
  - unfold whole, MachineRuns.step. destruct a as [l|].
    + destruct Ha as [Hl Hx]. destruct (code v) as [|x s]; [tauto|]. pose proof (occ_pos x).
      cbn [code lat held sched longest map list_sum fold_right]. rewrite longest_age. fold (list_sum (map span s)).
      unfold CP.span at 2. lia.
    + cbn [code lat held sched]. rewrite longest_age. destruct H as [H|H]; [congruence|]. destruct (code v); lia.
  - destruct a as [l|]; [apply own_issue with lo; assumption|]. apply own_idle; [now apply Hc|]. destruct H as [H|H]; [congruence|lia].
Qed.

Lemma holding_longest u h : (0 < holding u h -> 0 < longest h)%nat.
Proof.
  induction h as [|[x r] h IH]; cbn [holding longest]; [lia|]. destruct (x =? u)%nat, (Nat.ltb_spec 0 r); cbn [andb]; lia.
Qed.

(** Each warp pays for the instances and the slot that it uses. *)
Lemma pays_busy g u x d : near g = true -> occurs u U = true -> able (core x) (act d) -> goes_on x ->
  (busy g u (core x) (act d) <= inst u)%nat ->
  wi u * Z.of_nat (busy g u (core x) (act d)) + worth (gstep x (Doing (act d) false true)) <= worth x.
Proof.
  intros Hg Hu Ha Hl Hb. unfold worth, gstep. cbn [as_ core act ice]. change (fstep (core x) (act d) false) with (step (core x) (act d)).
  pose proof (charge_busy unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near g U (core x) (act d) u Hg Ha Hu) as Hc.
  destruct (as_ x) eqn:Er; [exact Hc| |];
    (assert (wi u * Z.of_nat (busy g u (core x) (act d)) <= N) by (pose proof (wi_unit u); pose proof (wi_pos inst N wi N_pos wi_unit u); nia);
     destruct (Nat.eq_dec (busy g u (core x) (act d)) 0) as [E|E];
     [pose proof (takes_frozen (as_ x) (core x) (act d) false Ha) as Ht; rewrite Er in Ht; change (fstep (core x) (act d) false) with (step (core x) (act d)) in Ht; rewrite E; nia|];
     assert (act d <> None \/ (0 < longest (held (core x)))%nat \/ (0 < lat (core x))%nat) as Hor
       by (unfold MachineRuns.busy in E; destruct (sees shared g u (sched (core x))); [|congruence]; destruct (act d); [left; discriminate|];
           right; left; apply (holding_longest u); cbn [issues andb] in E; lia);
     pose proof (takes_falls (as_ x) (core x) (act d) Ha ltac:(congruence) ltac:(exact Hl) Hor) as Ht; rewrite Er in Ht; nia).
Qed.

Lemma pays_slot g x d : near g = true -> able (core x) (act d) -> goes_on x ->
  wd * Z.of_nat (slot g (core x) (act d)) + worth (gstep x (Doing (act d) false true)) <= worth x.
Proof.
  intros Hg Ha Hl. unfold worth, gstep. cbn [as_ core act ice]. change (fstep (core x) (act d) false) with (step (core x) (act d)).
  pose proof (charge_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near g U (core x) (act d) Hg Ha) as Hc.
  destruct (as_ x) eqn:Er; [exact Hc| |];
    (assert (slot g (core x) (act d) <= 1)%nat as H1 by (unfold slot; destruct (_ && _); lia);
     destruct (Nat.eq_dec (slot g (core x) (act d)) 0) as [E|E];
     [pose proof (takes_frozen (as_ x) (core x) (act d) false Ha) as Ht; rewrite Er in Ht; change (fstep (core x) (act d) false) with (step (core x) (act d)) in Ht; rewrite E; nia|];
     assert (act d <> None) as Hi by (unfold slot in E; destruct (act d); [discriminate|]; cbn [issues] in E; rewrite andb_false_r in E; congruence);
     pose proof (takes_falls (as_ x) (core x) (act d) Ha ltac:(congruence) ltac:(exact Hl) (or_introl Hi)) as Ht; rewrite Er in Ht; nia).
Qed.

Lemma worth_mono x d : able (core x) (act d) -> worth (gstep x d) <= worth x.
Proof.
  intros Ha. unfold worth, gstep. cbn [as_ core]. pose proof (takes_frozen (as_ x) (core x) (act d) (ice d) Ha).
  destruct (as_ x); try nia.
  assert (charge (fstep (core x) (act d) (ice d)) = charge (step (core x) (act d))) as ->.
  { unfold MemoryRuns.fstep, CP.charge, CP.weight. now destruct (ice d). }
  pose proof (charge_slot unit inst occ lo hi shared width occ_pos N wi wd N_pos wi_unit wd_pos near (sched (core x)) U (core x) (act d)) as Hc.
  destruct (near (sched (core x))) eqn:En; [specialize (Hc eq_refl Ha); nia|].
  (* a warp of another scheduler: its holds and its letters *)
  clear Hc. unfold CP.charge, CP.weight, MachineRuns.step. destruct (act d) as [l|].
  - destruct Ha as [_ Hr]. destruct (code (core x)) as [|y c]; [tauto|]. cbn [code held sched map sumZ CP.debt].
    pose proof (debt_age_le inst shared N wi N_pos wi_unit near U (sched (core x)) (held (core x))) as Hd.
    pose proof (occ_pos y). pose proof (wi_pos inst N wi N_pos wi_unit (unit y)).
    assert (price unit occ shared wi wd near U (sched (core x)) y >=
      (if (shared (unit y) || near (sched (core x))) && occurs (unit y) U then Z.of_nat (pred (occ y)) * wi (unit y) else 0)); [|lia].
    unfold price. cbv zeta. rewrite En. destruct (shared (unit y)), (occurs (unit y) U); cbn [andb orb]; nia.
  - cbn [code held sched].
    pose proof (debt_age_le inst shared N wi N_pos wi_unit near U (sched (core x)) (held (core x))). lia.
Qed.

Lemma worths_mono st ds : Forall2 able (views st ds) (map act ds) -> length ds = length st -> worths (gnext st ds) <= worths st.
Proof.
  revert ds; induction st as [|x st IH]; intros [|d ds] H Hl; cbn [length] in *; try lia; [reflexivity|].
  cbn [views map] in H. inversion H as [|? ? ? ? Ha Hs]; subst. specialize (IH ds Hs ltac:(lia)).
  pose proof (worth_mono x d (seen_able _ _ _ Ha)). unfold worths in *. cbn [gnext map sumZ]. lia.
Qed.

(** Presence hides what a warp wants, not what it holds. *)
Lemma busy_seen g u v h a : able (seen v h) a -> busy g u (seen v h) a = busy g u v a.
Proof.
  destruct h; [reflexivity|]. destruct a as [l|]; cbn; [tauto|]. reflexivity.
Qed.

Lemma slot_seen g v h a : slot g (seen v h) a = slot g v a.
Proof. now destruct h. Qed.

Lemma gstep_melted x d : ice d = false -> gstep x d = gstep x (Doing (act d) false true).
Proof. intros H. unfold gstep. now rewrite H. Qed.

Section Unstalled.
Variables (g : nat).
Hypothesis Hg : near g = true.

Lemma worths_busy u st ds : occurs u U = true -> Forall2 able (views st ds) (map act ds) -> length ds = length st ->
  Forall goes_on st -> existsb ice ds = false -> (total (busy g u) (views st ds) (map act ds) <= inst u)%nat ->
  wi u * Z.of_nat (total (busy g u) (views st ds) (map act ds)) + worths (gnext st ds) <= worths st.
Proof.
  intros Hu. revert ds; induction st as [|x st IH]; intros [|d ds] Ha Hl Hgo Hi Hb; cbn [length] in *; try lia; [cbn; lia|].
  cbn [views map] in Ha. inversion Ha as [|? ? ? ? Ha1 Ha2]; subst. inversion Hgo as [|? ? Hx Hst]; subst.
  cbn [existsb] in Hi. apply orb_false_iff in Hi. destruct Hi as [Hi1 Hi2]. cbn [views map total] in *.
  specialize (IH ds Ha2 ltac:(lia) Hst Hi2 ltac:(lia)). rewrite (busy_seen g u _ _ _ Ha1) in *.
  pose proof (pays_busy g u x d Hg Hu (seen_able _ _ _ Ha1) Hx ltac:(lia)) as Hp. rewrite <- gstep_melted in Hp by assumption.
  unfold worths in *. cbn [gnext map sumZ]. lia.
Qed.

Lemma worths_slot st ds : Forall2 able (views st ds) (map act ds) -> length ds = length st ->
  Forall goes_on st -> existsb ice ds = false ->
  wd * Z.of_nat (total (slot g) (views st ds) (map act ds)) + worths (gnext st ds) <= worths st.
Proof.
  revert ds; induction st as [|x st IH]; intros [|d ds] Ha Hl Hgo Hi; cbn [length] in *; try lia; [cbn; lia|].
  cbn [views map] in Ha. inversion Ha as [|? ? ? ? Ha1 Ha2]; subst. inversion Hgo as [|? ? Hx Hst]; subst.
  cbn [existsb] in Hi. apply orb_false_iff in Hi. destruct Hi as [Hi1 Hi2]. cbn [views map total] in *.
  specialize (IH ds Ha2 ltac:(lia) Hst Hi2). rewrite slot_seen in *.
  pose proof (pays_slot g x d Hg (seen_able _ _ _ Ha1) Hx) as Hp. rewrite <- gstep_melted in Hp by assumption.
  unfold worths in *. cbn [gnext map sumZ]. lia.
Qed.
End Unstalled.

Lemma worths_drop k st ds x d : nth_error st k = Some x -> nth_error ds k = Some d ->
  Forall2 able (views st ds) (map act ds) -> length ds = length st -> N + worth (gstep x d) <= worth x ->
  N + worths (gnext st ds) <= worths st.
Proof.
  revert st ds; induction k as [|k IH]; intros [|y st] [|e ds] Hx Hd Ha Hl Hw; cbn [nth_error length] in *; try discriminate; try lia;
    cbn [views map] in Ha; inversion Ha as [|? ? ? ? Ha1 Ha2]; subst.
  - injection Hx as ->. injection Hd as ->. pose proof (worths_mono st ds Ha2 ltac:(lia)). unfold worths in *. cbn [gnext map sumZ]. lia.
  - specialize (IH st ds Hx Hd Ha2 ltac:(lia) Hw). pose proof (worth_mono y e (seen_able _ _ _ Ha1)).
    unfold worths in *. cbn [gnext map sumZ]. lia.
Qed.

(** The width limits, or no scheduler has more warps than slots. *)
Definition wide (st : list fwarp) : Prop :=
  Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat.

(** [near] and U hold the schedulers and the units of all followed warps. *)
Definition covered (st : list fwarp) : Prop :=
  Forall (fun x => as_ x <> Other -> near (sched (core x)) = true /\ forall y, In y (code (core x)) -> occurs (unit y) U = true) st.

Lemma views_nth st ds k x d : nth_error st k = Some x -> nth_error ds k = Some d ->
  nth k (views st ds) nobody = seen (core x) (here d) /\ nth k (map act ds) None = act d /\ (k < length (views st ds))%nat.
Proof.
  revert st ds; induction k as [|k IH]; intros [|y st] [|e ds] Hx Hd; cbn [nth_error] in *; try discriminate; cbn [views map nth length].
  - injection Hx as ->. injection Hd as ->. repeat split; lia.
  - destruct (IH st ds Hx Hd) as (H1 & H2 & H3). repeat split; auto; lia.
Qed.

Lemma views_length st ds : length ds = length st -> length (views st ds) = length st.
Proof. revert ds; induction st; intros [|d ds] H; cbn [length views] in *; try lia. rewrite IHst; lia. Qed.

Lemma views_crowd g st ds : length ds = length st -> crowd g (views st ds) = crowd g (map core st).
Proof.
  unfold crowd. revert ds; induction st as [|x st IH]; intros [|d ds] H; cbn [length] in *; try lia; [reflexivity|].
  cbn [views map filter]. specialize (IH ds ltac:(lia)).
  assert (sched (seen (core x) (here d)) = sched (core x)) as -> by (now destruct (here d)).
  destruct (sched (core x) =? g)%nat; cbn [length]; lia.
Qed.

Lemma watched_cycle st pool c : glegal st pool c -> gstalled c = false -> watched st (doings c) -> covered st -> wide st ->
  N + worths (gnext st (doings c)) <= worths st.
Proof.
  intros (Hlen & Hleg & _) Hst ((k & x & d & Hx & Hd & Hh & Hb) & Hgo) Hcov Hw. set (ds := doings c) in *.
  unfold gstalled in Hst. fold ds in Hst.
  pose proof Hleg as (Ha & Hbusy & Hslot & Hwait).
  assert (ice d = false) as Hice.
  { clear - Hd Hst. revert k Hd; induction ds as [|e ds IH]; intros [|k] Hd; cbn [nth_error existsb] in *; try discriminate;
      apply orb_false_iff in Hst; [injection Hd as ->; tauto|]. now apply (IH (proj2 Hst) k). }
  destruct (views_nth st ds k x d Hx Hd) as (Vk & Ak & Lk).
  assert (able (core x) (act d)) as Hab.
  { pose proof (able_nth lo hi k _ _ Ha Lk) as H. rewrite Vk, Ak in H. now apply seen_able in H. }
  assert (as_ x <> Other) as Hr by (intros E; rewrite E in Hb; exact Hb).
  pose proof (proj1 (Forall_forall _ _) Hgo x (nth_error_In _ _ Hx)) as Hgx.
  assert (act d <> None \/ (0 < longest (held (core x)))%nat \/ (0 < lat (core x))%nat \/
    act d = None /\ longest (held (core x)) = O /\ lat (core x) = O) as Hcase.
  { destruct (act d); [left; discriminate|]. right.
    destruct (Nat.eq_dec (longest (held (core x))) 0); [|left; lia]. right. destruct (Nat.eq_dec (lat (core x)) 0); [right; auto|left; lia]. }
  assert ((act d <> None \/ (0 < longest (held (core x)))%nat \/ (0 < lat (core x))%nat) -> N + worths (gnext st ds) <= worths st) as Hfall.
  { intros H. apply (worths_drop k st ds x d Hx Hd Ha Hlen).
    pose proof (takes_falls (as_ x) (core x) (act d) Hab Hr Hgx H) as Ht. unfold worth, gstep. cbn [as_ core]. rewrite Hice.
    change (fstep (core x) (act d) false) with (step (core x) (act d)). destruct (as_ x); [congruence|nia|nia]. }
  destruct Hcase as [H|[H|[H|(Hn & Hh0 & Hl0)]]]; try (apply Hfall; tauto). clear Hfall.
  destruct (code (core x)) as [|y s] eqn:Ec.
  { exfalso. destruct (as_ x) eqn:Er; [congruence| |unfold goes_on in Hgx; try rewrite Ec in Hgx; now apply Hgx]. destruct Hb as [Hb|Hb]; [congruence|lia]. }
  pose proof (proj1 (Forall_forall _ _) Hcov x (nth_error_In _ _ Hx) Hr) as [Hnear Hunits].
  assert (occurs (unit y) U = true) as Hy by (apply Hunits; rewrite Ec; now left).
  assert (Forall goes_on st) as Hgo' by exact Hgo.
  assert (0 < total (blocked unit (sched (core x)) (unit y)) (views st ds) (map act ds))%nat as Hbl.
  { pose proof (total_one (blocked unit (sched (core x)) (unit y)) (views st ds) (map act ds) k Lk ltac:(now rewrite views_length, map_length)) as H.
    assert (blocked unit (sched (core x)) (unit y) (seen (core x) (here d)) (act d) = 1%nat) as E1.
    { rewrite Hh, Hn. cbn [seen]. unfold blocked, wants. rewrite Hl0, Ec, !Nat.eqb_refl. reflexivity. }
    rewrite Vk, Ak, E1 in H. lia. }
  destruct (Hwait _ _ Hbl) as [Hf|Hf].
  - pose proof (worths_busy (sched (core x)) Hnear (unit y) st ds Hy Ha Hlen Hgo' Hst ltac:(rewrite Hf; lia)) as H.
    rewrite Hf in H. pose proof (wi_unit (unit y)). nia.
  - pose proof (worths_slot (sched (core x)) Hnear st ds Ha Hlen Hgo' Hst) as H. rewrite Hf in H.
    destruct Hw as [Hw|[_ Hw]]; [nia|].
    pose proof (slot_left (sched (core x)) (views st ds) (map act ds) k Lk ltac:(now rewrite views_length, map_length)
      ltac:(rewrite Vk, Hh; reflexivity) ltac:(now rewrite Ak)) as Hc. rewrite views_crowd in Hc by assumption.
    specialize (Hw (sched (core x))). lia.
Qed.

Lemma covered_next st ds : length ds = length st -> covered st -> covered (gnext st ds).
Proof.
  unfold covered. revert ds; induction st as [|x st IH]; intros [|d ds] Hl H; cbn [length] in *; try lia; [constructor|].
  inversion H as [|? ? Hx Hst]; subst. cbn [gnext]. constructor; [|apply IH; auto].
  intros Hr. destruct (Hx Hr) as [H1 H2]. unfold gstep. cbn [core]. rewrite sched_fstep. split; [assumption|].
  intros y Hy. apply H2. revert Hy. rewrite code_fstep. unfold MachineRuns.step. destruct (act d), (code (core x)); cbn [code In]; auto.
Qed.

Lemma wide_next st ds : length ds = length st -> wide st -> wide (gnext st ds).
Proof.
  intros Hl [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g.
  assert (crowd g (map core (gnext st ds)) = crowd g (map core st)) as ->; [|apply H2].
  clear - Hl. unfold crowd. revert ds Hl; induction st as [|x st IH]; intros [|d ds] Hl; cbn [length] in *; try lia; [reflexivity|].
  cbn [gnext map filter]. specialize (IH ds ltac:(lia)). unfold gstep at 1. cbn [core]. rewrite sched_fstep.
  destruct (sched (core x) =? g)%nat; cbn [length]; lia.
Qed.

Lemma worths_pos st : 0 <= worths st.
Proof. unfold worths. induction st as [|x st IH]; cbn [map sumZ]; [lia|]. pose proof (worth_pos x). lia. Qed.

(** From any state: the cycles of the window, but the stalled ones. *)
Theorem followed_any_state st pool cs st' pool' : grun st pool cs st' pool' -> all_watched st cs -> covered st -> wide st ->
  N * Z.of_nat (length cs - gstalls cs) <= worths st.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros Hwat Hcov Hw; [cbn; pose proof (worths_pos st); lia|].
  cbn [all_watched] in Hwat. destruct Hwat as [Hwat Hrest]. pose proof Hm as (Hlen & Hleg & _).
  specialize (IH Hrest (covered_next _ _ Hlen Hcov) (wide_next _ _ Hlen Hw)). cbn [length gstalls].
  destruct (gstalled c) eqn:Est.
  - pose proof (worths_mono st (doings c) (proj1 Hleg) Hlen). replace (S (length cs) - (gstalls cs + 1))%nat with (length cs - gstalls cs)%nat by lia. lia.
  - pose proof (watched_cycle st pool c Hm Est Hwat Hcov Hw).
    assert (S (length cs) - (gstalls cs + 0) <= 1 + (length cs - gstalls cs))%nat by lia. nia.
Qed.

Lemma gnext_to_ask j st ds : Forall2 able (views st ds) (map act ds) -> length ds = length st ->
  to_ask asks j (map core st) = (asked asks j (map core st) (map act ds) + to_ask asks j (map core (gnext st ds)))%nat.
Proof.
  unfold to_ask, asked. set (q := fun v => list_sum (map (asks j) (code v))).
  revert ds; induction st as [|x st IH]; intros [|d ds] Ha Hl; cbn [length] in *; try lia; [reflexivity|].
  cbn [views map] in Ha. inversion Ha as [|? ? ? ? Ha1 Ha2]; subst. specialize (IH ds Ha2 ltac:(lia)). cbn [map total gnext].
  change (q (core x) + list_sum (map q (map core st)) = asked_by asks j (core x) (act d) + total (asked_by asks j) (map core st) (map act ds) +
    (q (core (gstep x d)) + list_sum (map q (map core (gnext st ds)))))%nat.
  assert (q (core x) = asked_by asks j (core x) (act d) + q (core (gstep x d)))%nat; [|lia].
  unfold q, asked_by, gstep. cbn [core]. rewrite code_fstep. unfold MachineRuns.step.
  destruct (act d) as [l|], (code (core x)) as [|y s] eqn:E; cbn [code map list_sum fold_right]; rewrite ?E; reflexivity.
Qed.

Lemma gstalled_cycles st pool cs st' pool' : (forall j, (j < J)%nat -> (1 <= rate j)%nat) -> grun st pool cs st' pool' ->
  (gstalls cs <= memory_term J rate (fun j => pool j + to_ask asks j (map core st)))%nat.
Proof.
  intros Hr H. apply paid_bound; [assumption|].
  induction H as [st pool|st pool c cs st' pool' Hm H IH]; [apply paid_none|]. cbn [gstalls].
  destruct Hm as (Hl & (Ha & _) & Hs).
  apply (paid_step J rate _ _ _ _ (fun j => to_ask asks j (map core st)) _ _ Hs) in IH; [exact IH|].
  intros j _. rewrite (gnext_to_ask j st (doings c) Ha Hl). lia.
Qed.

Definition unfollowed (st : list fwarp) : list warp :=
  map core (filter (fun x => match as_ x with Other => true | _ => false end) st).

(** Theorem F: if in each cycle of a run some followed warp has something to do, the run has no more cycles than the followed
    warps take by themselves, floor(sum of the weights of all other warps), and the sum over the servers of floor(Q_j / beta_j). *)
Theorem followed st pool cs st' pool' : Forall (fun x => core x = fresh (sched (core x)) (code (core x))) st ->
  (forall j, (j < J)%nat -> (1 <= rate j)%nat) -> covered st -> wide st -> grun st pool cs st' pool' -> all_watched st cs ->
  Z.of_nat (length cs) <=
    Z.of_nat (list_sum (map (fun x => takes (as_ x) (core x)) st)) +
    sumZ (map (weight unit occ shared wi wd near U) (unfollowed st)) / N +
    Z.of_nat (memory_term J rate (fun j => pool j + to_ask asks j (map core st))%nat).
Proof.
  intros Hst Hrate Hcov Hw Hr Hwat. pose proof (followed_any_state _ _ _ _ _ Hr Hwat Hcov Hw) as H.
  pose proof (gstalled_cycles _ _ _ _ _ Hrate Hr) as Hk.
  assert (worths st = N * Z.of_nat (list_sum (map (fun x => takes (as_ x) (core x)) st)) +
    sumZ (map (weight unit occ shared wi wd near U) (unfollowed st))) as E.
  { unfold worths, unfollowed. clear - Hst. induction Hst as [|x st Hx Hst IH]; [cbn; lia|].
    cbn [map sumZ filter list_sum fold_right]. fold (list_sum (map (fun x => takes (as_ x) (core x)) st)). unfold worth at 1.
    rewrite IH, Nat2Z.inj_add, Z.mul_add_distr_l. destruct (as_ x); cbn [map sumZ takes]; [|lia|lia].
    assert (charge (core x) = weight unit occ shared wi wd near U (core x)) as ->; [|lia].
    unfold CP.charge. rewrite Hx at 2 3. cbn [sched held fresh CP.debt]. lia. }
  rewrite E in H.
  assert (Z.of_nat (length cs - gstalls cs) - Z.of_nat (list_sum (map (fun x => takes (as_ x) (core x)) st)) <=
    sumZ (map (weight unit occ shared wi wd near U) (unfollowed st)) / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|]. lia.
Qed.
End Followed.
