
(** val negb : bool -> bool **)

let negb = function
| true -> false
| false -> true

type nat =
| O
| S of nat

(** val fst : ('a1 * 'a2) -> 'a1 **)

let fst = function
| (x, _) -> x

(** val snd : ('a1 * 'a2) -> 'a2 **)

let snd = function
| (_, y) -> y

(** val length : 'a1 list -> nat **)

let rec length = function
| [] -> O
| _ :: l' -> S (length l')

(** val app : 'a1 list -> 'a1 list -> 'a1 list **)

let rec app l m =
  match l with
  | [] -> m
  | a0 :: l1 -> a0 :: (app l1 m)

type comparison =
| Eq
| Lt
| Gt

(** val compOpp : comparison -> comparison **)

let compOpp = function
| Eq -> Eq
| Lt -> Gt
| Gt -> Lt

module Coq__1 = struct
 (** val add : nat -> nat -> nat **)
 let rec add n0 m =
   match n0 with
   | O -> m
   | S p -> S (add p m)
end
include Coq__1

(** val max : nat -> nat -> nat **)

let rec max n0 m =
  match n0 with
  | O -> m
  | S n' -> (match m with
             | O -> n0
             | S m' -> S (max n' m'))

module Nat =
 struct
  (** val eqb : nat -> nat -> bool **)

  let rec eqb n0 m =
    match n0 with
    | O -> (match m with
            | O -> true
            | S _ -> false)
    | S n' -> (match m with
               | O -> false
               | S m' -> eqb n' m')

  (** val leb : nat -> nat -> bool **)

  let rec leb n0 m =
    match n0 with
    | O -> true
    | S n' -> (match m with
               | O -> false
               | S m' -> leb n' m')

  (** val ltb : nat -> nat -> bool **)

  let ltb n0 m =
    leb (S n0) m

  (** val divmod : nat -> nat -> nat -> nat -> nat * nat **)

  let rec divmod x y q u =
    match x with
    | O -> (q, u)
    | S x' ->
      (match u with
       | O -> divmod x' y (S q) y
       | S u' -> divmod x' y q u')

  (** val div : nat -> nat -> nat **)

  let div x y = match y with
  | O -> y
  | S y' -> fst (divmod x y' O y')
 end

(** val hd : 'a1 -> 'a1 list -> 'a1 **)

let hd default = function
| [] -> default
| x :: _ -> x

(** val tl : 'a1 list -> 'a1 list **)

let tl = function
| [] -> []
| _ :: m -> m

(** val nth : nat -> 'a1 list -> 'a1 -> 'a1 **)

let rec nth n0 l default =
  match n0 with
  | O -> (match l with
          | [] -> default
          | x :: _ -> x)
  | S m -> (match l with
            | [] -> default
            | _ :: t -> nth m t default)

(** val nth_error : 'a1 list -> nat -> 'a1 option **)

let rec nth_error l = function
| O -> (match l with
        | [] -> None
        | x :: _ -> Some x)
| S n1 -> (match l with
           | [] -> None
           | _ :: l0 -> nth_error l0 n1)

(** val map : ('a1 -> 'a2) -> 'a1 list -> 'a2 list **)

let rec map f = function
| [] -> []
| a0 :: t -> (f a0) :: (map f t)

(** val flat_map : ('a1 -> 'a2 list) -> 'a1 list -> 'a2 list **)

let rec flat_map f = function
| [] -> []
| x :: t -> app (f x) (flat_map f t)

(** val fold_left : ('a1 -> 'a2 -> 'a1) -> 'a2 list -> 'a1 -> 'a1 **)

let rec fold_left f l a0 =
  match l with
  | [] -> a0
  | b :: t -> fold_left f t (f a0 b)

(** val fold_right : ('a2 -> 'a1 -> 'a1) -> 'a1 -> 'a2 list -> 'a1 **)

let rec fold_right f a0 = function
| [] -> a0
| b :: t -> f b (fold_right f a0 t)

(** val existsb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec existsb f = function
| [] -> false
| a0 :: l0 -> (||) (f a0) (existsb f l0)

(** val forallb : ('a1 -> bool) -> 'a1 list -> bool **)

let rec forallb f = function
| [] -> true
| a0 :: l0 -> (&&) (f a0) (forallb f l0)

(** val repeat : 'a1 -> nat -> 'a1 list **)

let rec repeat x = function
| O -> []
| S k -> x :: (repeat x k)

type positive =
| XI of positive
| XO of positive
| XH

type n =
| N0
| Npos of positive

type z =
| Z0
| Zpos of positive
| Zneg of positive

module Pos =
 struct
  (** val succ : positive -> positive **)

  let rec succ = function
  | XI p -> XO (succ p)
  | XO p -> XI p
  | XH -> XO XH

  (** val add : positive -> positive -> positive **)

  let rec add x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XO p ->
      (match y with
       | XI q -> XI (add p q)
       | XO q -> XO (add p q)
       | XH -> XI p)
    | XH -> (match y with
             | XI q -> XO (succ q)
             | XO q -> XI q
             | XH -> XO XH)

  (** val add_carry : positive -> positive -> positive **)

  and add_carry x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> XI (add_carry p q)
       | XO q -> XO (add_carry p q)
       | XH -> XI (succ p))
    | XO p ->
      (match y with
       | XI q -> XO (add_carry p q)
       | XO q -> XI (add p q)
       | XH -> XO (succ p))
    | XH ->
      (match y with
       | XI q -> XI (succ q)
       | XO q -> XO (succ q)
       | XH -> XI XH)

  (** val pred_double : positive -> positive **)

  let rec pred_double = function
  | XI p -> XI (XO p)
  | XO p -> XI (pred_double p)
  | XH -> XH

  (** val mul : positive -> positive -> positive **)

  let rec mul x y =
    match x with
    | XI p -> add y (XO (mul p y))
    | XO p -> XO (mul p y)
    | XH -> y

  (** val compare_cont : comparison -> positive -> positive -> comparison **)

  let rec compare_cont r x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> compare_cont r p q
       | XO q -> compare_cont Gt p q
       | XH -> Gt)
    | XO p ->
      (match y with
       | XI q -> compare_cont Lt p q
       | XO q -> compare_cont r p q
       | XH -> Gt)
    | XH -> (match y with
             | XH -> r
             | _ -> Lt)

  (** val compare : positive -> positive -> comparison **)

  let compare =
    compare_cont Eq

  (** val eqb : positive -> positive -> bool **)

  let rec eqb p q =
    match p with
    | XI p0 -> (match q with
                | XI q0 -> eqb p0 q0
                | _ -> false)
    | XO p0 -> (match q with
                | XO q0 -> eqb p0 q0
                | _ -> false)
    | XH -> (match q with
             | XH -> true
             | _ -> false)

  (** val iter_op : ('a1 -> 'a1 -> 'a1) -> positive -> 'a1 -> 'a1 **)

  let rec iter_op op p a0 =
    match p with
    | XI p0 -> op a0 (iter_op op p0 (op a0 a0))
    | XO p0 -> iter_op op p0 (op a0 a0)
    | XH -> a0

  (** val to_nat : positive -> nat **)

  let to_nat x =
    iter_op Coq__1.add x (S O)

  (** val of_succ_nat : nat -> positive **)

  let rec of_succ_nat = function
  | O -> XH
  | S x -> succ (of_succ_nat x)
 end

module N =
 struct
  (** val succ : n -> n **)

  let succ = function
  | N0 -> Npos XH
  | Npos p -> Npos (Pos.succ p)

  (** val compare : n -> n -> comparison **)

  let compare n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> Eq
             | Npos _ -> Lt)
    | Npos n' -> (match m with
                  | N0 -> Gt
                  | Npos m' -> Pos.compare n' m')

  (** val eqb : n -> n -> bool **)

  let eqb n0 m =
    match n0 with
    | N0 -> (match m with
             | N0 -> true
             | Npos _ -> false)
    | Npos p -> (match m with
                 | N0 -> false
                 | Npos q -> Pos.eqb p q)

  (** val leb : n -> n -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val to_nat : n -> nat **)

  let to_nat = function
  | N0 -> O
  | Npos p -> Pos.to_nat p
 end

module Z =
 struct
  (** val double : z -> z **)

  let double = function
  | Z0 -> Z0
  | Zpos p -> Zpos (XO p)
  | Zneg p -> Zneg (XO p)

  (** val succ_double : z -> z **)

  let succ_double = function
  | Z0 -> Zpos XH
  | Zpos p -> Zpos (XI p)
  | Zneg p -> Zneg (Pos.pred_double p)

  (** val pred_double : z -> z **)

  let pred_double = function
  | Z0 -> Zneg XH
  | Zpos p -> Zpos (Pos.pred_double p)
  | Zneg p -> Zneg (XI p)

  (** val pos_sub : positive -> positive -> z **)

  let rec pos_sub x y =
    match x with
    | XI p ->
      (match y with
       | XI q -> double (pos_sub p q)
       | XO q -> succ_double (pos_sub p q)
       | XH -> Zpos (XO p))
    | XO p ->
      (match y with
       | XI q -> pred_double (pos_sub p q)
       | XO q -> double (pos_sub p q)
       | XH -> Zpos (Pos.pred_double p))
    | XH ->
      (match y with
       | XI q -> Zneg (XO q)
       | XO q -> Zneg (Pos.pred_double q)
       | XH -> Z0)

  (** val add : z -> z -> z **)

  let add x y =
    match x with
    | Z0 -> y
    | Zpos x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> Zpos (Pos.add x' y')
       | Zneg y' -> pos_sub x' y')
    | Zneg x' ->
      (match y with
       | Z0 -> x
       | Zpos y' -> pos_sub y' x'
       | Zneg y' -> Zneg (Pos.add x' y'))

  (** val opp : z -> z **)

  let opp = function
  | Z0 -> Z0
  | Zpos x0 -> Zneg x0
  | Zneg x0 -> Zpos x0

  (** val sub : z -> z -> z **)

  let sub m n0 =
    add m (opp n0)

  (** val mul : z -> z -> z **)

  let mul x y =
    match x with
    | Z0 -> Z0
    | Zpos x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zpos (Pos.mul x' y')
       | Zneg y' -> Zneg (Pos.mul x' y'))
    | Zneg x' ->
      (match y with
       | Z0 -> Z0
       | Zpos y' -> Zneg (Pos.mul x' y')
       | Zneg y' -> Zpos (Pos.mul x' y'))

  (** val compare : z -> z -> comparison **)

  let compare x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> Eq
             | Zpos _ -> Lt
             | Zneg _ -> Gt)
    | Zpos x' -> (match y with
                  | Zpos y' -> Pos.compare x' y'
                  | _ -> Gt)
    | Zneg x' ->
      (match y with
       | Zneg y' -> compOpp (Pos.compare x' y')
       | _ -> Lt)

  (** val leb : z -> z -> bool **)

  let leb x y =
    match compare x y with
    | Gt -> false
    | _ -> true

  (** val ltb : z -> z -> bool **)

  let ltb x y =
    match compare x y with
    | Lt -> true
    | _ -> false

  (** val eqb : z -> z -> bool **)

  let eqb x y =
    match x with
    | Z0 -> (match y with
             | Z0 -> true
             | _ -> false)
    | Zpos p -> (match y with
                 | Zpos q -> Pos.eqb p q
                 | _ -> false)
    | Zneg p -> (match y with
                 | Zneg q -> Pos.eqb p q
                 | _ -> false)

  (** val max : z -> z -> z **)

  let max n0 m =
    match compare n0 m with
    | Lt -> m
    | _ -> n0

  (** val min : z -> z -> z **)

  let min n0 m =
    match compare n0 m with
    | Gt -> m
    | _ -> n0

  (** val of_nat : nat -> z **)

  let of_nat = function
  | O -> Z0
  | S n1 -> Zpos (Pos.of_succ_nat n1)

  (** val of_N : n -> z **)

  let of_N = function
  | N0 -> Z0
  | Npos p -> Zpos p

  (** val pos_div_eucl : positive -> z -> z * z **)

  let rec pos_div_eucl a0 b =
    match a0 with
    | XI a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = add (mul (Zpos (XO XH)) r) (Zpos XH) in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XO a' ->
      let (q, r) = pos_div_eucl a' b in
      let r' = mul (Zpos (XO XH)) r in
      if ltb r' b
      then ((mul (Zpos (XO XH)) q), r')
      else ((add (mul (Zpos (XO XH)) q) (Zpos XH)), (sub r' b))
    | XH -> if leb (Zpos (XO XH)) b then (Z0, (Zpos XH)) else ((Zpos XH), Z0)

  (** val div_eucl : z -> z -> z * z **)

  let div_eucl a0 b =
    match a0 with
    | Z0 -> (Z0, Z0)
    | Zpos a' ->
      (match b with
       | Z0 -> (Z0, a0)
       | Zpos _ -> pos_div_eucl a' b
       | Zneg b' ->
         let (q, r) = pos_div_eucl a' (Zpos b') in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (add b r))))
    | Zneg a' ->
      (match b with
       | Z0 -> (Z0, a0)
       | Zpos _ ->
         let (q, r) = pos_div_eucl a' b in
         (match r with
          | Z0 -> ((opp q), Z0)
          | _ -> ((opp (add q (Zpos XH))), (sub b r)))
       | Zneg b' -> let (q, r) = pos_div_eucl a' (Zpos b') in (q, (opp r)))

  (** val div : z -> z -> z **)

  let div a0 b =
    let (q, _) = div_eucl a0 b in q
 end

type letter =
| L
| C

(** val other : letter -> letter **)

let other = function
| L -> C
| C -> L

(** val eqb0 : letter -> letter -> bool **)

let eqb0 u v =
  match u with
  | L -> (match v with
          | L -> true
          | C -> false)
  | C -> (match v with
          | L -> false
          | C -> true)

(** val wants : letter -> letter list -> bool **)

let wants u = function
| [] -> false
| v :: _ -> eqb0 u v

(** val issued : letter -> letter list list -> bool list -> nat **)

let rec issued u st m =
  match st with
  | [] -> O
  | s :: st0 ->
    (match m with
     | [] -> O
     | b :: m0 ->
       add (if (&&) b (wants u s) then S O else O) (issued u st0 m0))

(** val waiting : letter -> letter list list -> bool list -> nat **)

let rec waiting u st m =
  match st with
  | [] -> O
  | s :: st0 ->
    (match m with
     | [] -> O
     | b :: m0 ->
       add (if (&&) (negb b) (wants u s) then S O else O) (waiting u st0 m0))

(** val after : letter list list -> bool list -> letter list list **)

let rec after st m =
  match st with
  | [] -> []
  | s :: st0 ->
    (match m with
     | [] -> []
     | b :: m0 -> (if b then tl s else s) :: (after st0 m0))

(** val last_cycle : (bool list -> bool) -> bool list list -> nat **)

let rec last_cycle p = function
| [] -> O
| m :: ms0 ->
  let t = last_cycle p ms0 in
  if Nat.ltb O t then S t else if p m then S O else O

(** val makespan : bool list list -> nat **)

let makespan =
  last_cycle (existsb (fun b -> b))

(** val sum : nat list -> nat **)

let rec sum = function
| [] -> O
| a0 :: l0 -> add a0 (sum l0)

(** val earn : (letter -> z) -> letter -> letter -> z **)

let earn worth a0 u =
  if eqb0 a0 u then worth u else Z0

(** val double0 : letter -> letter list -> bool **)

let rec double0 u = function
| [] -> false
| v :: s0 -> (||) ((&&) (eqb0 u v) (wants u s0)) (double0 u s0)

(** val changes : letter list -> nat **)

let rec changes = function
| [] -> O
| x0 :: x1 -> add (if wants (other x0) x1 then S O else O) (changes x1)

(** val switches : (letter -> z) -> letter list -> z **)

let rec switches c = function
| [] -> Z0
| x0 :: x1 -> Z.add (if wants (other x0) x1 then c x0 else Z0) (switches c x1)

(** val first_run : letter list -> z **)

let rec first_run = function
| [] -> Z0
| x0 :: x1 -> Z.add (Zpos XH) (if wants x0 x1 then first_run x1 else Z0)

(** val expand : (letter list * n) list -> letter list list **)

let expand gs =
  flat_map (fun g -> repeat (fst g) (N.to_nat (snd g))) gs

(** val units : nat -> nat -> letter -> nat **)

let units sL sC = function
| L -> sL
| C -> sC

(** val well_formed : nat -> nat -> (letter list * n) list -> bool **)

let well_formed sL sC gs =
  (&&) ((&&) (Nat.ltb O sL) (Nat.ltb O sC))
    (forallb (fun g -> negb (N.eqb (snd g) N0)) gs)

(** val zlength : letter list -> z **)

let zlength s =
  fold_left (fun n0 _ -> Z.add n0 (Zpos XH)) s Z0

(** val warps : (letter list * n) list -> z **)

let warps gs =
  fold_right (fun g t -> Z.add (Z.of_N (snd g)) t) Z0 gs

(** val most_changes : (letter list * n) list -> nat **)

let most_changes gs =
  fold_right (fun g n0 -> max (changes (fst g)) n0) O gs

(** val zcount : letter -> letter list -> z **)

let zcount u s =
  fold_right (fun v n0 -> if eqb0 u v then Z.add (Zpos XH) n0 else n0) Z0 s

(** val ztotal : letter -> (letter list * n) list -> z **)

let ztotal u gs =
  fold_right (fun g t -> Z.add (Z.mul (Z.of_N (snd g)) (zcount u (fst g))) t)
    Z0 gs

(** val kappa : letter -> z -> (letter -> z) -> letter -> z **)

let kappa slow =
  let fast = other slow in
  (fun theta worth a0 -> if eqb0 a0 slow then theta else worth fast)

(** val row_step :
    (letter -> z) -> (letter -> z) -> letter -> z -> z -> (z * z) list ->
    (z * z) list **)

let rec row_step worth kappa0 u pL pC = function
| [] -> []
| p :: row1 ->
  let (x, y) = p in
  ((Z.max (Z.add (earn worth L u) x)
     (Z.sub (Z.add (earn worth C u) pC) (kappa0 L))),
  (Z.max (Z.add (earn worth C u) y)
    (Z.sub (Z.add (earn worth L u) pL) (kappa0 C)))) :: (row_step worth
                                                          kappa0 u x y row1)

(** val row :
    (letter -> z) -> (letter -> z) -> nat -> letter list -> (z * z) list **)

let rec row worth kappa0 n0 = function
| [] -> repeat (Z0, Z0) (S n0)
| u :: s0 ->
  (match row worth kappa0 n0 s0 with
   | [] -> []
   | p :: r ->
     let (x, y) = p in
     ((Z.add (earn worth L u) x),
     (Z.add (earn worth C u) y)) :: (row_step worth kappa0 u x y r))

(** val pick : letter -> (z * z) -> z **)

let pick x p =
  match x with
  | L -> fst p
  | C -> snd p

(** val add_rows : z -> (z * z) list -> (z * z) list -> (z * z) list **)

let rec add_rows z0 a0 b =
  match a0 with
  | [] -> []
  | p :: a1 ->
    let (x, y) = p in
    (match b with
     | [] -> []
     | p0 :: b0 ->
       let (x', y') = p0 in
       ((Z.add (Z.mul z0 x) x'),
       (Z.add (Z.mul z0 y) y')) :: (add_rows z0 a1 b0))

(** val wt : nat -> nat -> z -> letter -> z **)

let wt sL sC q = function
| L -> Z.mul (Z.of_nat sC) q
| C -> Z.mul (Z.of_nat sL) q

(** val valid : nat -> nat -> z -> z -> bool **)

let valid sL sC q th =
  let n0 = Z.mul (Z.mul (Z.of_nat sL) (Z.of_nat sC)) q in
  let slow = if Nat.leb sL sC then L else C in
  let fast = other slow in
  (&&) ((&&) (Z.ltb Z0 n0) (Z.leb (wt sL sC q fast) th))
    (Z.leb th (wt sL sC q slow))

(** val rows :
    nat -> nat -> z -> z -> nat -> (letter list * n) list -> ((letter
    list * n) * (z * z) list) list **)

let rows sL sC q th =
  let slow = if Nat.leb sL sC then L else C in
  let kap = kappa slow th (wt sL sC q) in
  (fun n0 gs -> map (fun g -> (g, (row (wt sL sC q) kap n0 (fst g)))) gs)

(** val total_row :
    nat -> ((letter list * n) * (z * z) list) list -> (z * z) list **)

let total_row n0 rs =
  fold_right (fun p t -> add_rows (Z.of_N (snd (fst p))) (snd p) t)
    (repeat (Z0, Z0) (S n0)) rs

(** val twice : nat -> nat -> letter list -> z **)

let twice sL sC =
  let slow = if Nat.leb sL sC then L else C in
  let fast = other slow in (fun s -> if double0 fast s then Zpos XH else Z0)

(** val zdoubles : nat -> nat -> (letter list * n) list -> z **)

let zdoubles sL sC gs =
  fold_right (fun g t ->
    Z.add (Z.mul (Z.of_N (snd g)) (twice sL sC (fst g))) t) Z0 gs

(** val c_of : nat -> nat -> z -> z -> z -> letter list -> z **)

let c_of sL sC =
  let sigma = units sL sC in
  (fun q th ->
  let slow = if Nat.leb sL sC then L else C in
  let fast = other slow in
  (fun d s ->
  Z.mul
    (Z.min (Z.sub (Z.of_nat (sigma fast)) (Zpos XH))
      (Z.sub d (twice sL sC s))) (Z.sub th (wt sL sC q fast))))

(** val phase_of :
    nat -> nat -> z -> z -> z -> (z * z) list -> ((letter list * n) * (z * z)
    list) -> z **)

let phase_of sL sC q th =
  let n0 = Z.mul (Z.mul (Z.of_nat sL) (Z.of_nat sC)) q in
  let slow = if Nat.leb sL sC then L else C in
  (fun d tot p ->
  let (p0, own) = p in
  let (x, _) = p0 in
  let cx = c_of sL sC q th d x in
  let c = fun a0 -> if eqb0 a0 slow then cx else Z0 in
  let left = fun m x0 ->
    Z.sub (pick x0 (nth m tot (Z0, Z0))) (pick x0 (nth m own (Z0, Z0)))
  in
  let wait =
    match x with
    | [] -> Z0
    | x0 :: _ ->
      Z.add (switches c x)
        (match changes x with
         | O -> left O x0
         | S r ->
           Z.max (left (S r) x0)
             (Z.sub (Z.sub (left r (other x0)) (c x0))
               (Z.mul n0 (first_run x))))
  in
  Z.add (zlength x) (Z.div wait n0))

(** val phases : nat -> nat -> z -> z -> (letter list * n) list -> z list **)

let phases sL sC q th gs =
  let n0 = most_changes gs in
  let rs = rows sL sC q th n0 gs in
  let tot = total_row n0 rs in
  let d = zdoubles sL sC gs in map (phase_of sL sC q th d tot) rs

(** val zwaits : nat -> nat -> z -> z -> letter -> letter list -> z **)

let zwaits sL sC =
  let sigma = units sL sC in
  (fun n0 t u s ->
  let own = zcount u s in
  let sg = Z.of_nat (sigma u) in
  if (||) (Z.eqb own Z0) (Z.ltb (Z.sub n0 (Zpos XH)) sg)
  then Z0
  else Z.div (Z.sub t own) sg)

(** val crit_of : nat -> nat -> z -> z -> z -> (letter list * n) -> z **)

let crit_of sL sC n0 tL tC g =
  Z.add (Z.add (zlength (fst g)) (zwaits sL sC n0 tL L (fst g)))
    (zwaits sL sC n0 tC C (fst g))

(** val crits : nat -> nat -> (letter list * n) list -> z list **)

let crits sL sC gs =
  let n0 = warps gs in
  let tL = ztotal L gs in
  let tC = ztotal C gs in map (crit_of sL sC n0 tL tC) gs

(** val zip_min : z list -> z list -> z list **)

let rec zip_min a0 b =
  match a0 with
  | [] -> []
  | x :: a1 ->
    (match b with
     | [] -> []
     | y :: b0 -> (Z.min x y) :: (zip_min a1 b0))

(** val scaled : nat -> nat -> (z * z) -> z **)

let scaled sL sC t =
  Z.mul (fst t) (Z.mul (Z.of_nat sL) (Z.of_nat sC))

(** val finishes :
    nat -> nat -> (letter list * n) list -> (z * z) list -> z list **)

let finishes sL sC gs thetas =
  fold_right (fun t l ->
    if valid sL sC (snd t) (scaled sL sC t)
    then zip_min (phases sL sC (snd t) (scaled sL sC t) gs) l
    else l) (crits sL sC gs) thetas

(** val upper_bound :
    nat -> nat -> (letter list * n) list -> (z * z) list -> z **)

let upper_bound sL sC gs thetas =
  fold_right Z.max Z0 (finishes sL sC gs thetas)

(** val upper_check :
    nat -> nat -> (letter list * n) list -> (z * z) list -> z -> bool **)

let upper_check sL sC gs thetas b =
  (&&) (well_formed sL sC gs) (Z.leb (upper_bound sL sC gs thetas) b)

(** val finish_check :
    nat -> nat -> (letter list * n) list -> (z * z) list -> nat -> z -> bool **)

let finish_check sL sC gs thetas j b =
  (&&) (well_formed sL sC gs)
    (match nth_error (finishes sL sC gs thetas) j with
     | Some b0 -> Z.leb b0 b
     | None -> false)

(** val mask : nat -> n -> n list -> bool list **)

let rec mask n0 i ids =
  match n0 with
  | O -> []
  | S n1 ->
    (match ids with
     | [] -> false :: (mask n1 (N.succ i) [])
     | j :: ids' ->
       if N.eqb i j
       then true :: (mask n1 (N.succ i) ids')
       else false :: (mask n1 (N.succ i) ids))

(** val ableb : letter list list -> bool list -> bool **)

let rec ableb st m =
  match st with
  | [] -> (match m with
           | [] -> true
           | _ :: _ -> false)
  | s :: st0 ->
    (match m with
     | [] -> false
     | b :: m0 ->
       (&&) (if b then (match s with
                        | [] -> false
                        | _ :: _ -> true) else true) (ableb st0 m0))

(** val legalb : nat -> nat -> letter list list -> bool list -> bool **)

let legalb sL sC =
  let sigma = units sL sC in
  (fun st m ->
  (&&) (ableb st m)
    (forallb (fun u ->
      let i = issued u st m in
      (&&) (Nat.leb i (sigma u))
        (if Nat.ltb O (waiting u st m) then Nat.eqb i (sigma u) else true))
      (L :: (C :: []))))

(** val replay : nat -> nat -> letter list list -> bool list list -> bool **)

let rec replay sL sC st = function
| [] -> forallb (fun s -> match s with
                          | [] -> true
                          | _ :: _ -> false) st
| m :: ms0 ->
  if legalb sL sC st m then replay sL sC (after st m) ms0 else false

(** val lower_check :
    nat -> nat -> (letter list * n) list -> n list list -> z -> bool **)

let lower_check sL sC gs sched t =
  let st = expand gs in
  let ms = map (mask (length st) N0) sched in
  (&&) (replay sL sC st ms) (Z.eqb (Z.of_nat (makespan ms)) t)

(** val blocks : letter list -> nat list **)

let rec blocks = function
| [] -> []
| x :: s0 ->
  (match blocks s0 with
   | [] -> (S O) :: []
   | l :: ls -> if wants (other x) s0 then (S l) :: ls else (S O) :: (l :: ls))

(** val ceil2 : nat -> nat **)

let ceil2 l =
  Nat.div (add l (S O)) (S (S O))

(** val a : letter list -> nat **)

let a s =
  sum (map ceil2 (blocks s))

(** val path_step : letter -> z -> letter list -> z list -> z list **)

let rec path_step x n0 t row0 =
  match t with
  | [] -> n0 :: []
  | y :: t0 ->
    (match row0 with
     | [] -> n0 :: []
     | p :: row1 ->
       let rest = path_step x n0 t0 row1 in
       (if eqb0 x y
        then Z.add (Zpos XH) (Z.max p (hd Z0 rest))
        else Z.add (Zpos XH) (hd Z0 row1)) :: rest)

(** val suffixes : letter list -> letter list list **)

let rec suffixes t = match t with
| [] -> [] :: []
| _ :: t' -> t :: (suffixes t')

(** val path_row : letter list -> letter list -> z * z list **)

let rec path_row s t =
  match s with
  | [] -> (Z0, (map zlength (suffixes t)))
  | x :: s0 ->
    let (n0, row0) = path_row s0 t in
    ((Z.add (Zpos XH) n0), (path_step x (Z.add (Zpos XH) n0) t row0))

(** val longest_path : letter list -> letter list -> z **)

let longest_path s t =
  hd Z0 (snd (path_row s t))

(** val exact_value : (letter list * n) list -> z option **)

let exact_value = function
| [] -> None
| p :: l ->
  let (s, n0) = p in
  (match n0 with
   | N0 ->
     (match l with
      | [] ->
        if N.leb (Npos (XI XH)) n0
        then Some
               (Z.add (zlength s)
                 (Z.mul (Z.sub (Z.of_N n0) (Zpos XH)) (Z.of_nat (a s))))
        else None
      | _ :: _ -> None)
   | Npos p0 ->
     (match p0 with
      | XI _ ->
        (match l with
         | [] ->
           if N.leb (Npos (XI XH)) n0
           then Some
                  (Z.add (zlength s)
                    (Z.mul (Z.sub (Z.of_N n0) (Zpos XH)) (Z.of_nat (a s))))
           else None
         | _ :: _ -> None)
      | XO p1 ->
        (match p1 with
         | XH -> (match l with
                  | [] -> Some (longest_path s s)
                  | _ :: _ -> None)
         | _ ->
           (match l with
            | [] ->
              if N.leb (Npos (XI XH)) n0
              then Some
                     (Z.add (zlength s)
                       (Z.mul (Z.sub (Z.of_N n0) (Zpos XH)) (Z.of_nat (a s))))
              else None
            | _ :: _ -> None))
      | XH ->
        (match l with
         | [] -> Some (zlength s)
         | p1 :: l0 ->
           let (t, n1) = p1 in
           (match n1 with
            | N0 -> None
            | Npos p2 ->
              (match p2 with
               | XH ->
                 (match l0 with
                  | [] -> Some (longest_path s t)
                  | _ :: _ -> None)
               | _ -> None)))))

(** val exact_check : (letter list * n) list -> z -> bool **)

let exact_check gs t =
  match exact_value gs with
  | Some t0 -> Z.eqb t0 t
  | None -> false
