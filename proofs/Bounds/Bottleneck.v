(** The fullest unit (docs/model.md, `bottleneck`): a lower bound of every complete schedule, hence of the best case too. *)
From Coq Require Import List Arith Lia Bool.
Import ListNotations.
From Warpspan.Model Require Import Semantics Facts.

Section Bottleneck.
Variable sigma : letter -> nat.

Lemma issued_none U st m : existsb (fun b => b) m = false -> issued U st m = 0.
Proof.
  revert m; induction st as [|s st IH]; intros [|b m]; cbn; auto. destruct b; [discriminate|]. cbn. apply IH.
Qed.

Lemma total_done U st : done st -> total U st = 0.
Proof. induction 1 as [|s st -> H IH]; [reflexivity|]. cbn. exact IH. Qed.

(** All letters for U are issued within the makespan, at most sigma_U in a cycle: T >= ceil(W I_U / sigma_U). *)
Theorem bottleneck U st ms st' : run sigma st ms st' -> done st' -> total U st <= sigma U * makespan ms.
Proof.
  induction 1 as [st|st m ms st' [Ha Hc] H IH]; intros Hd; [rewrite total_done by assumption; lia|].
  specialize (IH Hd). pose proof (total_after U st m Ha) as Ht. destruct (Hc U) as [Hs _].
  unfold makespan in *. cbn [last_cycle]. set (t := last_cycle (existsb (fun b => b)) ms) in *.
  destruct (Nat.ltb_spec 0 t) as [Hp|Hp]; [nia|].
  replace t with 0 in IH by lia. destruct (existsb (fun b => b) m) eqn:E; [nia|].
  rewrite (issued_none U st m E) in Ht. nia.
Qed.

(** So the best case is no less. *)
Theorem bottleneck_best U st T : best_case sigma st T -> total U st <= sigma U * T.
Proof. intros [(ms & st' & Hr & Hd & <-) _]. eapply bottleneck; eassumption. Qed.
End Bottleneck.
