//! What kind of file a text is, by its first bytes and its keys, so that a command that is given another kind can say
//! which command takes it.

/// A kind of file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub enum FileKind {
    /// Kernels and warps on one multiprocessor.
    Instance,
    /// Kernels with periods on a GPU.
    System,
    /// Tasks that share multiprocessors.
    Partition,
    /// Kernels with their launches and deadlines.
    Budget,
    /// Tiles in phases.
    Prem,
    /// A machine with latency and issue width.
    Machine,
    /// The grid of a sweep.
    Grid,
    /// A table of a sweep.
    Table,
    /// A schedule.
    Schedule,
    /// A record of a command, by the command's name.
    Record(String),
    /// PTX text.
    Ptx,
    /// SASS text.
    Sass,
    /// An AMALTHEA model.
    Amalthea,
    /// A compiled program.
    Elf,
}

impl FileKind {
    /// The kind of a file, if its beginning shows one.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\x7fELF") {
            return Some(Self::Elf);
        }
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim_start_matches('\u{feff}').trim_start();
        if text.starts_with('<') {
            return text.contains("amalthea").then_some(Self::Amalthea);
        }
        if text.starts_with('{') {
            return of_json(text.lines().next().unwrap_or_default());
        }
        let mut lines = text.lines().map(str::trim);
        let header = lines.next().unwrap_or_default();
        if header.starts_with("grid,cell,kernel,") {
            return Some(Self::Table);
        }
        if header.starts_with("cycle,") {
            return Some(Self::Schedule);
        }
        let has = |begins: &[&str]| {
            text.lines().any(|line| begins.iter().any(|begin| line.trim_start().starts_with(begin)))
        };
        if has(&[".version ", ".visible .entry", ".entry ", ".address_size "]) {
            return Some(Self::Ptx);
        }
        if has(&[
            "/*0000*/",
            "Function :",
            "code for sm_",
            ".headerflags",
            ".section\t.text.",
            ".section .text.",
        ]) {
            return Some(Self::Sass);
        }
        of_toml(text)
    }
}

/// The kind of a JSON text by its first line.
fn of_json(line: &str) -> Option<FileKind> {
    let (_, name) = line.split_once("\"warpspan/")?;
    let name: String = name.chars().take_while(|c| c.is_ascii_lowercase() || *c == '-').collect();
    (!name.is_empty()).then_some(FileKind::Record(name))
}

/// Keys of files of tiles that no other file has, at the top or of a kernel.
const OF_PREM: [&str; 11] = [
    "phases",
    "contended",
    "tiles",
    "plan",
    "sharing",
    "offsets",
    "mode",
    "timer_ns",
    "start_ns",
    "warm_up_ns",
    "prologue_ns",
];

