(** Memory servers (servers.md): pools of requests that have been issued and not yet been served, and how many cycles can be
    stalled, that is, have a frozen latency. Nothing here knows of warps. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.

Fixpoint sum_below (f : nat -> nat) (J : nat) : nat :=
  match J with 0 => 0 | S J => sum_below f J + f J end.

Lemma sum_below_le f g J : (forall j, j < J -> f j <= g j) -> sum_below f J <= sum_below g J.
Proof. induction J as [|J IH]; intros H; cbn; [lia|]. pose proof (H J). pose proof (IH ltac:(auto)). lia. Qed.

Lemma sum_below_one f k J : k < J -> sum_below (fun j => f j + if j =? k then 1 else 0) J = 1 + sum_below f J.
Proof.
  assert (forall n, n <= k -> sum_below (fun j => f j + if j =? k then 1 else 0) n = sum_below f n) as H0.
  { induction n as [|n IH]; intros H; cbn [sum_below]; [reflexivity|]. rewrite IH by lia. destruct (Nat.eqb_spec n k); lia. }
  induction J as [|J IH]; intros H; [lia|]. cbn [sum_below]. destruct (Nat.eqb_spec J k) as [->|Hk].
  - rewrite H0 by lia. lia.
  - rewrite IH by lia. lia.
Qed.

Section Servers.
(** There are J servers; server j serves at most [rate j] requests a cycle. Rates may be any fractions: then requests and rates
    are told in a common small part of a request. *)
Variables (J : nat) (rate : nat -> nat).
Hypothesis rate_pos : forall j, j < J -> 1 <= rate j.

(** One cycle: [come j] requests are added to pool j, then server j takes [took j] from it. Server j need not be
    work-conserving. A cycle is stalled only if some server takes as much as it can. *)
Definition serves (pool come took : nat -> nat) (stalled : bool) : Prop :=
  (forall j, j < J -> took j <= rate j /\ took j <= pool j + come j) /\
  (stalled = true -> exists j, j < J /\ took j = rate j).

Definition pool_after (pool come took : nat -> nat) (j : nat) : nat := pool j + come j - took j.

(** [paid Q K]: K stalled cycles can be shared out among the servers such that no server works on more than Q. *)
Definition paid (Q : nat -> nat) (K : nat) : Prop :=
  exists k, K = sum_below k J /\ forall j, j < J -> rate j * k j <= Q j.

Lemma paid_none Q : paid Q 0.
Proof.
  assert (forall n, 0 = sum_below (fun _ => 0) n) as H by (induction n; cbn [sum_below]; lia).
  exists (fun _ => 0). split; [apply H|intros; lia].
Qed.

Lemma paid_step pool come took stalled Q Q' K : serves pool come took stalled ->
  (forall j, j < J -> come j + Q' j <= Q j) ->
  paid (fun j => pool_after pool come took j + Q' j) K ->
  paid (fun j => pool j + Q j) (K + if stalled then 1 else 0).
Proof.
  intros [Ht Hs] HQ (k & -> & Hk). destruct stalled.
  - destruct (Hs eq_refl) as (i & Hi & Hr). exists (fun j => k j + if j =? i then 1 else 0). split.
    { rewrite sum_below_one by assumption. lia. }
    intros j Hj. specialize (Ht j Hj). specialize (HQ j Hj). specialize (Hk j Hj). unfold pool_after in Hk.
    destruct (Nat.eqb_spec j i) as [->|_]; [rewrite Nat.mul_add_distr_l|rewrite Nat.add_0_r]; lia.
  - exists k. split; [lia|]. intros j Hj. specialize (Ht j Hj). specialize (HQ j Hj). specialize (Hk j Hj).
    unfold pool_after in Hk. lia.
Qed.

(** The memory term: the sum over the servers of floor(Q_j / beta_j). *)
Definition memory_term (Q : nat -> nat) : nat := sum_below (fun j => Q j / rate j) J.

Lemma paid_bound Q K : paid Q K -> K <= memory_term Q.
Proof.
  intros (k & -> & Hk). apply sum_below_le. intros j Hj. specialize (rate_pos j Hj).
  apply Nat.div_le_lower_bound; [lia|]. auto.
Qed.
End Servers.
