#!/usr/bin/env bash
# Compiles every proof from clean and fails if a step is admitted, if a theorem that README.md names rests on an axiom,
# or if README.md leaves out a theorem. Needs Coq 8.16 (coqc, coq_makefile) and make.
set -euo pipefail
cd "$(dirname "$0")"
mapfile -t files < <(grep '\.v$' _CoqProject)

missing=$(comm -3 <(printf '%s\n' "${files[@]}" | sort) <(find . -name '*.v' -not -path './checker/*' | sed 's|^\./||' | sort))
[ -z "$missing" ] || { echo "proofs/check.sh: not in both _CoqProject and the folder: $missing" >&2; exit 1; }

# Words that would let a step pass without a proof. No comment may use them either.
if grep -nE '\b(Admitted|admit|give_up|Abort|Axioms?|Parameters?|Conjecture|bypass_check)\b|Unset (Guard|Positivity|Universe) Checking' "${files[@]}"; then
    echo "proofs/check.sh: an admitted step or an axiom" >&2
    exit 1
fi

# The rows of README.md's tables: | `theorem` | `Folder/File.v` | ...
listed=$(sed -nE 's/^\| `([A-Za-z0-9_]+)` \| `([A-Za-z/]+)\.v` \|.*/\2.\1/p' README.md | tr / . | sort)
stated=$(for f in "${files[@]}"; do
    [[ $f == Example*.v ]] || sed -nE "s|^Theorem ([A-Za-z0-9_]+).*|${f%.v}.\1|p" "$f"
done | tr / . | sort)
unlisted=$(comm -3 <(echo "$listed") <(echo "$stated"))
[ -z "$unlisted" ] || { echo "proofs/check.sh: README.md and the files name different theorems: $unlisted" >&2; exit 1; }

find . \( -name '*.vo' -o -name '*.vok' -o -name '*.vos' -o -name '*.glob' -o -name '.*.aux' \) -delete
coq_makefile -f _CoqProject -o Makefile.coq
make -f Makefile.coq -j"$(nproc)" --no-print-directory >make.log 2>&1 || { cat make.log >&2; exit 1; }
rm -f make.log

# What the example certificates claim.
examples="Example.upper Example.lower Example.both ExampleBarriers.upper ExampleBarriers.lower ExampleBarriers.second
ExampleBarriers.closed_form ExampleBarriers.by_segments ExampleGrids.attained_upper ExampleGrids.attained_lower
ExampleGrids.rounds_upper ExampleGrids.two_lower ExampleGrids.ten_upper
ExampleResponses.of_copying ExampleResponses.of_small ExampleResponses.attained
ExamplePriorities.of_three ExamplePriorities.tight_run Machine.PoliciesExample.reached
Memory.Examples.reached Memory.PinnedExample.reached Memory.SpreadExample.reached"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
questions=$scratch/questions.v
{
    for f in "${files[@]}"; do echo "From Warpspan Require $(echo "${f%.v}" | tr / .)."; done
    for t in $listed $examples; do echo "Print Assumptions Warpspan.$t."; done
} >"$questions"
answers=$(coqc -q -Q . Warpspan "$questions")
count=$(echo "$listed" | wc -l)
asked=$((count + $(echo "$examples" | wc -w)))
if [ "$(echo "$answers" | grep -c '^Closed under the global context$')" != $asked ] || [ "$(echo "$answers" | wc -l)" != $asked ]; then
    echo "$answers" >&2
    echo "proofs/check.sh: a theorem rests on an axiom" >&2
    exit 1
fi
# The checker built from the same code accepts the example, and refuses it with any claim lowered by one.
if command -v ocamlopt >/dev/null; then
    checker/build.sh
    checker/checker checker/example.json >/dev/null || { echo "proofs/check.sh: the checker refuses its example" >&2; exit 1; }
    for claim in at_most at_least; do
        sed "/\"$claim\"/s/\"cycles\": 17/\"cycles\": 16/" checker/example.json >"$scratch/false.json"
        if checker/checker "$scratch/false.json" >/dev/null; then
            echo "proofs/check.sh: the checker accepts a false $claim" >&2
            exit 1
        fi
    done
    if command -v python3 >/dev/null; then checker/compare.py 1 200 >/dev/null; fi
fi
echo "proofs: $count theorems in ${#files[@]} files hold without axioms, and so do the example certificates ($SECONDS s)"
