//! The usual options, the examples and the exit codes of each command.

/// The help of a command.
pub(super) struct Help {
    pub(super) command: &'static str,
    /// The options that `-h` shows, by their long names.
    pub(super) short: &'static str,
    /// Lines to try, each with what it does.
    pub(super) examples: [(&'static str, &'static str); 3],
    /// The meanings of the exit codes besides those of every command.
    pub(super) exit: &'static [(u8, &'static str)],
}

/// The exit codes of every command.
pub(super) const EXIT: [(u8, &str); 3] =
    [(0, "done"), (1, "internal error, or an output cannot be written"), (2, "bad usage or input")];

const STOPPED: &str = "a limit or Ctrl-C stopped it; what is known by then is printed";
const DISAGREE: &str = "two engines or the verifier disagree, which is a bug";

pub(super) const HELPS: [Help; 21] = [
    Help {
        command: "solve",
        short: "kernel warps group sigma-l sigma-c ptx machine time-limit schedule format",
        examples: [
            ("warpspan solve --kernel LLCLL --warps 4", "four warps of a kernel, one unit of each kind"),
            (
                "warpspan solve instance.toml --schedule worst.svg",
                "a file, and a drawing of the worst schedule",
            ),
            ("warpspan solve --ptx kernel.ptx --entry add --warps 8", "a kernel by its code"),
        ],
        exit: &[
            (0, "every worst case is exact"),
            (3, "one is not: a limit, Ctrl-C (stop in JSON) or another reason (not_exact)"),
            (4, DISAGREE),
        ],
    },
    Help {
        command: "bound",
        short: "kernel warps group sigma-l sigma-c ptx machine up-to format",
        examples: [
            ("warpspan bound --kernel LLCLL --warps 600", "every bound, and which of them are safe"),
            ("warpspan bound instance.toml --format json", "the same as a record"),
            ("warpspan bound --kernel LC --warps-per-block 2 --blocks 100 --resident 4", "a grid of blocks"),
        ],
        exit: &[(3, "a limit or Ctrl-C stopped the estimate; the bounds are printed"), (4, DISAGREE)],
    },
    Help {
        command: "check",
        short: "kernel warps sigma-l sigma-c machine format",
        examples: [
            ("warpspan check worst.csv instance.toml", "a schedule of an instance"),
            ("warpspan check worst.json --kernel LLCLL --warps 4", "a schedule of flags"),
            ("warpspan check results.jsonl", "each claim of lines of solve --format json --with-schedule"),
        ],
        exit: &[
            (0, "the schedule is valid and every number of the record confirmed"),
            (3, "a number is not verified, since only the engine finds it"),
            (4, "the schedule is not valid, or a claim is refuted"),
        ],
    },
    Help {
        command: "verify",
        short: "format",
        examples: [
            ("warpspan verify", "everything that a number can follow from, and how it is checked"),
            ("warpspan verify results.jsonl", "what the numbers of these records rest on"),
            (
                "warpspan solve --kernel LC --warps 9 --format json | warpspan verify -",
                "the same of one answer",
            ),
        ],
        exit: &[],
    },
    Help {
        command: "explain",
        short: "cycle warp kernel warps sigma-l sigma-c machine format",
        examples: [
            ("warpspan explain results.jsonl", "why each number of these records is what it is"),
            ("warpspan explain worst.csv instance.toml", "what the warp that ends last does in its cycles"),
            (
                "warpspan explain worst.csv instance.toml --cycle 9",
                "what each warp does in a cycle, and why it waits",
            ),
        ],
        exit: &[(4, "a condition does not hold, or a number is refuted")],
    },
    Help {
        command: "simulate",
        short: "kernel warps sigma-l sigma-c machine policy issue-width schedule format",
        examples: [
            ("warpspan simulate --kernel LLCLL --warps 4", "all policies, with the best and the worst case"),
            ("warpspan simulate instance.toml --policy lrr,gto", "two policies"),
            ("warpspan simulate instance.toml --policy gto --schedule gto.svg", "a drawing of what one does"),
        ],
        exit: &[(3, STOPPED), (4, "a run is outside the exact best and worst case, which is a bug")],
    },
    Help {
        command: "sweep",
        short: "kernels all-strings warps sigma-l sigma-c time-limit output resume jobs dry-run",
        examples: [
            ("warpspan sweep --kernels LLCLL,LC --warps 1..32 -o table.csv", "a table of 64 cells"),
            ("warpspan sweep grid.toml -o table.csv --resume", "resume an interrupted table"),
            ("warpspan sweep grid.toml --dry-run", "how many cells there are and what they may take"),
        ],
        exit: &[
            (3, "Ctrl-C stopped it; --resume goes on"),
            (4, "two engines or rows of a table disagree, which is a bug"),
        ],
    },
    Help {
        command: "report",
        short: "output by kernels warps title width no-title from to",
        examples: [
            ("warpspan report table.csv -o figures", "a page with all figures of a table of sweep"),
            ("warpspan report table.csv -o figures --by kernel --warps 1..16", "a line for each kernel"),
            (
                "warpspan report time.json -o figures --width 88mm",
                "where a bound comes from, for a column of a paper",
            ),
        ],
        exit: &[(4, "rows of two tables disagree")],
    },
    Help {
        command: "rta",
        short: "method explain margins schedule measured time-limit format",
        examples: [
            (
                "warpspan rta system.toml",
                "whether all deadlines are proved to be met, and each response bound",
            ),
            (
                "warpspan rta system.toml --explain --margins",
                "where bounds come from, and how much may change",
            ),
            ("warpspan rta model.amxmi --chain A,B,C", "the reaction along tasks of an AMALTHEA model"),
        ],
        exit: &[
            (0, "all deadlines are proved to be met"),
            (3, "undecided"),
            (4, "two methods disagree, which is a bug"),
            (5, "a deadline is proved to be missed"),
        ],
    },
    Help {
        command: "time",
        short: "gpu grid block deadline entry loop-bound transactions clock format",
        examples: [
            (
                "warpspan time kernel.sass --gpu jetson-orin --grid 60x135 --block 32x8",
                "a launch of one kernel",
            ),
            (
                "warpspan time kernel.ptx --gpu jetson-tx2 --grid 64 --block 256 --deadline 5ms",
                "and its deadline",
            ),
            (
                "warpspan time kernel.ptx --system system.toml --grid 64 --block 256",
                "with the co-running kernels of a system",
            ),
        ],
        exit: &[
            (0, "the deadline is proved to be met, or there is a bound and no deadline"),
            (3, "undecided, or there is no bound"),
            (4, "two routes to a number disagree, which is a bug"),
            (5, "the deadline is proved to be missed, or a measured time exceeds the bound"),
        ],
    },
    Help {
        command: "budget",
        short: "accept output format",
        examples: [
            ("warpspan budget budget.toml", "one table of all kernels and their deadlines"),
            ("warpspan budget budget.toml -o budget.xml -o budget.sarif", "also for JUnit and SARIF readers"),
            (
                "warpspan budget budget.toml --accept clock.declared --accept loop.bound",
                "fails where anything else is taken for granted",
            ),
        ],
        exit: &[
            (0, "all deadlines are proved to be met"),
            (2, "bad usage or input; that of one kernel stands in its row of the table"),
            (3, "a deadline is undecided, and none is missed"),
            (4, "two routes to a number disagree, which is a bug"),
            (5, "a deadline is proved to be missed"),
            (6, "all deadlines are proved to be met, but some by what is not accepted"),
        ],
    },
    Help {
        command: "prem",
        short: "plan mode search offsets jitter schedule measured format",
        examples: [
            ("warpspan prem tiles.toml", "the schedule of the file, and how long it takes at most"),
            ("warpspan prem tiles.toml --search --schedule tiles.svg", "the least hyperperiod, drawn"),
            ("warpspan prem tiles.toml --offsets 0..3000:100 --chart offsets.svg", "what each offset costs"),
        ],
        exit: &[
            (0, "the time is bounded"),
            (3, "it has no bound, or a limit or Ctrl-C ended the search"),
            (5, "measured times exceed the bound or break the schedule"),
        ],
    },
    Help {
        command: "partition",
        short: "order pairs exact co-located test mechanism chart format experiment classify",
        examples: [
            ("warpspan partition tasks.toml", "which tasks share which multiprocessors"),
            (
                "warpspan partition tasks.toml --mechanism libsmctrl",
                "whole TPCs, and the masks that set them up",
            ),
            ("warpspan partition --classify times.csv -o tasks.toml", "a file of tasks from measured times"),
        ],
        exit: &[
            (0, "schedulable, as the verifier confirms"),
            (3, "none was found, or a limit or Ctrl-C came first"),
            (4, "the verifier finds a fault, which is a bug"),
            (5, "impossible, which is proved"),
        ],
    },
    Help {
        command: "extract",
        short: "entry warps loop-bound declare machine explain top format",
        examples: [
            ("warpspan extract kernel.ptx", "the kernel string or program of each entry"),
            (
                "warpspan extract kernel.ptx --entry add --warps 8",
                "the bound of 8 warps, and what each line adds",
            ),
            (
                "warpspan extract kernel.sass --declare kernel.toml",
                "write what is to be said of loops and branches",
            ),
        ],
        exit: &[(3, "with --warps: an entry has no bound")],
    },
    Help {
        command: "compare",
        short: "worse-than allow-gone top warps entry loop-bound machine format",
        examples: [
            ("warpspan compare old.ptx new.ptx --warps 8", "two versions of the code, line by line"),
            (
                "warpspan compare old.ptx new.ptx --warps 8 --worse-than 5%",
                "fail where a bound rises by more",
            ),
            (
                "warpspan compare main.json new.json --format markdown",
                "two records, as a table for a pull request",
            ),
        ],
        exit: &[
            (3, "a bound is missing or not comparable; its row says why"),
            (5, "a bound rises by more than --worse-than, or an entry is gone"),
        ],
    },
    Help {
        command: "trace",
        short: "sass entry declare format",
        examples: [
            (
                "warpspan trace kernel-1.traceg --sass kernel.sass",
                "what the run did: iterations, transactions, sectors",
            ),
            (
                "warpspan trace kernel-1.traceg --sass kernel.sass --declare input.toml",
                "the same as declarations for this input alone, for time --declare",
            ),
            ("xz -dc kernel-1.traceg.xz | warpspan trace - --sass kernel.sass", "a compressed trace"),
        ],
        exit: &[],
    },
    Help {
        command: "gpus",
        short: "format",
        examples: [
            ("warpspan gpus", "all GPUs and compute capabilities"),
            ("warpspan gpus jetson-orin 8.7", "one GPU and its capability"),
            ("warpspan gpus --format json", "the same as records"),
        ],
        exit: &[],
    },
    Help {
        command: "schema",
        short: "",
        examples: [
            ("warpspan schema", "the names of all formats"),
            ("warpspan schema solve", "the JSON Schema of the records of solve"),
            ("warpspan schema instance-file", "the JSON Schema of instance files, for an editor"),
        ],
        exit: &[],
    },
    Help {
        command: "init",
        short: "output",
        examples: [
            ("warpspan init solve", "an instance file on standard output"),
            ("warpspan init rta -o system.toml", "a system file; no file is replaced"),
            ("warpspan init sweep -o grid.toml", "a grid of kernels"),
        ],
        exit: &[],
    },
    Help {
        command: "completions",
        short: "",
        examples: [
            ("warpspan completions bash > warpspan.bash", "for Bash, which reads it with source"),
            ("warpspan completions zsh > ~/.zfunc/_warpspan", "for Zsh"),
            ("warpspan completions fish > ~/.config/fish/completions/warpspan.fish", "for fish"),
        ],
        exit: &[],
    },
    Help {
        command: "man",
        short: "",
        examples: [
            ("warpspan man ~/.local/share/man/man1", "the pages where man looks for them"),
            ("warpspan man pages", "the pages in a folder"),
            ("man pages/warpspan-solve.1", "one of these pages"),
        ],
        exit: &[],
    },
];
