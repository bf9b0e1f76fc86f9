(** Theorem L, which is Theorem 2 of docs/machines.md: the phase bound with issue width and latency, for its two lists of
    prices. Letters of one unit may have different latencies; then each counts with the longest of its unit. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Front.
From Warpspan.Machine Require Import MachineRuns CP.
From Warpspan.Latency Require Import TakenLetters Setting PriceLists UnitLetters.
Local Open Scope Z_scope.

Section TheoremL.
Variables (unit inst occ lo hi : nat -> nat) (shared : nat -> bool) (width : nat).

(** The longest latency of the letters of a unit, of all letters that any warp has. All of these have occupancy 1. With the
    latency of each letter in its place the bound is false (docs/machines.md). *)
Variable longest_of : nat -> nat.
Notation all_short := (all_short unit occ lo hi longest_of).

(** Lambda with those latencies. *)
Definition Lambda_H (s : list nat) : nat := Lambda Setting.occ (fun x => longest_of (unit x)) s.

Variables (N : Z) (wi : nat -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis wi_unit : forall u, Z.of_nat (inst u) * wi u = N.

Notation run := (run unit inst occ lo hi shared width).
Notation as_units := (as_units unit).

Lemma map_others {A B} (f : A -> B) i l : map f (others i l) = others i (map f l).
Proof. revert i; induction l as [|a l IH]; intros [|i]; cbn [others map]; auto. now rewrite IH. Qed.

Lemma fresh_units st : Forall (fun v => v = fresh (sched v) (code v)) st ->
  Forall (fun v => v = fresh (sched v) (code v)) (map as_units st).
Proof.
  intros H. apply Forall_map. revert H. apply Forall_impl. intros v ->. reflexivity.
Qed.

Lemma most_range u : (1 <= least u <= most longest_of u)%nat.
Proof. unfold least, most. lia. Qed.

(** Uniform prices: [wd] stands for 1/d, and U holds the units of w's letters: those of its string, or those of any path
    that w might take. *)
Theorem theorem_L_uniform wd st ms st' i g s U : Z.of_nat width * wd = N -> all_short st ->
  Forall (fun v => v = fresh (sched v) (code v)) st ->
  run st ms st' -> nth_error st i = Some (fresh g s) -> (forall x, In x s -> In (unit x) U) ->
  Z.of_nat (finish i ms) <= Z.of_nat (length s + Lambda_H s) +
    sumZ (map (fun v => worth_uniform shared wi wd g U (as_units v)) (others i st)) / N.
Proof.
  intros Hwd Hs Hst Hr Hi HU.
  pose proof (units_uniform inst least (most longest_of) shared width most_range N wi N_pos wi_unit wd Hwd (map as_units st) ms
    (map as_units st') i g (map unit s) U (fresh_units st Hst)
    (run_units unit inst occ lo hi shared width longest_of st ms st' Hs Hr)) as H.
  rewrite map_length, Lambda_units, <- map_others, map_map in H. apply H.
  - now rewrite nth_error_map, Hi.
  - intros u Hu. apply in_map_iff in Hu. destruct Hu as (x & <- & Hx). auto.
Qed.

(** Neutral prices: [Rs] holds the units that are not neutral, and [wr] stands for 1/r. *)
Theorem theorem_L_neutral Rs wr st ms st' i g s : (total_inst inst Rs <= width)%nat ->
  Z.of_nat (room inst width Rs) * wr = N -> all_short st ->
  Forall (fun v => v = fresh (sched v) (code v)) st ->
  run st ms st' -> nth_error st i = Some (fresh g s) -> s <> [] ->
  Z.of_nat (finish i ms) <= Z.of_nat (length s + Lambda_H s) +
    sumZ (map (fun v => worth_neutral shared wi Rs wr g (map unit s) (as_units v)) (others i st)) / N.
Proof.
  intros Hfit Hwr Hs Hst Hr Hi Hne.
  pose proof (units_neutral inst least (most longest_of) shared width most_range N wi N_pos wi_unit Rs Hfit wr Hwr (map as_units st) ms
    (map as_units st') i g (map unit s) (fresh_units st Hst)
    (run_units unit inst occ lo hi shared width longest_of st ms st' Hs Hr)) as H.
  rewrite map_length, Lambda_units, <- map_others, map_map in H. apply H.
  - now rewrite nth_error_map, Hi.
  - destruct s; [congruence|discriminate].
Qed.
(** ** Branches and loops: warps that may take different paths

    If every warp, of one scheduler, takes some path of P, at most E cycles long alone and worth at most a,
    then makespan <= E + (W-1) a. *)
Lemma paths_worth st i g (f : warp -> Z) (best : list nat -> Z) a (P : list nat -> Prop) :
  Forall (fun v => sched v = g /\ P (code v)) st -> (i < length st)%nat ->
  (forall v, sched v = g -> f v = best (code v)) -> (forall s, P s -> best s <= a) ->
  sumZ (map f (others i st)) <= Z.of_nat (length st - 1) * a.
Proof.
  intros Hst Hi Hf Ha. rewrite <- (others_length i st Hi). apply (others_Forall _ i) in Hst.
  induction Hst as [|v vs [Hv HP] H IH]; cbn [map sumZ length]; [lia|].
  rewrite (Hf v Hv). specialize (Ha _ HP). lia.
Qed.

Theorem theorem_L_paths wd g (P : list nat -> Prop) E a st ms st' : Z.of_nat width * wd = N -> all_short st ->
  Forall (fun v => v = fresh g (code v) /\ P (code v)) st ->
  (forall s, P s -> (length s + Lambda_H s <= E)%nat /\
                    best (fun _ => false) (omega_uniform wi wd) wd (map unit s) <= a) -> 0 <= a ->
  run st ms st' ->
  Z.of_nat (makespan ms) <= Z.of_nat E + Z.of_nat (length st - 1) * a / N.
Proof.
  intros Hwd Hs Hst HP Ha Hr.
  assert (0 <= Z.of_nat (length st - 1) * a / N) as H0 by (apply Z.div_pos; nia).
  enough (makespan ms <= Z.to_nat (Z.of_nat E + Z.of_nat (length st - 1) * a / N))%nat by lia.
  apply (makespan_le unit inst occ lo hi shared width _ _ _ _ Hr). intros i Hi.
  destruct (nth_error st i) as [v|] eqn:Ev; [|apply nth_error_None in Ev; lia].
  pose proof (proj1 (Forall_forall _ _) Hst v (nth_error_In _ _ Ev)) as [Hv HPv]. rewrite Hv in Ev.
  assert (Forall (fun v => v = fresh (sched v) (code v)) st) as Hf.
  { revert Hst. apply Forall_impl. intros u [-> _]. reflexivity. }
  pose proof (theorem_L_uniform wd st ms st' i g (code v) (map unit (code v)) Hwd Hs Hf Hr Ev (fun x Hx => in_map unit _ x Hx)) as H.
  set (f := fun v0 => worth_uniform shared wi wd g (map unit (code v)) (as_units v0)) in *.
  assert (sumZ (map f (others i st)) <= Z.of_nat (length st - 1) * a) as Hw.
  { apply (paths_worth st i g _ (fun s => best (fun _ => false) (omega_uniform wi wd) wd (map unit s)) a P); auto.
    - revert Hst. apply Forall_impl. intros u [-> Hu]. auto.
    - intros u Hu. unfold f, worth_uniform, worth. cbn [UnitLetters.as_units sched code]. now rewrite Hu, Nat.eqb_refl.
    - intros s Hs'. apply HP, Hs'. }
  apply (Z.div_le_mono _ _ N) in Hw; [|assumption]. specialize (HP _ HPv). lia.
Qed.
End TheoremL.
