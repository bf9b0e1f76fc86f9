(* Checks a certificate in JSON with the functions that Extract.v takes from the proofs. Exit code 0: every claim holds;
   1: a claim does not; 2: the file is no certificate. *)
open Extracted

exception Not of string

let bad fmt = Printf.ksprintf (fun s -> raise (Not s)) fmt

let rec nat i = let rec go n i = if i = 0 then n else go (S n) (i - 1) in if i < 0 then bad "negative: %d" i else go O i
and positive i = if i = 1 then XH else if i land 1 = 0 then XO (positive (i lsr 1)) else XI (positive (i lsr 1))

let n i = if i < 0 then bad "negative: %d" i else if i = 0 then N0 else Npos (positive i)
let z i = if i = 0 then Z0 else if i > 0 then Zpos (positive i) else Zneg (positive (-i))
let rec of_positive = function XH -> 1 | XO p -> 2 * of_positive p | XI p -> (2 * of_positive p) + 1
let of_z = function Z0 -> 0 | Zpos p -> of_positive p | Zneg p -> -of_positive p

let fields what allowed = function
  | Json.Object entries ->
      List.iter (fun (k, _) -> if not (List.mem k allowed) then bad "%s: unknown key \"%s\"" what k) entries;
      entries
  | _ -> bad "%s is not an object" what

let need what key entries = match List.assoc_opt key entries with Some v -> v | None -> bad "%s: no \"%s\"" what key
let int what = function Json.Int i -> i | _ -> bad "%s is not a whole number" what
let list what = function Json.Array l -> l | _ -> bad "%s is not an array" what

let kernel = function
  | Json.String s ->
      List.map (function 'L' -> L | 'C' -> C | c -> bad "kernel: '%c' is neither L nor C" c) (List.of_seq (String.to_seq s))
  | _ -> bad "kernel is not a string"

let group v =
  let f = fields "group" [ "kernel"; "warps" ] v in
  (kernel (need "group" "kernel" f), n (int "warps" (need "group" "warps" f)))

let theta v =
  match list "theta" v with
  | [ p; q ] -> (z (int "theta" p), z (int "theta" q))
  | _ -> bad "a theta is two numbers, numerator and denominator"

let sigma what v = match int what v with i when i >= 1 && i <= 1_000_000 -> nat i | _ -> bad "%s is not from 1 to a million" what

let check v =
  let f = fields "certificate" [ "sigma_l"; "sigma_c"; "groups"; "upper"; "finish"; "lower"; "exact" ] v in
  let sl = sigma "sigma_l" (need "certificate" "sigma_l" f) and sc = sigma "sigma_c" (need "certificate" "sigma_c" f) in
  let gs = List.map group (list "groups" (need "certificate" "groups" f)) in
  let holds = ref true and claims = ref 0 in
  let claim ok fmt =
    incr claims;
    if not ok then holds := false;
    Printf.ksprintf (fun s -> print_endline ((if ok then "holds: " else "FAILS: ") ^ s)) fmt in
  let given key allowed k =
    match List.assoc_opt key f with None -> () | Some v -> k (fields key allowed v) in
  let thetas g key = List.map theta (list "thetas" (need key "thetas" g)) in
  given "upper" [ "cycles"; "thetas" ] (fun g ->
      let b = int "cycles" (need "upper" "cycles" g) and ts = thetas g "upper" in
      claim (upper_check sl sc gs ts (z b)) "no schedule takes more than %d cycles (the bound is %d)" b
        (of_z (upper_bound sl sc gs ts)));
  given "finish" [ "cycles"; "thetas" ] (fun g ->
      let ts = thetas g "finish" and l = list "cycles" (need "finish" "cycles" g) in
      if List.length l <> List.length gs then bad "finish: as many cycles as groups are needed";
      List.iteri (fun j c ->
          let b = int "cycles" c in
          claim (finish_check sl sc gs ts (nat j) (z b)) "no warp of group %d finishes after cycle %d" (j + 1) b) l);
  given "lower" [ "cycles"; "schedule" ] (fun g ->
      let t = int "cycles" (need "lower" "cycles" g) in
      let row r = List.map (fun w -> n (int "warp" w)) (list "a cycle of the schedule" r) in
      let schedule = List.map row (list "schedule" (need "lower" "schedule" g)) in
      claim (lower_check sl sc gs schedule (z t)) "a complete schedule takes %d cycles" t);
  given "exact" [ "cycles" ] (fun g ->
      let t = int "cycles" (need "exact" "cycles" g) in
      claim (sl = nat 1 && sc = nat 1 && exact_check gs (z t)) "the worst case is %d cycles" t);
  if !claims = 0 then bad "certificate: no claim (upper, finish, lower or exact)";
  !holds

let () =
  let file = match Sys.argv with [| _; f |] -> f | _ -> prerr_endline "usage: checker FILE.json"; exit 2 in
  let stop what = Printf.eprintf "%s: %s\n" file what; exit 2 in
  match
    let ic = open_in_bin file in
    let text = really_input_string ic (in_channel_length ic) in
    close_in ic;
    check (Json.parse text)
  with
  | true -> ()
  | false -> exit 1
  | exception Not what -> stop what
  | exception Json.Bad (at, what) -> stop (Printf.sprintf "at byte %d: %s" at what)
  | exception Stack_overflow -> stop "too large for the stack (ulimit -s)"
  | exception Sys_error what -> prerr_endline what; exit 2
