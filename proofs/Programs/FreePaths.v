(** The phase bound over programs, for any whole sigma (docs/programs.md, section 4, and docs/paths.md): warps that may take
    different paths, and warps that all take one path. *)
From Coq Require Import List Arith ZArith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts Front.
From Warpspan.Phase Require Import Labellings Earnings Potential PhaseBound.
From Warpspan.Programs Require Import Composition.
Local Open Scope Z_scope.

(** Letters of programs are numbers: 0 is L, and any other is C. *)
Definition unit_of (u : nat) : letter := match u with O => L | _ => C end.
Definition string_of (s : list nat) : string := map unit_of s.

(** The warp's string is that of one of the program's paths. *)
Definition runs (q : prog) (s : string) : Prop := exists t, path q t /\ s = string_of t.

(** * Quantities of a string that compose *)
Section Quantities.
Variables (N : Z) (worth kappa : letter -> Z) (slow : letter) (c : Z).

(** What a labelling earns: the state is the label before. *)
Definition keep (u : nat) (A : letter) : Z * letter := (earn worth A (unit_of u), A).
Definition turn (u : nat) (A : letter) : Z * letter := (earn worth (other A) (unit_of u) - kappa A, other A).

Lemma gain_earns s A : string_gain _ keep turn s (fun _ => 0) A = earns worth kappa None A (string_of s).
Proof.
  revert A; induction s as [|u s IH]; intros A; [reflexivity|].
  cbn [string_gain]. unfold issue. rewrite !IH. change (string_of (u :: s)) with (unit_of u :: string_of s).
  cbn [earns]. unfold keep, turn. cbn [fst snd]. lia.
Qed.

(** Length and switches: the state is the last letter. *)
Definition switch (last : option letter) (U : letter) : Z :=
  match last with Some V => if eqb V slow && eqb (other slow) U then c else 0 | None => 0 end.
Definition pass (u : nat) (last : option letter) : Z * option letter := (N + switch last (unit_of u), Some (unit_of u)).

Lemma gain_length s last : string_gain _ pass pass s (fun _ => 0) last =
  N * Z.of_nat (length s) + slow_to_fast slow (string_of s) * c +
  match string_of s with U :: _ => switch last U | [] => 0 end.
Proof.
  revert last; induction s as [|u s IH]; intros last; [cbn; lia|].
  cbn [string_gain]. unfold issue. rewrite Z.max_id, IH. unfold pass. cbn [fst snd length].
  change (string_of (u :: s)) with (unit_of u :: string_of s). cbn [slow_to_fast]. rewrite Nat2Z.inj_succ.
  destruct (string_of s) as [|V t]; cbn [wants switch slow_to_fast]; [rewrite andb_false_r; lia|].
  destruct (eqb (unit_of u) slow && eqb (other slow) V); lia.
Qed.

(** Both at once, with k times what the labelling earns: the state is the label and the last letter. *)
Variable k : Z.
Definition keep_both (u : nat) (a : letter * option letter) : Z * (letter * option letter) :=
  (fst (pass u (snd a)) + k * fst (keep u (fst a)), (fst a, Some (unit_of u))).
Definition turn_both (u : nat) (a : letter * option letter) : Z * (letter * option letter) :=
  (fst (pass u (snd a)) + k * fst (turn u (fst a)), (other (fst a), Some (unit_of u))).

Lemma gain_both s : 0 <= k -> forall A last, string_gain _ keep_both turn_both s (fun _ => 0) (A, last) =
  string_gain _ pass pass s (fun _ => 0) last + k * string_gain _ keep turn s (fun _ => 0) A.
