(** The search on instances whose worst case is known from the exhaustive engine of the program (warpspan solve). Each is
    proved with its worst case and refused with one cycle less; the phase bound alone is larger for most of them. *)
From Warpspan Require Import Certificate.

Definition thetas (sL sC : nat) : list (Z * Z) :=
  let l := Z.of_nat sL in let c := Z.of_nat sC in [(1, l); (1, c); (l + c, 2 * l * c)]%Z.

Definition instances : list (nat * nat * list group * Z) := [
  (2, 2, [(kernel "LLLCL", 5%N)], 13%Z);
  (1, 2, [(kernel "CCCL", 1%N); (kernel "CLLC", 6%N)], 15%Z);
  (2, 3, [(kernel "CCLCCLL", 4%N); (kernel "LC", 2%N)], 11%Z);
  (2, 1, [(kernel "LCL", 1%N); (kernel "LL", 3%N); (kernel "LLLCLC", 3%N)], 15%Z);
  (4, 1, [(kernel "LCLCLC", 1%N); (kernel "CCLLC", 1%N); (kernel "CLL", 6%N)], 14%Z);
  (1, 4, [(kernel "LLLLLC", 1%N); (kernel "LCC", 5%N)], 12%Z);
  (2, 1, [(kernel "LCCLC", 1%N); (kernel "LL", 5%N)], 10%Z);
  (4, 1, [(kernel "LCLC", 2%N); (kernel "CCLLL", 4%N)], 15%Z);
  (2, 3, [(kernel "LCCC", 3%N); (kernel "CL", 3%N); (kernel "CCLLLCCC", 1%N)], 11%Z);
  (2, 3, [(kernel "LCLLCCCC", 5%N)], 17%Z);
  (2, 1, [(kernel "CC", 2%N); (kernel "LLCLLL", 4%N)], 13%Z);
  (2, 1, [(kernel "LCC", 1%N); (kernel "CLLLCL", 4%N)], 14%Z);
  (2, 2, [(kernel "LLL", 5%N)], 9%Z);
  (1, 2, [(kernel "CCCLLC", 2%N); (kernel "LLLLCC", 1%N)], 10%Z);
  (4, 1, [(kernel "LCCLLC", 5%N); (kernel "CLLLLLCL", 1%N)], 19%Z);
  (2, 1, [(kernel "LLLC", 6%N)], 13%Z);
  (1, 4, [(kernel "CCLLLLLC", 6%N)], 33%Z);
  (2, 1, [(kernel "CLLCCLL", 4%N)], 16%Z);
  (4, 1, [(kernel "CCC", 6%N)], 18%Z);
  (2, 2, [(kernel "CCCLC", 1%N); (kernel "LCCL", 5%N); (kernel "LLCCLCC", 1%N)], 12%Z);
  (1, 1, [(kernel "LL", 2%N); (kernel "LL", 3%N); (kernel "CC", 4%N)], 10%Z);
  (2, 1, [(kernel "LLCLC", 5%N); (kernel "CLCLL", 1%N)], 16%Z);
  (2, 1, [(kernel "CLCCLL", 5%N)], 18%Z);
  (2, 1, [(kernel "LCLLCCL", 1%N); (kernel "CLCCLLL", 3%N)], 17%Z);
  (2, 2, [(kernel "CC", 4%N); (kernel "CLC", 1%N)], 7%Z);
  (2, 1, [(kernel "LLCL", 5%N); (kernel "LLCLCCLC", 1%N); (kernel "CCC", 1%N)], 15%Z);
  (1, 4, [(kernel "CC", 5%N); (kernel "LLLLCL", 3%N)], 16%Z);
  (1, 3, [(kernel "LLCCCLCC", 3%N)], 13%Z);
  (2, 1, [(kernel "LLLLCLLL", 3%N)], 14%Z);
  (2, 2, [(kernel "CL", 2%N); (kernel "LCLLCCL", 1%N); (kernel "LCC", 3%N)], 10%Z);
  (1, 1, [(kernel "CCCCL", 4%N)], 17%Z);
  (1, 2, [(kernel "CCCCCLLC", 4%N)], 18%Z);
  (2, 3, [(kernel "LCCLCLCL", 6%N)], 16%Z);
  (2, 3, [(kernel "CCCLCC", 4%N)], 10%Z);
  (1, 2, [(kernel "CCCLLLLL", 6%N)], 37%Z);
  (1, 1, [(kernel "CCC", 2%N); (kernel "LLC", 4%N)], 10%Z)
].

Definition proved '(sL, sC, gs, T) : bool := search_check sL sC gs (thetas sL sC) T.

Example all_proved : forallb proved instances = true.
Proof. vm_compute. reflexivity. Qed.

Example none_with_less : existsb (fun '(sL, sC, gs, T) => proved (sL, sC, gs, T - 1)%Z) instances = false.
Proof. vm_compute. reflexivity. Qed.

(** The phase bound does not prove most of them. *)
Example phase_bound_larger :
  length (filter (fun '(sL, sC, gs, T) => negb (upper_check sL sC gs (thetas sL sC) T)) instances) = 29.
Proof. vm_compute. reflexivity. Qed.

(** A theta out of its range [1/sigma_fast, 1/sigma_slow] is passed over, also one with a denominator of 0 or less. Where
    none is left, nothing is proved. *)
Definition one : list group := [(kernel "LCCLCLLCC", 6%N)].

Example out_of_range : map (fun ts => search_check 1 2 one ts 29)
    [[(1, 1)]; [(1, 2)]; [(3, 4)]; [(2, 1); (1, 1)]; [(2, 1)]; [(1, 3)]; [(1, 0)]; [(-1, -1)]; []]%Z
  = [true; true; true; true; false; false; false; false; false].
Proof. vm_compute. reflexivity. Qed.

(** A unit that takes no warp is refused, and so is a bound below 0; no warp, and no letter, take no cycle. *)
Example degenerate :
  map (fun '(sL, sC, gs, T) => search_check sL sC gs [(1, 1)]%Z T) [
    (0, 2, one, 29%Z); (1, 0, one, 29%Z); (1, 2, one, (-1)%Z);
    (1, 2, [], 0%Z); (1, 2, [], (-1)%Z);
    (1, 2, [(kernel "", 3%N)], 0%Z);
    (1, 2, [(kernel "LCC", 0%N); (kernel "", 3%N); (kernel "C", 1%N)], 1%Z);
    (1, 2, [(kernel "LCC", 0%N); (kernel "", 3%N); (kernel "C", 1%N)], 0%Z)]
  = [false; false; false; true; false; true; true; false].
Proof. vm_compute. reflexivity. Qed.

(** A bound that is larger than needed is proved too. *)
Example larger : search_check 1 2 one [(1, 1)]%Z 31 = true.
Proof. vm_compute. reflexivity. Qed.

(** As a certificate states it. *)
Example certificate : bounded 1 2 one 29.
Proof. apply (search_sound 1 2 one [(1, 1)]%Z). vm_cast_no_check (eq_refl true). Qed.
