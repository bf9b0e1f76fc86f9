(** Response bounds of a system where every C is given and streams have priorities, computed: each bound satisfies the equation for
    any order of the blocks, or that of the busy windows of its stream. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Realtime Require Import Launches Counting Terms Responses Priorities BusyTerms PriorityResponses.
From Warpspan.Checker Require Import ResponseWeights ResponseInput.
Local Open Scope Z_scope.

(** * What enters a window *)

(** Launches of one kernel that enter: whether they count until the end of the window, else until our entry; their period; how much
    sooner than a window they may have arrived; and the work of one. *)
Record row := Row { to_the_end : bool; apart_by : option Z; sooner : Z; each : Z }.
Definition row_work (x v : Z) (a : row) : Z :=
  match apart_by a with
  | Some T => (((if to_the_end a then v else x) + sooner a) / T + 1) * each a
  | None => each a
  end.

(** The next time after x at which one more launch may enter, if it counts until our entry. *)
Definition next_of (x : Z) (a : row) (end_ : Z) : Z :=
  match apart_by a with
  | Some T => if to_the_end a then end_ else Z.min end_ (((x + sooner a) / T + 1) * T - sooner a)
  | None => end_
  end.
Definition next (rows : list row) (x end_ : Z) : Z := fold_right (next_of x) end_ rows.

(** The first time, from v on, at which no more is left to do than can have been done, unless it is beyond the limit. *)
Fixpoint settle (fuel : nat) (load : Z -> Z) (capacity limit v : Z) : option Z :=
  match fuel with
  | O => None
  | S fuel =>
    let l := load v in
    if limit <? v then None
    else if l <=? capacity * v then Some v else settle fuel load capacity limit (Z.max (v + 1) (- (- l / capacity)))
  end.

Lemma settled fuel load capacity limit v u : settle fuel load capacity limit v = Some u ->
  v <= u <= limit /\ load u <= capacity * u.
Proof.
  revert v. induction fuel as [|fuel IH]; intros v H; cbn [settle] in H; [discriminate|].
  destruct (Z.ltb_spec limit v) as [|Hl]; [discriminate|]. destruct (Z.leb_spec (load v) (capacity * v)) as [Hv|Hv].
  - injection H as <-. lia.
  - specialize (IH _ H). lia.
Qed.

(** The times of our entry, from x to [stop], in the intervals in which the launches are as many: the longest wait. *)
Fixpoint walk (fuel : nat) (rows : list row) (rest capacity stop x v most : Z) : option Z :=
  match fuel with
  | O => None
  | S fuel' =>
    let following := Z.max (x + 1) (next rows x (stop + 1)) in
    match settle fuel (fun v => rest + sum (row_work (following - 1) v) rows) capacity stop v with
    | Some v =>
      let most := Z.max most (v - x) in
      if stop <? following then Some most else walk fuel' rows rest capacity stop following v most
    | None => None
    end
  end.

Lemma row_work_mono x x' v a : 0 <= each a -> match apart_by a with Some T => 0 < T | None => True end -> x <= x' ->
  row_work x v a <= row_work x' v a.
Proof.
  intros He HT Hx. unfold row_work. destruct (apart_by a) as [T|]; [|lia]. apply Z.mul_le_mono_nonneg_r; [assumption|].
  apply Z.add_le_mono_r, Z.div_le_mono; [assumption|]. destruct (to_the_end a); lia.
Qed.

Lemma walked fuel rows rest capacity stop delay :
  (forall a, In a rows -> 0 <= each a /\ match apart_by a with Some T => 0 < T | None => True end) ->
  forall x v most, 0 <= v -> walk fuel rows rest capacity stop x v most = Some delay -> most <= delay /\
  forall y, x <= y <= stop -> exists u, 0 <= u <= y + delay /\ rest + sum (row_work y u) rows <= capacity * u.
Proof.
  intros Hrows. induction fuel as [|fuel IH]; intros x v most Hv H; [discriminate|]. cbn [walk] in H.
  set (following := Z.max (x + 1) (next rows x (stop + 1))) in *.
  destruct (settle _ _ _ _ _) as [u|] eqn:Es; [|discriminate]. apply settled in Es. destruct Es as [Hu Hload].
  assert (Z.max most (u - x) <= delay /\ forall y, following <= y <= stop -> exists u, 0 <= u <= y + delay /\
    rest + sum (row_work y u) rows <= capacity * u) as [Hmost Hlater].
  { destruct (Z.ltb_spec stop following); [injection H as <-; split; [lia|intros y Hy; lia]|]. apply (IH following u); [lia|assumption]. }
  split; [lia|]. intros y Hy. destruct (Z_lt_le_dec y following) as [Hlt|Hle]; [|apply Hlater; lia].
  exists u. split; [lia|]. etransitivity; [|exact Hload]. apply Z.add_le_mono_l, sum_le. intros a Ha. destruct (Hrows a Ha) as [He HT].
  apply row_work_mono; [assumption|assumption|lia].
Qed.

(** * The bounds *)
Section Check.
Variables (s : system) (priorities : list Z) (bounds : list Z).
(** For each kernel the ways in which the windows of its launches are looked at, of which the best counts: by which sizes the
    resources are measured (0, or nothing: by what blocks need). Where there is none, its bound satisfies the other equation. *)
Variable ways : list (list (list Z)).
Notation K := (length (kernels s)).
Notation kernel_at j := (nth j (kernels s) nothing).
Notation bound := (from_release s bounds).
Definition priority (j : nat) : Z := nth j priorities 0.

(** The steps of a search at most, and the longest window. *)
Definition fuel : nat := Z.to_nat 20000.
Definition longest : Z := 2 ^ 64.

Definition rows_of (weight : nat -> Z) (k : nat) : list row :=
  map (fun j => Row (urgent priority k j) (period (kernel_at j)) (jitter (kernel_at j) + enter s bound j) (work s weight j))
    (filter (level priority k) (seq 0 K)).

(** How long a launch of kernel k waits for room at most. *)
Definition delay_by (k : nat) (sizes : list Z) : option Z :=
  let head := level priority k in
  let one := one s head sizes in
  let weights := weight_list s head sizes in
  let weight := fun j => nth j weights 0 in
  let capacity := one * multiprocessors s in
  let rows := rows_of weight k in
  let left := residents s priority weight one k (gap s weight one) in
  if weights_checked s head sizes weight one && (0 <? capacity) then
    match settle fuel (fun v => left + sum (row_work v v) rows) capacity longest 0 with
    | Some stop => walk fuel rows (left - weight k * time (kernel_at k)) capacity stop 0 0 0
    | None => None
    end
  else None.
Definition better (a b : option Z) : option Z :=
  match a, b with Some x, Some y => Some (Z.min x y) | Some x, None => Some x | None, _ => b end.
Definition delay_of (k : nat) : option Z := fold_right (fun sizes => better (delay_by k sizes)) None (nth k ways []).

(** With the delays computed once. *)
Definition by_windows (delays : list (option Z)) (k : nat) : bool :=
  let delay := fun j => match nth j delays None with Some delay => delay | None => 0 end in
  forallb (fun j => negb (in_stream s k j) || match nth j delays None with Some _ => true | None => false end) (seq 0 K) &&
  (own_time s bound k + copy_time s bound k + sum (fun j => if_so (in_stream s k j) (many s bound j 0 * delay j)) (seq 0 K) <=? bound k).

Definition priorities_checked : bool :=
  let one := one s any_kernel [] in
  let weights := weight_list s any_kernel [] in
  let delays := map delay_of (seq 0 K) in
  weights_checked s any_kernel [] (fun j => nth j weights 0) one && (0 <=? multiprocessors s) &&
  forallb (kernel_checked s bounds) (seq 0 K) &&
  forallb (fun k => by_windows delays k || bound_checked s bounds (fun j => nth j weights 0) (one * multiprocessors s) k) (seq 0 K).

Lemma entered_rows weight k x v : entered s bound priority weight k x v = sum (row_work x v) (rows_of weight k).
Proof.
  unfold entered, rows_of. rewrite sum_map. unfold if_so. rewrite sum_if. apply sum_ext. intros j _. unfold row_work, entering.
  cbn [apart_by to_the_end sooner each]. destruct (period (kernel_at j)) as [T|]; [|lia]. rewrite Z.add_assoc. reflexivity.
Qed.

Lemma found_delay weights part k sizes delay : sensible s bound weights part -> (k < K)%nat -> delay_by k sizes = Some delay ->
  delayed s bound priority k delay.
Proof.
  intros Hs Hk H. unfold delay_by in H. set (head := level priority k) in *. set (one := one s head sizes) in *.
  set (weight := fun j => nth j (weight_list s head sizes) 0) in *. cbv zeta in H. fold weight in H. set (g := gap s weight one) in *.
  destruct (_ && _) eqn:E; [|discriminate]. apply andb_prop in E. destruct E as [Hw Hc].
  destruct (settle _ _ _ _ _) as [stop|] eqn:Es; [|discriminate]. apply settled in Es. destruct Es as [Hstop Hload].
  assert (forall j, (j < K)%nat -> 0 <= weight j) as Hpos.
  { intros j Hj. pose proof Hw as H'. unfold weights_checked in H'. rewrite !andb_true_iff in H'. destruct H' as [_ H'].
    rewrite forallb_forall in H'. specialize (H' j ltac:(apply in_seq; lia)). lia. }
  exists weight, one, g. split.
  - constructor.
    + exact Hpos.
    + pose proof Hw as H'. unfold weights_checked in H'. rewrite !andb_true_iff in H'. destruct H' as [[[H' _] _] _]. now apply Z.leb_le.
    + lia.
    + intros n launches d until Hr i m t Hi Hl Ht. exact (full s head sizes weight one Hw n launches d until Hr i m t Hi Hl Ht).
    + apply (gap_packed s head sizes weight one Hw). exact (multiprocessors_pos _ _ _ _ Hs).
  - destruct (walked fuel (rows_of weight k) (residents s priority weight one k g - weight k * time (kernel_at k))
      (one * multiprocessors s) stop delay) with (x := 0) (v := 0) (most := 0) as [Hd Hx]; try assumption; try lia.
    + intros a Ha. apply in_map_iff in Ha. destruct Ha as (j & <- & Hj). apply filter_In in Hj. destruct Hj as [Hj _]. apply in_seq in Hj.
      cbn [each apart_by]. split.
      * unfold work. pose proof (Hpos j ltac:(lia)). pose proof (blocks_some _ _ _ _ Hs j ltac:(lia)).
        pose proof (time_pos _ _ _ _ Hs j ltac:(lia)). repeat apply Z.mul_nonneg_nonneg; lia.
      * destruct (period (kernel_at j)) as [T|] eqn:E; [|exact I]. exact (period_pos _ _ _ _ Hs j T ltac:(lia) E).
    + split; [assumption|]. exists stop. split; [lia|]. split; [unfold whole_load; rewrite entered_rows; exact Hload|].
      intros x Hx'. destruct (Hx x Hx') as (v & Hv & Hv'). exists v. split; [assumption|]. unfold load_before. rewrite entered_rows. lia.
Qed.

Lemma best_delay weights part k delay : sensible s bound weights part -> (k < K)%nat -> delay_of k = Some delay ->
  delayed s bound priority k delay.
Proof.
  intros Hs Hk. unfold delay_of. revert delay. induction (nth k ways []) as [|sizes l IH]; intros delay H; [discriminate|].
  cbn [fold_right] in H. destruct (delay_by k sizes) as [x|] eqn:E; [|now apply IH].
  pose proof (found_delay weights part k sizes x Hs Hk E) as Hx.
  destruct (fold_right _ None l) as [y|]; cbn [better] in H; injection H as <-; [|assumption].
  destruct (Z.min_spec x y) as [[_ ->]|[_ ->]]; [assumption|]. now apply IH.
Qed.

(** If the check succeeds, every launch of every kernel is complete so long after its arrival, in every run that keeps the priorities. *)
Theorem priorities_sound : priorities_checked = true -> forall k, response_by_priority s priority k (nth k bounds 0).
Proof.
  intros H. unfold priorities_checked in H. cbv zeta in H. rewrite !andb_true_iff in H. destruct H as [[[Hw Hm] Hk] Hb].
  apply Z.leb_le in Hm. rewrite forallb_forall in Hb. pose proof (checked_sensible s bounds _ _ Hw Hm Hk) as Hs.
  eapply priority_response_bounds; [exact Hs|]. intros k Hkk. specialize (Hb k ltac:(apply in_seq; lia)). apply orb_true_iff in Hb.
  destruct Hb as [Hb|Hb]; [right|left; now apply checked_kept].
  unfold by_windows in Hb. cbv zeta in Hb. apply andb_prop in Hb. destruct Hb as [Hd Hb]. rewrite forallb_forall in Hd.
  eexists. split; [|apply Z.leb_le, Hb].
  intros j Hj Hst. cbv beta. specialize (Hd j ltac:(apply in_seq; lia)). rewrite Hst in Hd. cbn [negb orb] in Hd.
  assert (nth j (map delay_of (seq 0 K)) None = delay_of j) as E.
  { rewrite (nth_indep _ None (delay_of 0)) by (rewrite map_length, seq_length; assumption).
    rewrite map_nth, seq_nth by assumption. reflexivity. }
  rewrite E in *. destruct (delay_of j) as [delay|] eqn:Ed; [|discriminate]. eapply best_delay; [exact Hs|assumption|exact Ed].
Qed.

(** One queue, first come, first served. *)
Definition one_queue : bool := first_come s && forallb (fun j => priority j =? priority 0) (seq 0 K).

(** There such bounds hold in every run. *)
Theorem one_queue_sound : one_queue && priorities_checked = true -> forall k, response s k (nth k bounds 0).
Proof.
  intros H k. apply andb_prop in H. destruct H as [H Hchecked]. apply andb_prop in H. destruct H as [Hfirst Hone]. rewrite forallb_forall in Hone.
  apply (one_priority s priority); [exact Hfirst| |now apply priorities_sound].
  intros i j Hi Hj. pose proof (Hone i ltac:(apply in_seq; lia)). pose proof (Hone j ltac:(apply in_seq; lia)). lia.
Qed.
End Check.
