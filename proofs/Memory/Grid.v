(** A grid with memory servers (servers.md): the bound P(x) + S for a multiprocessor that is given x of the blocks, in R places, be it the
    only one or one of several. A place of it is never free while its last block waits; the warps of one place's blocks with the last
    results are followed, and the last warp of all. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Machine Require Import MachineRuns CP MachineBlocks Chains CPBarriers.
From Warpspan.Memory Require Import Servers MemoryRuns MemoryCP Followed.

(** * Counting *)

(** Of R places that share l among them, one has no more than length l / R. *)
Lemma some_place {A} (place : A -> nat) R (l : list A) : 0 < R ->
  exists p, p < R /\ length (filter (fun b => place b =? p) l) <= length l / R.
Proof.
  intros HR. set (n := fun p => length (filter (fun b => place b =? p) l)).
  assert (sum_below n R <= length l) as Hs.
  { unfold n. clear. induction l as [|b l IH]; cbn [filter length].
    - clear. induction R; cbn [sum_below]; lia.
    - assert (forall n, sum_below (fun p => length (if place b =? p then b :: filter (fun b => place b =? p) l else filter (fun b => place b =? p) l)) n
        <= sum_below (fun p => length (filter (fun b => place b =? p) l)) n + if place b <? n then 1 else 0) as H.
      { induction n as [|n IHn]; cbn [sum_below]; [lia|]. destruct (Nat.ltb_spec (place b) n), (Nat.ltb_spec (place b) (S n)), (Nat.eqb_spec (place b) n);
          cbn [length]; lia. }
      specialize (H R). destruct (place b <? R); lia. }
  assert (forall k, k <= R -> (forall p, p < k -> S (length l / R) <= n p) -> k * S (length l / R) <= sum_below n k) as Hall.
  { induction k as [|k IH]; intros Hk H; cbn [sum_below]; [lia|]. specialize (IH ltac:(lia) ltac:(auto)). specialize (H k ltac:(lia)). lia. }
  assert (forall k, k <= R -> (exists p, p < k /\ n p <= length l / R) \/ forall p, p < k -> S (length l / R) <= n p) as D.
  { induction k as [|k IH]; intros Hk; [right; lia|]. destruct (IH ltac:(lia)) as [(p & Hp & H)|H]; [left; exists p; split; [lia|assumption]|].
    destruct (le_lt_dec (n k) (length l / R)); [left; exists k; split; [lia|assumption]|].
    right. intros p Hp. destruct (Nat.eq_dec p k); [subst; lia|apply H; lia]. }
  destruct (D R ltac:(lia)) as [H|H]; [exact H|]. specialize (Hall R ltac:(lia) H).
  pose proof (Nat.mul_succ_div_gt (length l) R ltac:(lia)). lia.
Qed.

Lemma filter_split {A} (f : A -> bool) l : length (filter f l) + length (filter (fun x => negb (f x)) l) = length l.
Proof. induction l as [|x l IH]; [reflexivity|]. cbn [filter length]. destruct (f x); cbn [negb length]; lia. Qed.

(** An initial segment. *)
Lemma first_true (p : nat -> bool) n : (forall t, p t = true -> p (S t) = true) ->
  exists s, s <= n /\ (forall t, t < s -> p t = false) /\ (forall t, s <= t < n -> p t = true).
Proof.
  intros Hp. induction n as [|n (s & Hs & H1 & H2)]; [exists 0; repeat split; intros; lia|].
  destruct (p n) eqn:E.
  - exists s. repeat split; [lia|assumption|]. intros t Ht. destruct (Nat.eq_dec t n); [now subst|apply H2; lia].
  - assert (s = n) as ->.
    { destruct (Nat.eq_dec s n); [assumption|]. assert (p (n - 1) = true) as H by (apply H2; lia). apply Hp in H.
      replace (S (n - 1)) with n in H by lia. congruence. }
    exists (S n). repeat split; [lia| |intros; lia]. intros t Ht. destruct (Nat.eq_dec t n); [now subst|apply H1; lia].
Qed.

Definition idle_warp : fwarp := FWarp nobody Other.
Definition still : doing := Doing None false false.

(** Warp i has a letter to issue or a latency left. *)
Definition lives (st : list fwarp) (i : nat) : Prop := code (core (nth i st idle_warp)) <> [] \/ 0 < lat (core (nth i st idle_warp)).

Lemma lives_dec st i : lives st i \/ ~ lives st i.
Proof.
  unfold lives. destruct (code (core (nth i st idle_warp))); [|left; left; discriminate].
  destruct (lat (core (nth i st idle_warp))); [right; intros [H|H]; [congruence|lia]|left; right; lia].
Qed.

Section Grid.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).
Variables (J : nat) (rate : nat -> nat) (asks : nat -> nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.
Hypothesis occ_pos : forall x, 1 <= occ x.

Notation gnext := (gnext unit occ).
Notation gstep := (gstep unit occ).
Notation grun := (grun unit inst occ lo hi shared width J rate asks).
Notation glegal := (glegal unit inst lo hi shared width J rate asks).
Notation able := (able lo hi).

Fixpoint at_time (st : list fwarp) (cs : list gcycle) (t : nat) {struct t} : list fwarp :=
  match t, cs with S t, c :: cs => at_time (gnext st (doings c)) cs t | _, _ => st end.

Definition during (cs : list gcycle) (t : nat) : list doing := doings (nth t cs (GCycle [] (fun _ => 0))).

Lemma gnext_length st ds : length ds = length st -> length (gnext st ds) = length st.
Proof. revert ds; induction st; intros [|d ds] H; cbn [length Followed.gnext] in *; try lia. rewrite IHst; lia. Qed.

Lemma gnext_nth i st ds : length ds = length st -> nth i (gnext st ds) idle_warp = gstep (nth i st idle_warp) (nth i ds still).
Proof.
  revert i ds; induction st as [|x st IH]; intros i [|d ds] H; cbn [length] in *; try lia; [now destruct i|].
  destruct i as [|i]; cbn [Followed.gnext nth]; [reflexivity|]. apply IH. lia.
Qed.

Lemma able_at_index i st ds : Forall2 able (views st ds) (map act ds) -> length ds = length st ->
  able (core (nth i st idle_warp)) (act (nth i ds still)).
Proof.
  revert i ds; induction st as [|x st IH]; intros i [|d ds] Ha Hl; cbn [length] in *; try lia; [destruct i; exact I|].
  cbn [views map] in Ha. inversion Ha as [|? ? ? ? H1 H2]; subst. destruct i as [|i]; cbn [nth]; [now apply seen_able in H1|].
  apply IH; [assumption|lia].
Qed.

Lemma lives_before i st pool c : glegal st pool c -> lives (gnext st (doings c)) i -> lives st i.
Proof.
  intros (Hl & (Ha & _) & _). unfold lives. rewrite gnext_nth by assumption. pose proof (able_at_index i st _ Ha Hl) as Hab.
  unfold Followed.gstep, fstep, step. cbn [core].
  destruct (act (nth i (doings c) still)) as [l|], (code (core (nth i st idle_warp))) as [|y s] eqn:E, (ice (nth i (doings c) still));
    cbn [code lat sched held core]; try (unfold MachineRuns.able in Hab; rewrite E in Hab; tauto);
    intros [H|H]; try congruence; try (left; discriminate); try (right; lia).
Qed.

Lemma code_before i st pool c : glegal st pool c -> code (core (nth i (gnext st (doings c)) idle_warp)) <> [] ->
  code (core (nth i st idle_warp)) <> [].
Proof.
  intros (Hl & _). rewrite gnext_nth by assumption. unfold Followed.gstep. cbn [core]. rewrite code_fstep. unfold step.
  destruct (act _), (code (core (nth i st idle_warp))) eqn:E; cbn [code]; congruence.
Qed.

Lemma at_time_lives st pool cs st' pool' i : grun st pool cs st' pool' -> forall t t', t <= t' <= length cs ->
  lives (at_time st cs t') i -> lives (at_time st cs t) i.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros t t' Ht Hl; cbn [length] in Ht.
  - now destruct t, t'.
  - destruct t' as [|t']; [now replace t with 0 by lia|]. cbn [at_time] in Hl. destruct t as [|t]; cbn [at_time].
    + apply (lives_before i st pool c Hm). apply (IH 0 t'); [lia|exact Hl].
    + apply (IH t t'); [lia|exact Hl].
Qed.

Lemma at_time_code st pool cs st' pool' i : grun st pool cs st' pool' -> forall t t', t <= t' <= length cs ->
  code (core (nth i (at_time st cs t') idle_warp)) <> [] -> code (core (nth i (at_time st cs t) idle_warp)) <> [].
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros t t' Ht Hl; cbn [length] in Ht.
  - now destruct t, t'.
  - destruct t' as [|t']; [now replace t with 0 by lia|]. cbn [at_time] in Hl. destruct t as [|t]; cbn [at_time].
    + apply (code_before i st pool c Hm). apply (IH 0 t'); [lia|exact Hl].
    + apply (IH t t'); [lia|exact Hl].
Qed.

(** ** Roles may be given afterwards *)

Fixpoint rerole (f : nat -> role) (i : nat) (st : list fwarp) : list fwarp :=
  match st with x :: st => FWarp (core x) (f i) :: rerole f (S i) st | [] => [] end.

Lemma rerole_core f st : forall i, map core (rerole f i st) = map core st.
Proof. induction st as [|x st IH]; intros i; cbn [rerole map]; [reflexivity|]. now rewrite IH. Qed.

Lemma rerole_length f st : forall i, length (rerole f i st) = length st.
Proof. induction st as [|x st IH]; intros i; cbn [rerole length]; [reflexivity|]. now rewrite IH. Qed.

Lemma rerole_views f st : forall i ds, views (rerole f i st) ds = views st ds.
Proof. induction st as [|x st IH]; intros i [|d ds]; cbn [rerole views]; auto. now rewrite IH. Qed.

Lemma rerole_next f st : forall i ds, gnext (rerole f i st) ds = rerole f i (gnext st ds).
Proof. induction st as [|x st IH]; intros i [|d ds]; cbn [rerole Followed.gnext]; auto. now rewrite IH. Qed.

Lemma rerole_run f st pool cs st' pool' : grun st pool cs st' pool' -> grun (rerole f 0 st) pool cs (rerole f 0 st') pool'.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' (H1 & H2 & H3) H IH]; constructor.
  - split; [now rewrite rerole_length|]. rewrite rerole_views, rerole_core. auto.
  - rewrite rerole_core, rerole_next. exact IH.
Qed.

Lemma rerole_at_time f cs : forall st t, at_time (rerole f 0 st) cs t = rerole f 0 (at_time st cs t).
Proof. induction cs as [|c cs IH]; intros st [|t]; cbn [at_time]; auto. now rewrite rerole_next, IH. Qed.

Lemma rerole_nth f st : forall i k, k < length st -> nth_error (rerole f i st) k = Some (FWarp (core (nth k st idle_warp)) (f (i + k))).
Proof.
  induction st as [|x st IH]; intros i k Hk; cbn [length] in Hk; [lia|]. destruct k as [|k]; cbn [rerole nth_error nth].
  - now rewrite Nat.add_0_r.
  - rewrite IH by lia. now rewrite Nat.add_succ_r.
Qed.

Lemma rerole_In f st : forall i x, In x (rerole f i st) -> exists k, k < length st /\ x = FWarp (core (nth k st idle_warp)) (f (i + k)).
Proof.
  induction st as [|y st IH]; intros i x H; cbn [rerole In] in H; [tauto|]. destruct H as [<-|H].
  - exists 0. cbn [length nth]. rewrite Nat.add_0_r. split; [lia|reflexivity].
  - destruct (IH _ _ H) as (k & Hk & ->). exists (S k). cbn [length nth]. rewrite Nat.add_succ_r. split; [lia|reflexivity].
Qed.

Lemma watched_pointwise cs : forall st, (forall t, t < length cs -> watched (at_time st cs t) (during cs t)) -> all_watched unit occ st cs.
Proof.
  induction cs as [|c cs IH]; intros st H; cbn [all_watched]; [exact I|]. split.
  - apply (H 0). cbn [length]. lia.
  - apply IH. intros t Ht. apply (H (S t)). cbn [length]. lia.
Qed.

(** ** The warp of a block with the last result *)

Variable block : nat -> nat.

Lemma last_result st pool cs st' pool' b s : grun st pool cs st' pool' -> s <= length cs ->
  (forall t i, t < s -> i < length st -> block i = b -> ~ lives (at_time st cs t) i) \/
  exists i, i < length st /\ block i = b /\
    forall t i', t < s -> i' < length st -> block i' = b -> lives (at_time st cs t) i' -> lives (at_time st cs t) i.
Proof.
  intros Hr. induction s as [|s IH]; intros Hs; [left; lia|]. specialize (IH ltac:(lia)).
  assert ((exists i, i < length st /\ block i = b /\ lives (at_time st cs s) i) \/
    forall i, i < length st -> block i = b -> ~ lives (at_time st cs s) i) as D.
  { generalize (length st). induction n as [|n [(i & Hi & H)|H]]; [right; lia|left; exists i; split; [lia|assumption]|].
    destruct (Nat.eq_dec (block n) b) as [Hb|Hb]; [destruct (lives_dec (at_time st cs s) n) as [Hl|Hl]|].
    - left. exists n. repeat split; auto.
    - right. intros i Hi Hbi. destruct (Nat.eq_dec i n); [now subst|apply H; [lia|assumption]].
    - right. intros i Hi Hbi. destruct (Nat.eq_dec i n); [now subst|apply H; [lia|assumption]]. }
  destruct D as [(i & Hi & Hb & Hl)|D].
  - right. exists i. repeat split; auto. intros t i' Ht _ _ _. apply (at_time_lives _ _ _ _ _ i Hr t s); [lia|assumption].
  - destruct IH as [IH|(i & Hi & Hb & IH)].
    + left. intros t i Ht Hi Hb. destruct (Nat.eq_dec t s); [subst; now apply D|apply IH; [lia|assumption|assumption]].
    + right. exists i. repeat split; auto. intros t i' Ht Hi' Hb' Hl. destruct (Nat.eq_dec t s); [subst; elim (D i' Hi' Hb' Hl)|].
      apply (IH t i'); auto. lia.
Qed.

(** One warp for each of these blocks. *)
Lemma last_results st pool cs st' pool' s bs : grun st pool cs st' pool' -> s <= length cs ->
  exists phi, length phi <= length bs /\ (forall i, In i phi -> i < length st /\ In (block i) bs) /\
    forall t i', t < s -> i' < length st -> In (block i') bs -> lives (at_time st cs t) i' ->
      exists i, In i phi /\ block i = block i' /\ lives (at_time st cs t) i.
Proof.
  intros Hr Hs. induction bs as [|b bs (phi & H1 & H2 & H3)].
  - exists []. cbn. repeat split; try lia; try tauto.
  - destruct (last_result st pool cs st' pool' b s Hr Hs) as [H|(i & Hi & Hb & H)].
    + exists phi. cbn [length In]. split; [lia|]. split; [intros i Hi; destruct (H2 i Hi); auto|].
      intros t i' Ht Hi' [Hb|Hb] Hl; [elim (H t i' Ht Hi' (eq_sym Hb) Hl)|now apply H3].
    + exists (i :: phi). cbn [length In]. split; [lia|]. split; [intros k [<-|Hk]; [split; [assumption|left; congruence]|destruct (H2 k Hk); auto]|].
      intros t i' Ht Hi' [Hb'|Hb'] Hl.
      * exists i. split; [now left|]. split; [congruence|]. apply (H t i'); auto.
      * destruct (H3 t i' Ht Hi' Hb' Hl) as (k & Hk & Hbk & Hlk). exists k. split; [now right|auto].
Qed.

(** ** The bound *)
Variables (N : Z) (wi : nat -> Z) (wd : Z).
Hypothesis N_pos : (0 < N)%Z.
Hypothesis wi_unit : forall u, (Z.of_nat (inst u) * wi u = N)%Z.
Hypothesis wd_pos : (0 <= wd)%Z.
Hypothesis wd_le : (wd <= N)%Z.
Variables (near : nat -> bool) (U : list nat).

Notation weight := (weight unit occ shared wi wd near U).
Notation worth := (worth unit occ hi shared N wi wd near U).
Notation worths := (worths unit occ hi shared N wi wd near U).
Local Open Scope Z_scope.

(** A: no warp takes longer by itself, to its last result; F: to its last issue; om: no warp is worth more to others. *)
Variables (A F : nat) (om : Z).

Definition price_of (mine : bool) (r : role) : Z :=
  match r with Other => if mine then om else 0 | Whole => N * Z.of_nat A | Last => N * Z.of_nat F end.

(** A warp at its start, of this multiprocessor or of another one, where it is worth nothing to the followed ones. *)
Definition small (mine : bool) (v : warp) : Prop :=
  v = fresh (sched v) (code v) /\ (list_sum (map (span occ hi) (code v)) <= A)%nat /\ (alone occ hi (code v) <= F)%nat /\
  weight v <= if mine then om else 0.

Lemma worth_small mine v r : small mine v -> worth (FWarp v r) <= price_of mine r.
Proof.
  intros (Hf & HA & HF & Ho). unfold Followed.worth, price_of. cbn [as_ core]. destruct r.
  - unfold CP.charge. rewrite Hf at 2 3. cbn [sched held fresh CP.debt]. lia.
  - cbn [takes]. unfold whole. rewrite Hf. cbn [lat held code fresh longest]. rewrite Hf in HA. cbn [code fresh] in HA. nia.
  - cbn [takes]. unfold CP.own. rewrite Hf. cbn [lat held code fresh longest]. rewrite Hf in HF. cbn [code fresh] in HF.
    destruct (code v); nia.
Qed.

Lemma worths_small (mine : nat -> bool) (f : nat -> role) st : forall i,
  (forall k, (k < length st)%nat -> small (mine (i + k)%nat) (core (nth k st idle_warp))) ->
  worths (rerole f i st) <= sumZ (map (fun j => price_of (mine j) (f j)) (seq i (length st))).
Proof.
  induction st as [|x st IH]; intros i H; [cbn; lia|]. unfold Followed.worths in *. cbn [rerole map sumZ length seq] in *.
  pose proof (H 0%nat ltac:(lia)) as Hx. cbn [nth] in Hx. rewrite Nat.add_0_r in Hx.
  assert (forall k, (k < length st)%nat -> small (mine (S i + k)%nat) (core (nth k st idle_warp))) as Hr.
  { intros k Hk. specialize (H (S k) ltac:(lia)). cbn [nth] in H. now rewrite Nat.add_succ_r in H. }
  specialize (IH (S i) Hr). pose proof (worth_small (mine i) (core x) (f i) Hx). lia.
Qed.

Definition is_whole (r : role) : bool := match r with Whole => true | _ => false end.
Definition is_last (r : role) : bool := match r with Last => true | _ => false end.

Lemma prices_sum (mine : nat -> bool) (f : nat -> role) l : (forall j, In j l -> f j <> Other -> mine j = true) ->
  sumZ (map (fun j => price_of (mine j) (f j)) l) =
  N * Z.of_nat A * Z.of_nat (length (filter (fun j => is_whole (f j)) l)) + N * Z.of_nat F * Z.of_nat (length (filter (fun j => is_last (f j)) l)) +
  om * (Z.of_nat (length (filter mine l)) - Z.of_nat (length (filter (fun j => is_whole (f j)) l)) - Z.of_nat (length (filter (fun j => is_last (f j)) l))).
Proof.
  induction l as [|j l IH]; intros H; [cbn; lia|]. cbn [map sumZ filter length]. rewrite IH by (intros; apply H; [now right|assumption]).
  specialize (H j (or_introl eq_refl)). destruct (f j) eqn:E; cbn [is_whole is_last price_of length];
    [destruct (mine j)|rewrite H by discriminate|rewrite H by discriminate]; cbn [length]; nia.
Qed.

(** P(x) + S: [cs] are the cycles up to the last issue of warp w. There are B blocks; block b is put into [place b] and is present from
    a cycle on. The multiprocessor of w has the places below R; x of the blocks are put there, and [warps] warps are theirs. While
    w's block waits, each of these places has a block that is present and has not ended. *)
Theorem grid st pool cs st' pool' B R (place : nat -> nat) (on : nat -> nat -> bool) w :
  let mine i := (place (block i) <? R)%nat in
  let x := length (filter (fun b => (place b <? R)%nat) (seq 0 B)) in
  let warps := length (filter mine (seq 0 (length st))) in
  grun st pool cs st' pool' -> (forall i, (i < length st)%nat -> small (mine i) (core (nth i st idle_warp))) -> om <= N * Z.of_nat A ->
  (forall i, (i < length st)%nat -> mine i = true -> near (sched (core (nth i st idle_warp))) = true /\
    forall y, In y (code (core (nth i st idle_warp))) -> occurs (unit y) U = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (0 < R)%nat -> (w < length st)%nat -> mine w = true -> (forall i, (i < length st)%nat -> (block i < B)%nat) ->
  (forall t i, (t < length cs)%nat -> (i < length st)%nat -> here (nth i (during cs t) still) = on t (block i)) ->
  (forall t b, on t b = true -> on (S t) b = true) ->
  (forall t, (t < length cs)%nat -> on t (block w) = false -> forall p, (p < R)%nat ->
     exists i, (i < length st)%nat /\ place (block i) = p /\ on t (block i) = true /\ lives (at_time st cs t) i) ->
  code (core (nth w (at_time st cs (length cs - 1)) idle_warp)) <> [] ->
  let K := S ((x - 1) / R) in
  Z.of_nat (length cs) <= Z.of_nat ((K - 1) * A + F) + (Z.of_nat warps - Z.of_nat K) * om / N +
    Z.of_nat (memory_term J rate (fun j => pool j + to_ask asks j (map core st))%nat).
Proof.
  intros mine x warps Hr Hsm Hom Hcov Hwide HR Hw Hmw Hblk Hpres Hmon Hfull Hlast K.
  destruct (first_true (fun t => on t (block w)) (length cs) (fun t => Hmon t (block w))) as (s & Hs & Hbefore & Hafter).
  set (here_ := filter (fun b => (place b <? R)%nat) (seq 0 B)) in *.
  set (bs0 := filter (fun b => negb (b =? block w)%nat) here_).
  destruct (some_place place R bs0 HR) as (p & Hp & Hn). set (bs := filter (fun b => (place b =? p)%nat) bs0) in *.
  destruct (last_results st pool cs st' pool' s bs Hr Hs) as (phi & Hphi & Hin & Hlive).
  assert (length bs0 <= x - 1)%nat as Hb0.
  { pose proof (filter_split (fun b => (b =? block w)%nat) here_ : length (filter (fun b => (b =? block w)%nat) here_) + length bs0 = length here_)%nat as Hfl.
    assert (In (block w) (filter (fun b => (b =? block w)%nat) here_)) as Hi.
    { apply filter_In. split; [apply filter_In; split; [apply in_seq; specialize (Hblk w Hw); lia|exact Hmw]|apply Nat.eqb_refl]. }
    destruct (filter (fun b => (b =? block w)%nat) here_); [elim Hi|]. cbn [length] in Hfl. change x with (length here_). lia. }
  assert (length phi <= K - 1)%nat as HK.
  { unfold K. assert (length bs0 / R <= (x - 1) / R)%nat by (apply Nat.div_le_mono; lia). lia. }
  assert (forall i, In i phi -> (i < length st)%nat /\ block i <> block w /\ place (block i) = p) as Hphi'.
  { intros i Hi. destruct (Hin i Hi) as [H1 H2]. unfold bs, bs0 in H2. apply filter_In in H2. destruct H2 as [H2 H3].
    apply filter_In in H2. destruct H2 as [_ H2]. split; [assumption|]. split; [|now apply Nat.eqb_eq].
    apply negb_true_iff, Nat.eqb_neq in H2. exact H2. }
  set (f := fun i => if (i =? w)%nat then Last else if existsb (Nat.eqb i) phi then Whole else Other).
  assert (forall i, In i phi -> f i = Whole) as Ff.
  { intros i Hi. unfold f. destruct (Hphi' i Hi) as (_ & H & _). destruct (Nat.eqb_spec i w); [congruence|].
    assert (existsb (Nat.eqb i) phi = true) as -> by (apply existsb_exists; exists i; split; [assumption|apply Nat.eqb_refl]). reflexivity. }
  assert (f w = Last) as Fw by (unfold f; now rewrite Nat.eqb_refl).
  assert (forall i, f i <> Other -> mine i = true) as Fmine.
  { intros i Hi. unfold f in Hi. destruct (Nat.eqb_spec i w); [now subst|]. destruct (existsb (Nat.eqb i) phi) eqn:E; [|congruence].
    apply existsb_exists in E. destruct E as (k & Hk & E). apply Nat.eqb_eq in E. subst k. destruct (Hphi' i Hk) as (_ & _ & E).
    unfold mine. apply Nat.ltb_lt. lia. }
  assert (forall t, length (at_time st cs t) = length st) as Hlen.
  { clear - Hr. induction Hr as [st pool|st pool c cs st' pool' (Hl & _) H IH]; intros [|t]; cbn [at_time]; auto. rewrite IH. now apply gnext_length. }
  assert (all_watched unit occ (rerole f 0 st) cs) as Hwat.
  { apply watched_pointwise. intros t Ht. rewrite rerole_at_time.
    assert (length (during cs t) = length st) as Hdl.
    { clear - Hr Ht. unfold during. revert t Ht. induction Hr as [st pool|st pool c cs st' pool' (Hl & _) H IH]; intros t Ht; cbn [length] in Ht; [lia|].
      destruct t as [|t]; cbn [nth]; [assumption|]. rewrite IH by lia. now apply gnext_length. }
    split.
    - assert (exists i, (i < length st)%nat /\ on t (block i) = true /\ (f i = Last \/ f i = Whole /\ lives (at_time st cs t) i)) as (i & Hi & Hon & Hf).
      { destruct (le_lt_dec s t) as [Hst|Hst].
        - exists w. split; [assumption|]. split; [apply Hafter; lia|now left].
        - destruct (Hfull t Ht (Hbefore t Hst) p Hp) as (i' & Hi' & Hpl & Hon & Hl).
          assert (In (block i') bs) as Hb.
          { unfold bs, bs0. apply filter_In. split; [|now apply Nat.eqb_eq]. apply filter_In. split.
            { apply filter_In. split; [apply in_seq; specialize (Hblk i' Hi'); lia|]. apply Nat.ltb_lt. lia. }
            apply negb_true_iff, Nat.eqb_neq. intros E. rewrite E, (Hbefore t Hst) in Hon. discriminate. }
          destruct (Hlive t i' Hst Hi' Hb Hl) as (i & Hi & Hbi & Hli). exists i. split; [apply (Hphi' i Hi)|]. split; [now rewrite Hbi|].
          right. split; [now apply Ff|assumption]. }
      exists i, (FWarp (core (nth i (at_time st cs t) idle_warp)) (f i)), (nth i (during cs t) still). split; [|split].
      + rewrite rerole_nth by (now rewrite Hlen). reflexivity.
      + apply nth_error_nth'. now rewrite Hdl.
      + unfold busy_with. cbn [as_ core]. split; [now rewrite Hpres|]. destruct Hf as [->|[-> Hf]]; [exact I|exact Hf].
    - apply Forall_forall. intros y Hy. destruct (rerole_In f _ 0 y Hy) as (k & Hk & ->). cbn [as_ core]. rewrite Nat.add_0_l. intros E.
      assert (k = w) as -> by (unfold f in E; destruct (Nat.eqb_spec k w); [assumption|destruct (existsb _ _); discriminate]).
      apply (at_time_code _ _ _ _ _ w Hr t (length cs - 1)); [lia|exact Hlast]. }
  pose proof (rerole_run f _ _ _ _ _ Hr) as Hrr.
  assert (covered unit near U (rerole f 0 st)) as Hcov'.
  { apply Forall_forall. intros y Hy Hr0. destruct (rerole_In f _ 0 y Hy) as (k & Hk & ->). cbn [core as_] in *. apply Hcov; [assumption|].
    now apply Fmine. }
  assert (wide width N wd (rerole f 0 st)) as Hwide'.
  { destruct Hwide as [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g. now rewrite rerole_core. }
  pose proof (followed_any_state unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le near U
    _ _ _ _ _ Hrr Hwat Hcov' Hwide') as Hmain.
  pose proof (gstalled_cycles unit inst occ lo hi shared width J rate asks _ _ _ _ _ rate_pos Hr) as Hk.
  pose proof (worths_small mine f st 0 Hsm) as Hsum. rewrite prices_sum in Hsum by (intros; now apply Fmine). fold warps in Hsum.
  set (k := length (filter (fun j => is_whole (f j)) (seq 0 (length st)))) in *.
  set (l := length (filter (fun j => is_last (f j)) (seq 0 (length st)))) in *.
  assert (k <= length phi)%nat as Hkk.
  { unfold k. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [_ Hj].
    unfold f in Hj. destruct (j =? w)%nat; [discriminate|]. destruct (existsb (Nat.eqb j) phi) eqn:E; [|discriminate].
    apply existsb_exists in E. destruct E as (i & Hi & E). apply Nat.eqb_eq in E. now subst. }
  assert (l = 1)%nat as Hl1.
  { apply Nat.le_antisymm.
    - unfold l. change 1%nat with (length [w]). apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj.
      destruct Hj as [_ Hj]. unfold f in Hj. destruct (Nat.eqb_spec j w); [subst; now left|]. destruct (existsb _ _); discriminate.
    - unfold l. assert (In w (filter (fun j => is_last (f j)) (seq 0 (length st)))) as Hi.
      { apply filter_In. split; [apply in_seq; lia|]. now rewrite Fw. }
      destruct (filter (fun j => is_last (f j)) (seq 0 (length st))) as [|j0 l0]; [elim Hi|]. cbn [length]. lia. }
  rewrite Hl1 in Hsum.
  assert (Z.of_nat (length cs - gstalls cs) - Z.of_nat ((K - 1) * A + F) <= (Z.of_nat warps - Z.of_nat K) * om / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|].
  assert (Z.of_nat k <= Z.of_nat K - 1) by (unfold K in *; lia).
  assert (N * Z.of_nat A * Z.of_nat k + om * (Z.of_nat warps - Z.of_nat k - 1) <=
    N * Z.of_nat A * (Z.of_nat K - 1) + om * (Z.of_nat warps - Z.of_nat K)) by nia.
  assert (Z.of_nat ((K - 1) * A + F) = (Z.of_nat K - 1) * Z.of_nat A + Z.of_nat F) as E by (unfold K; nia).
  rewrite E. nia.
Qed.

(** ** Several multiprocessors: h + Q(y) + L *)

Lemma run_split st pool cs st' pool' : grun st pool cs st' pool' -> forall s, (s <= length cs)%nat -> exists pool1,
  grun st pool (firstn s cs) (at_time st cs s) pool1 /\ grun (at_time st cs s) pool1 (skipn s cs) st' pool'.
Proof.
  intros H; induction H as [st pool|st pool c cs st' pool' Hm H IH]; intros s Hs; cbn [length] in Hs.
  - replace s with 0%nat by lia. exists pool. split; constructor.
  - destruct s as [|s]; cbn [firstn skipn at_time].
    + exists pool. split; [constructor|]. now constructor.
    + destruct (IH s ltac:(lia)) as (pool1 & H1 & H2). exists pool1. split; [|exact H2]. now constructor.
Qed.

Lemma stalls_split s cs : (gstalls cs = gstalls (firstn s cs) + gstalls (skipn s cs))%nat.
Proof.
  revert s; induction cs as [|c cs IH]; intros [|s]; cbn [firstn skipn gstalls]; try lia. rewrite (IH s). lia.
Qed.

Lemma at_time_firstn cs : forall st s t, (t <= s)%nat -> at_time st (firstn s cs) t = at_time st cs t.
Proof.
  induction cs as [|c cs IH]; intros st [|s] [|t] H; cbn [firstn at_time]; try reflexivity; try lia. apply IH. lia.
Qed.

Lemma during_firstn cs : forall s t, (t < s)%nat -> during (firstn s cs) t = during cs t.
Proof.
  unfold during. induction cs as [|c cs IH]; intros [|s] [|t] H; cbn [firstn nth]; try reflexivity; try lia. apply IH. lia.
Qed.

Lemma at_time_skipn cs : forall st s t, (s <= length cs)%nat -> at_time (at_time st cs s) (skipn s cs) t = at_time st cs (s + t).
Proof.
  induction cs as [|c cs IH]; intros st [|s] t H; cbn [length] in H; try lia; [reflexivity|reflexivity|]. cbn [skipn at_time Nat.add]. apply IH. lia.
Qed.

Lemma during_skipn cs : forall s t, during (skipn s cs) t = during cs (s + t).
Proof.
  unfold during. induction cs as [|c cs IH]; intros [|s] t; cbn [skipn nth Nat.add]; try reflexivity; [now destruct t|]. apply IH.
Qed.

Lemma lengths st pool cs st' pool' : grun st pool cs st' pool' ->
  (forall t, length (at_time st cs t) = length st) /\ forall t, (t < length cs)%nat -> length (during cs t) = length st.
Proof.
  intros Hr. unfold during. induction Hr as [st pool|st pool c cs st' pool' (Hl & _) H (IH1 & IH2)]; split.
  - now intros [|t].
  - cbn [length]. lia.
  - intros [|t]; cbn [at_time]; [reflexivity|]. rewrite IH1. now apply gnext_length.
  - intros [|t] Ht; cbn [length nth] in *; [assumption|]. rewrite IH2 by lia. now apply gnext_length.
Qed.

(** Q(y): a multiprocessor that is given y blocks and is full in each cycle. *)
Theorem full st pool cs st' pool' B R (place : nat -> nat) (on : nat -> nat -> bool) :
  let mine i := (place (block i) <? R)%nat in
  let y := length (filter (fun b => (place b <? R)%nat) (seq 0 B)) in
  let warps := length (filter mine (seq 0 (length st))) in
  grun st pool cs st' pool' -> (forall i, (i < length st)%nat -> small (mine i) (core (nth i st idle_warp))) -> om <= N * Z.of_nat A ->
  (forall i, (i < length st)%nat -> mine i = true -> near (sched (core (nth i st idle_warp))) = true /\
    forall y, In y (code (core (nth i st idle_warp))) -> occurs (unit y) U = true) ->
  (Z.of_nat width * wd = N \/ wd = 0 /\ forall g, (crowd g (map core st) <= width)%nat) ->
  (0 < R)%nat -> (forall i, (i < length st)%nat -> (block i < B)%nat) ->
  (forall t i, (t < length cs)%nat -> (i < length st)%nat -> here (nth i (during cs t) still) = on t (block i)) ->
  (forall t, (t < length cs)%nat -> forall p, (p < R)%nat ->
     exists i, (i < length st)%nat /\ place (block i) = p /\ on t (block i) = true /\ lives (at_time st cs t) i) ->
  let k := (y / R)%nat in
  Z.of_nat (length cs - gstalls cs) <= Z.of_nat (k * A) + (Z.of_nat warps - Z.of_nat k) * om / N.
Proof.
  intros mine y warps Hr Hsm Hom Hcov Hwide HR Hblk Hpres Hfull k.
  set (bs0 := filter (fun b => (place b <? R)%nat) (seq 0 B)) in *.
  destruct (some_place place R bs0 HR) as (p & Hp & Hn). set (bs := filter (fun b => (place b =? p)%nat) bs0) in *.
  destruct (last_results st pool cs st' pool' (length cs) bs Hr ltac:(lia)) as (phi & Hphi & Hin & Hlive).
  assert (length phi <= k)%nat as HK by (unfold k; change y with (length bs0); lia).
  assert (forall i, In i phi -> (i < length st)%nat /\ mine i = true) as Hphi'.
  { intros i Hi. destruct (Hin i Hi) as [H1 H2]. unfold bs, bs0 in H2. apply filter_In in H2. destruct H2 as [H2 _].
    apply filter_In in H2. destruct H2 as [_ H2]. split; [assumption|exact H2]. }
  set (f := fun i => if existsb (Nat.eqb i) phi then Whole else Other).
  assert (forall i, In i phi -> f i = Whole) as Ff.
  { intros i Hi. unfold f. assert (existsb (Nat.eqb i) phi = true) as -> by (apply existsb_exists; exists i; split; [assumption|apply Nat.eqb_refl]). reflexivity. }
  assert (forall i, f i <> Other -> mine i = true) as Fmine.
  { intros i Hi. unfold f in Hi. destruct (existsb (Nat.eqb i) phi) eqn:E; [|congruence].
    apply existsb_exists in E. destruct E as (j & Hj & E). apply Nat.eqb_eq in E. subst j. now apply Hphi'. }
  destruct (lengths _ _ _ _ _ Hr) as [Hlen Hdl].
  assert (all_watched unit occ (rerole f 0 st) cs) as Hwat.
  { apply watched_pointwise. intros t Ht. rewrite rerole_at_time. split.
    - destruct (Hfull t Ht p Hp) as (i' & Hi' & Hpl & Hon & Hl).
      assert (In (block i') bs) as Hb.
      { unfold bs, bs0. apply filter_In. split; [|now apply Nat.eqb_eq]. apply filter_In. split; [apply in_seq; specialize (Hblk i' Hi'); lia|].
        apply Nat.ltb_lt. lia. }
      destruct (Hlive t i' Ht Hi' Hb Hl) as (i & Hi & Hbi & Hli). destruct (Hphi' i Hi) as [Hil _].
      exists i, (FWarp (core (nth i (at_time st cs t) idle_warp)) (f i)), (nth i (during cs t) still). split; [|split].
      + rewrite rerole_nth by (now rewrite Hlen). reflexivity.
      + apply nth_error_nth'. now rewrite Hdl.
      + unfold busy_with. cbn [as_ core]. rewrite Hpres, Hbi by assumption. split; [assumption|]. rewrite Ff by assumption. exact Hli.
    - apply Forall_forall. intros z Hz. destruct (rerole_In f _ 0 z Hz) as (j & Hj & ->). cbn [as_ core]. unfold f. destruct (existsb _ _); discriminate. }
  pose proof (rerole_run f _ _ _ _ _ Hr) as Hrr.
  assert (covered unit near U (rerole f 0 st)) as Hcov'.
  { apply Forall_forall. intros z Hz Hr0. destruct (rerole_In f _ 0 z Hz) as (j & Hj & ->). cbn [core as_] in *. apply Hcov; [assumption|].
    now apply Fmine. }
  assert (wide width N wd (rerole f 0 st)) as Hwide'.
  { destruct Hwide as [H|[H1 H2]]; [now left|right]. split; [assumption|]. intros g. now rewrite rerole_core. }
  pose proof (followed_any_state unit inst occ lo hi shared width J rate asks occ_pos N wi wd N_pos wi_unit wd_pos wd_le near U
    _ _ _ _ _ Hrr Hwat Hcov' Hwide') as Hmain.
  pose proof (worths_small mine f st 0 Hsm) as Hsum. rewrite prices_sum in Hsum by (intros; now apply Fmine). fold warps in Hsum.
  set (n := length (filter (fun j => is_whole (f j)) (seq 0 (length st)))) in *.
  assert (length (filter (fun j => is_last (f j)) (seq 0 (length st))) = 0)%nat as Hl0.
  { assert (filter (fun j => is_last (f j)) (seq 0 (length st)) = []) as ->; [|reflexivity].
    generalize (seq 0 (length st)). induction l as [|j l IH]; [reflexivity|]. cbn [filter]. unfold f at 1. destruct (existsb _ _); exact IH. }
  rewrite Hl0 in Hsum.
  assert (n <= length phi)%nat as Hkk.
  { unfold n. apply NoDup_incl_length; [apply NoDup_filter, seq_NoDup|]. intros j Hj. apply filter_In in Hj. destruct Hj as [_ Hj].
    unfold f in Hj. destruct (existsb (Nat.eqb j) phi) eqn:E; [|discriminate].
    apply existsb_exists in E. destruct E as (i & Hi & E). apply Nat.eqb_eq in E. now subst. }
  assert (Z.of_nat (length cs - gstalls cs) - Z.of_nat (k * A) <= (Z.of_nat warps - Z.of_nat k) * om / N); [|lia].
  apply Z.div_le_lower_bound; [assumption|].
  assert (Z.of_nat n <= Z.of_nat k) by lia.
  assert (N * Z.of_nat A * Z.of_nat n + om * (Z.of_nat warps - Z.of_nat n) <= N * Z.of_nat A * Z.of_nat k + om * (Z.of_nat warps - Z.of_nat k)) by nia.
  rewrite Nat2Z.inj_mul. nia.
Qed.
End Grid.