/// The kind of a TOML text by its tables and its keys, each with the table that it is in.
fn of_toml(text: &str) -> Option<FileKind> {
    let (mut headers, mut keys): (Vec<&str>, Vec<(&str, &str, &str)>) = (Vec::new(), Vec::new());
    let mut within = "";
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            let end = line.rfind(']').map_or(line.len(), |at| at + 1);
            headers.push(&line[..end]);
            within = line[..end].trim_matches(['[', ']']).trim();
        } else if let Some((key, value)) = line.split_once('=') {
            keys.push((within, key.trim(), value.trim()));
        }
    }
    let table = |name: &str| headers.contains(&name);
    let of_top = |name: &str| keys.iter().find(|(within, key, _)| within.is_empty() && *key == name);
    let key = |name: &str| of_top(name).is_some();
    let text_of = |name: &str| of_top(name).is_some_and(|(.., value)| value.starts_with('"'));
    let has_listing = keys.iter().any(|(_, key, _)| *key == "listing");
    // The first name of a path at the top or behind that of the kernel: `phases` of `kernel.phases.compute_ns`.
    let paths = keys.iter().map(|(within, key, _)| [*within, *key]);
    let paths = paths.map(|path| path.join(".")).chain(headers.iter().map(|header| (*header).to_owned()));
    let is_of_prem = |path: String| {
        let mut names = path.trim_matches(['[', ']', '.']).split('.').map(str::trim);
        let first = names.next().filter(|name| *name != "kernel").or_else(|| names.next());
        first.is_some_and(|name| OF_PREM.contains(&name))
    };
    if paths.into_iter().any(is_of_prem) {
        Some(FileKind::Prem)
    } else if table("[processes]") {
        Some(FileKind::System)
    } else if table("[[task]]") || key("multiprocessors") {
        Some(FileKind::Partition)
    } else if table("[defaults]") || table("[[kernel]]") && has_listing {
        Some(FileKind::Budget)
    } else if table("[[kernel]]") || table("[gpu]") {
        Some(FileKind::System)
    } else if table("[kernel]") || table("[[group]]") {
        Some(FileKind::Instance)
    } else if table("[machine]") {
        Some(FileKind::Machine)
    } else if text_of("kernels") || key("all-strings") || key("random") || text_of("warps") || key("sigma-l")
    {
        Some(FileKind::Grid)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<FileKind> {
        FileKind::of(text.as_bytes())
    }

    #[test]
    fn a_budget_is_told_from_a_system() {
        assert_eq!(of("[[kernel]]\nlisting = \"k.sass\"\n"), Some(FileKind::Budget));
        assert_eq!(of("[defaults]\nlisting = \"k.sass\"\n[[kernel]]\ngrid = 4\n"), Some(FileKind::Budget));
        assert_eq!(of("[[kernel]]\nptx = \"k.ptx\"\n"), Some(FileKind::System));
    }

    /// A file of tiles need not have `[phases]` at its top.
    #[test]
    fn tiles_are_told_from_a_system_however_they_are_written() {
        let gpu = "[gpu]\nmultiprocessors = 4\nthreads = 256\n";
        let kernel = "[[kernel]]\nname = \"k0\"\nblocks = 1\n";
        for tiles in [
            "[kernel.phases]\nprefetch_ns = 7\n",
            "tiles = 5\n",
            "phases = { prefetch_ns = 7 }\n",
            "phases.prefetch_ns = 7\n",
            "[kernel.contended]\nprefetch_ns = 7\n",
            "[sharing]\nat_least = 1\n",
            "[offsets]\nprefetch_ns = 1\n",
        ] {
            assert_eq!(of(&format!("{gpu}{kernel}{tiles}")), Some(FileKind::Prem), "{tiles}");
        }
        assert_eq!(of(&format!("timer_ns = 1\n{gpu}{kernel}")), Some(FileKind::Prem));
        assert_eq!(of(&format!("{gpu}{kernel}")), Some(FileKind::System));
        // Loops of a listing may have any labels.
        let listing = "ptx = \"k.ptx\"\n[kernel.loop_bounds]\ntiles = 3\n";
        assert_eq!(of(&format!("{gpu}{kernel}{listing}")), Some(FileKind::System));
    }

    /// Every file of the folders `instances` and `machines` is of the kind that its command takes.
    #[test]
    fn every_file_of_the_project_is_recognised() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut seen = 0;
        for folder in ["instances", "machines"] {
            for entry in std::fs::read_dir(root.join(folder)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                let kind = FileKind::of(&std::fs::read(&path).unwrap());
                let want = match name.split('-').next().unwrap() {
                    _ if folder == "machines" => FileKind::Machine,
                    _ if name.ends_with(".amxmi") => FileKind::Amalthea,
                    "kr19" => FileKind::Prem,
                    "gcaps" | "graph" | "pa19" | "processes" | "tx2" => FileKind::System,
                    "si21" if name.starts_with("si21-partition") => FileKind::Partition,
                    _ if name.ends_with(".csv") => continue,
                    "si21" | "saxpy" => continue, // of several kinds
                    _ => FileKind::Instance,
                };
                assert_eq!(kind, Some(want), "{name}");
                seen += 1;
            }
        }
        assert!(seen > 50, "{seen}");
    }

    #[test]
    fn texts_of_other_programs() {
        assert_eq!(of("\u{7f}ELF\u{2}\u{1}"), Some(FileKind::Elf));
        assert_eq!(of("//\n// Generated\n.version 8.0\n.target sm_80\n"), Some(FileKind::Ptx));
        assert_eq!(of("\n\tcode for sm_70\n\t\tFunction : k\n"), Some(FileKind::Sass));
        assert_eq!(of("{\"schema\":\"warpspan/solve/2\",\"x\":1}\n"), Some(FileKind::Record("solve".into())));
        assert_eq!(of("kernels = \"LC,LLC\"\nwarps = \"1..4\"\n"), Some(FileKind::Grid));
        assert_eq!(of("cycle,group,warp,instruction,unit\n"), Some(FileKind::Schedule));
        assert_eq!(of("nothing of the kind"), None);
        assert_eq!(of(""), None);
    }
}