Proof.
  intros Hk. induction s as [|u s IH]; intros A last; cbn [string_gain]; [lia|].
  unfold issue. change (snd (keep_both u (A, last))) with (A, Some (unit_of u)).
  change (snd (turn_both u (A, last))) with (other A, Some (unit_of u)).
  change (fst (keep_both u (A, last))) with (fst (pass u last) + k * earn worth A (unit_of u)).
  change (fst (turn_both u (A, last))) with (fst (pass u last) + k * (earn worth (other A) (unit_of u) - kappa A)).
  change (snd (pass u last)) with (Some (unit_of u)).
  change (keep u A) with (earn worth A (unit_of u), A).
  change (turn u A) with (earn worth (other A) (unit_of u) - kappa A, other A). cbn [fst snd].
  rewrite !IH, Z.max_id, <- Z.mul_max_distr_nonneg_l by assumption. lia.
Qed.
End Quantities.

Section FreePaths.
Variable sigma : letter -> nat.
Variable slow : letter.
Let fast := other slow.
Variables (N theta : Z) (worth : letter -> Z).
Hypothesis N_pos : 0 < N.
Hypothesis worth_unit : forall U, Z.of_nat (sigma U) * worth U = N.
Hypothesis slow_fast : (sigma slow <= sigma fast)%nat.
Hypothesis theta_range : worth fast <= theta <= worth slow.
Notation kap := (kappa slow theta worth).

(** The price c of a switch from a slow to a fast letter. It is enough for a state if it is no less than that of the phase
    bound beside any warp: min(sigma_fast - 1, W - 1) (theta - 1/sigma_fast) is, and 0 is if no string holds two fast letters
    in a row. *)
Variable c : Z.
Definition c_enough (st : state) : Prop :=
  0 <= c /\ forall i, (i < length st)%nat -> c_beside sigma slow theta worth (others i st) <= c.

Lemma c_enough_warps st : Z.of_nat (min (sigma fast - 1) (length st - 1)) * (theta - worth fast) <= c -> c_enough st.
Proof.
  intros H. split; [nia|]. intros i Hi. unfold c_beside. fold fast. pose proof (doubles_le fast (others i st)) as Hd.
  rewrite others_length in Hd by assumption. nia.
Qed.

Lemma c_enough_single st : 0 <= c -> Forall (fun s => double fast s = false) st -> c_enough st.
Proof.
  intros Hc H. split; [assumption|]. intros i _. unfold c_beside. fold fast.
  assert (doubles fast (others i st) = O) as ->; [|rewrite Nat.min_0_r; lia].
  pose proof (others_Forall _ i _ H) as HF. clear - HF. induction HF as [|s us Hs HF IH]; [reflexivity|].
  cbn [doubles]. now rewrite Hs.
Qed.

(** The largest rate of a path, and the largest I + n c of a path, times N; of any path each. *)
Definition program_rate (q : prog) : Z :=
  Z.max (gain _ (keep worth) (turn worth kap) q (fun _ => 0) L) (gain _ (keep worth) (turn worth kap) q (fun _ => 0) C).
Definition program_length (q : prog) : Z := gain _ (pass N slow c) (pass N slow c) q (fun _ => 0) None.

(** Each is the maximum over the paths. *)
Theorem program_rate_max q :
  (forall s, path q s -> rate worth kap (string_of s) <= program_rate q) /\
  (exists s, path q s /\ rate worth kap (string_of s) = program_rate q).
Proof.
  unfold program_rate, rate.
  destruct (gain_max _ (keep worth) (turn worth kap) q (fun _ => 0) L) as [H1 (s1 & P1 & E1)].
  destruct (gain_max _ (keep worth) (turn worth kap) q (fun _ => 0) C) as [H2 (s2 & P2 & E2)].
  assert (forall s, path q s -> Z.max (earns worth kap None L (string_of s)) (earns worth kap None C (string_of s)) <=
    Z.max (gain _ (keep worth) (turn worth kap) q (fun _ => 0) L) (gain _ (keep worth) (turn worth kap) q (fun _ => 0) C)) as H.
  { intros s Hs. specialize (H1 s Hs). specialize (H2 s Hs). rewrite gain_earns in *. lia. }
  split; [assumption|]. rewrite gain_earns in *.
  destruct (Z.max_spec (gain _ (keep worth) (turn worth kap) q (fun _ => 0) L)
    (gain _ (keep worth) (turn worth kap) q (fun _ => 0) C)) as [[Hm Em]|[Hm Em]]; rewrite Em in *.
  - exists s2. split; [assumption|]. specialize (H s2 P2). lia.
  - exists s1. split; [assumption|]. specialize (H s1 P1). lia.
Qed.

Theorem program_length_max q :
  let value s := N * Z.of_nat (length s) + slow_to_fast slow (string_of s) * c in
  (forall s, path q s -> value s <= program_length q) /\ (exists s, path q s /\ value s = program_length q).
Proof.
  intros value. unfold program_length.
  destruct (gain_max _ (pass N slow c) (pass N slow c) q (fun _ => 0) None) as [H1 (s1 & P1 & E1)].
  assert (forall s, string_gain _ (pass N slow c) (pass N slow c) s (fun _ => 0) None = value s) as Ev.
  { intros s. rewrite gain_length. unfold value, switch. destruct (string_of s); lia. }
  split.
  - intros s Hs. rewrite <- Ev. auto.
  - exists s1. split; [assumption|]. now rewrite <- Ev.
Qed.

(** Warps of several programs on any paths: warp i finishes by the largest I + n c of a path of its program and the largest
    rates of the others' programs. *)
Theorem free_paths qs st ms st' i : Forall2 runs qs st -> c_enough st ->
  run sigma st ms st' -> (i < length st)%nat ->
  N * Z.of_nat (finish i ms) <=
    program_length (nth i qs Skip) + sumZ (map program_rate (others i qs)).
Proof.
  intros Hq [Hc0 Hce] Hr Hi.
  pose proof (phase_bound sigma slow N theta worth N_pos worth_unit slow_fast theta_range st ms st' i Hr Hi) as H.
  cbv zeta in H. pose proof (Hce i Hi) as Hc.
  pose proof (slow_to_fast_pos sigma slow slow_fast (nth i st [])) as Hn.
  assert (runs (nth i qs Skip) (nth i st []) /\ rates worth kap (others i st) <= sumZ (map program_rate (others i qs))) as [Hp Hs].
  { clear Hr H Hc Hn Hc0 Hce. revert i Hi; induction Hq as [|q s qs st Hqs Hq IH]; intros i Hi; cbn [length] in *; [lia|].
    assert (forall ps us, Forall2 runs ps us -> rates worth kap us <= sumZ (map program_rate ps)) as Hall.
    { intros ps us H. unfold rates. induction H as [|p u ps us (t & Ht & ->) H IHH]; cbn [map sumZ]; [lia|].
      pose proof (proj1 (program_rate_max p) t Ht). lia. }
    destruct i as [|i]; cbn [nth others]; [split; [assumption|now apply Hall]|].
    destruct (IH i ltac:(lia)) as [H1 H2]. split; [assumption|]. unfold rates in *. cbn [map sumZ].
    destruct Hqs as (t & Ht & ->). pose proof (proj1 (program_rate_max q) t Ht). lia. }
  destruct Hp as (t & Ht & Et). pose proof (proj1 (program_length_max (nth i qs Skip)) t Ht) as Hl.
  cbv beta zeta in Hl. rewrite <- Et in Hl. rewrite Et in H at 1. unfold string_of in H at 1. rewrite map_length in H. nia.
Qed.

(** One program on W warps, each on any path: T <= the largest I + n c of a path + (W-1) times the largest rate of one. *)
Theorem free_paths_one q st ms st' : Forall (runs q) st -> c_enough st ->
  run sigma st ms st' -> (0 < length st)%nat ->
  N * Z.of_nat (makespan ms) <=
    program_length q + Z.of_nat (length st - 1) * program_rate q.
Proof.
  intros Hq Hce Hr Hl. set (B := program_length q + Z.of_nat (length st - 1) * program_rate q).
  assert (Forall2 runs (repeat q (length st)) st) as Hqs.
  { clear Hr Hl Hce B. induction Hq as [|s st Hs H IH]; cbn [length repeat]; constructor; assumption. }
  assert (forall i, (i < length st)%nat -> N * Z.of_nat (finish i ms) <= B) as H.
  { intros i Hi. pose proof (free_paths _ st ms st' i Hqs Hce Hr Hi) as H.
    rewrite nth_repeat_lt, others_repeat in H by assumption. unfold B.
    assert (forall n, sumZ (map program_rate (repeat q n)) = Z.of_nat n * program_rate q) as E.
    { clear. intros n. induction n as [|n IH]; cbn [repeat map sumZ]; lia. }
    now rewrite E in H. }
  assert (0 <= B) as HB by (specialize (H O Hl); nia).
  assert (Z.of_nat (makespan ms) <= B / N) as Hm; [|pose proof (Z.mul_div_le B N N_pos); nia].
  assert (0 <= B / N) by (apply Z.div_pos; assumption).
  enough (makespan ms <= Z.to_nat (B / N))%nat by lia.
  apply (makespan_le sigma _ _ _ _ Hr). intros i Hi. specialize (H i Hi).
  assert (Z.of_nat (finish i ms) <= B / N) by (apply Z.div_le_lower_bound; lia). lia.
Qed.

(** One pass for the largest I + n c + (W-1) a of one path, and the bound for warps that all take one path. *)
Definition program_shared (W : nat) (q : prog) : Z :=
  let g A := gain _ (keep_both N worth slow c (Z.of_nat (W - 1)))
                    (turn_both N worth kap slow c (Z.of_nat (W - 1))) q (fun _ => 0) (A, None) in
  Z.max (g L) (g C).

Theorem shared_path q s W ms st' : path q s -> (0 < W)%nat -> c_enough (repeat (string_of s) W) ->
  run sigma (repeat (string_of s) W) ms st' ->
  N * Z.of_nat (makespan ms) <= program_shared W q.
Proof.
  intros Hp HW [Hc0 Hce] Hr.
  set (V := N * Z.of_nat (length s) + slow_to_fast slow (string_of s) * c
            + Z.of_nat (W - 1) * rate worth kap (string_of s)).
  assert (V <= program_shared W q) as HV.
  { unfold program_shared. cbv zeta. unfold V, rate.
    pose proof (gain_max _ (keep_both N worth slow c (Z.of_nat (W - 1)))
      (turn_both N worth kap slow c (Z.of_nat (W - 1))) q (fun _ => 0)) as G.
    pose proof (proj1 (G (L, None)) s Hp) as GL. pose proof (proj1 (G (C, None)) s Hp) as GC. clear G.
    rewrite gain_both, gain_earns, gain_length in GL, GC by lia.
    assert (match string_of s with U :: _ => switch slow c None U | [] => 0 end = 0) as E0
      by (destruct (string_of s); reflexivity).
    rewrite E0 in *. nia. }
  enough (N * Z.of_nat (makespan ms) <= V) by lia.
  pose proof (phase_bound_one_kernel sigma slow N theta worth N_pos worth_unit slow_fast theta_range _ _ _ _ Hr) as H.
  unfold string_of in H at 1. rewrite map_length in H.
  pose proof (Hce O ltac:(rewrite repeat_length; lia)) as Hc. rewrite others_repeat in Hc by assumption.
  pose proof (slow_to_fast_pos sigma slow slow_fast (string_of s)).
  set (X := Z.of_nat (W - 1) * rate worth kap (string_of s)
    + slow_to_fast slow (string_of s) * c_beside sigma slow theta worth (repeat (string_of s) (W - 1))) in *.
  pose proof (Z.mul_div_le X N N_pos). subst X V. nia.
Qed.
End FreePaths.
