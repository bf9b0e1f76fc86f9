//! Where the parameters of a kernel stand in the constant bank of its SASS.
//!
//! SASS reads parameters by their addresses. The first one's depends on the capability. Where the others stand follows
//! from their sizes, which full listings of nvdisasm state (`EIATTR_KPARAM_INFO`), and which the mangled names of C++
//! kernels imply, as far as they are those of types of the language or of CUDA.

use cpp_demangle::{DemangleOptions, DemangleWrite, Symbol};

use crate::routine::{Parameter, Routine};

/// The address of the first parameter in constant bank 0, as ptxas states it (`EIATTR_PARAM_CBANK`) for kernels that were
/// compiled for each of these capabilities.
pub(super) fn base(target: &str) -> Option<u32> {
    match target.split('.').next()? {
        "2" => Some(0x20),
        "3" | "5" | "6" => Some(0x140),
        "7" | "8" => Some(0x160),
        "9" => Some(0x210),
        "10" | "11" | "12" => Some(0x380),
        _ => None,
    }
}

/// The parameters in their order, as far as they are known.
pub(super) fn layout(routine: &Routine<'_>) -> Vec<Parameter> {
    let named = of_name(routine.name);
    if routine.layout.is_empty() {
        return named;
    }
    // The listing says where they are, and the name what they are.
    let same = |one: &Parameter, named: &Parameter| (one.offset, one.bytes) == (named.offset, named.bytes);
    let with_kind = |(at, &one): (usize, &Parameter)| match named.get(at) {
        Some(&named) if same(&one, &named) => named,
        _ => one,
    };
    routine.layout.iter().enumerate().map(with_kind).collect()
}

/// The longest name that is read, demangled or not, in bytes.
const LONGEST: usize = 4096;

/// Collects a text of limited length: mangled names may stand for much longer ones.
struct Limited(String);

impl DemangleWrite for Limited {
    fn write_string(&mut self, part: &str) -> std::fmt::Result {
        if self.0.len() + part.len() > LONGEST {
            return Err(std::fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

/// The parameters that a mangled name tells of, up to the first whose size it does not tell.
fn of_name(name: &str) -> Vec<Parameter> {
    let mut out = Limited(String::new());
    let demangled = Some(name)
        .filter(|name| name.starts_with("_Z") && name.len() <= LONGEST)
        .and_then(|name| Symbol::new(name).ok())
        .and_then(|symbol| symbol.structured_demangle(&mut out, &DemangleOptions::new()).ok());
    if demangled.is_none() {
        return Vec::new();
    }
    let texts = types(&out.0).unwrap_or_default();
    let [on_windows, elsewhere] = [4, 8].map(|long| placed(&texts, long));
    // What is at the same place on both is certain; of a `long` its lower half, and the upper one too where nothing of
    // Windows lies there: no code computes with what is between the parameters or behind them, so that what is said of
    // this word then says nothing.
    let next = |at: usize| on_windows.get(at + 1).map(|next| next.offset);
    let room = |at: usize, one: &Parameter| {
        next(at).map_or(at + 1 == texts.len(), |next| next >= one.offset + one.bytes)
    };
    let both = elsewhere.into_iter().zip(&on_windows).enumerate();
    let both = both.take_while(|(_, (one, other))| one.offset == other.offset);
    both.map(|(at, (one, other))| {
        let bytes = if room(at, &one) { one.bytes } else { one.bytes.min(other.bytes) };
        Parameter { bytes, ..one }
    })
    .collect()
}

/// The parameters of these types, one behind the other, up to the first whose size is not known. A `long` has so many bytes.
fn placed(texts: &[&str], long: u32) -> Vec<Parameter> {
    let mut end = 0_u32;
    let mut found = Vec::new();
    for text in texts {
        let Some((bytes, aligned, integer)) = size(text, long) else { break };
        let offset = end.next_multiple_of(aligned);
        found.push(Parameter { offset, bytes, integer });
        end = offset + bytes;
    }
    found
}

/// The types of the parameters of a function, as a demangled name writes them; none where it has anything unusual.
fn types(name: &str) -> Option<Vec<&str>> {
    let inside = name.strip_suffix(')')?;
    let is_usual = |c: char| c.is_ascii_alphanumeric() || "_ :*&<>,()[]".contains(c);
    let (mut depth, mut start) = (0_u32, None);
    let mut commas = Vec::new();
    for (at, c) in inside.char_indices().rev() {
        match c {
            ')' | '>' | ']' => depth += 1,
            '(' if depth == 0 => {
                start = Some(at + 1);
                break;
            }
            '(' | '<' | '[' => depth = depth.checked_sub(1)?,
            ',' if depth == 0 => commas.push(at),
            c if is_usual(c) => {}
            _ => return None,
        }
    }
    let mut from = start?;
    let mut found = Vec::new();
    for comma in commas.into_iter().rev().chain([inside.len()]) {
        found.push(inside[from..comma].trim());
        from = comma + 1;
    }
    Some(found)
}

/// The bytes of a type, what its address is a multiple of, and whether it is an integer; none if its name does not tell.
fn size(text: &str, long: u32) -> Option<(u32, u32, bool)> {
    if text.ends_with(['*', '&']) || text.contains("(*") || text.contains("(&") {
        return Some((8, 8, false));
    }
    Some(match text {
        "bool" | "char" | "signed char" | "unsigned char" => (1, 1, true),
        "short" | "unsigned short" => (2, 2, true),
        "__half" | "__nv_bfloat16" => (2, 2, false),
        "int" | "unsigned int" => (4, 4, true),
        "long" | "unsigned long" => (long, long, true),
        "long long" | "unsigned long long" => (8, 8, true),
        "float" => (4, 4, false),
        "double" => (8, 8, false),
        "dim3" => (12, 4, false),
        _ => return vector(text, long),
    })
}

/// A vector type of CUDA, such as `float4`. Those of four numbers of 8 bytes have had two alignments, so nothing is said of them.
fn vector(text: &str, long: u32) -> Option<(u32, u32, bool)> {
    let (of, count) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let bytes = match of {
        "char" | "uchar" => 1,
        "short" | "ushort" => 2,
        "int" | "uint" | "float" => 4,
        "long" | "ulong" => long,
        "longlong" | "ulonglong" | "double" => 8,
        _ => return None,
    };
    match count {
        "1" => Some((bytes, bytes, false)),
        "2" => Some((2 * bytes, 2 * bytes, false)),
        "3" => Some((3 * bytes, bytes, false)),
        "4" if bytes < 8 && !of.ends_with("long") => Some((4 * bytes, 4 * bytes, false)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offsets(name: &str) -> Vec<(u32, u32)> {
        of_name(name).iter().map(|one| (one.offset, one.bytes)).collect()
    }

    #[test]
    fn names_tell_of_parameters() {
        // template<class T> void axpy(T, const T*, T*, int, unsigned long long, short, char, bool, long)
        let axpy = [(0, 4), (8, 8), (16, 8), (24, 4), (32, 8), (40, 2), (42, 1), (43, 1)];
        assert_eq!(offsets("_Z4axpyIfEvT_PKS0_PS0_iyscbl"), axpy);
        let integers: Vec<bool> =
            of_name("_Z4axpyIfEvT_PKS0_PS0_iyscbl").iter().map(|one| one.integer).collect();
        assert_eq!(integers, [false, false, false, true, true, true, true, true]);
        assert_eq!(offsets("_Z3vec6float4i6float2Pf"), [(0, 16), (16, 4), (24, 8), (32, 8)]);
        // double (*) [400][400], then double
        assert_eq!(offsets("_Z9allenCahnPA400_A400_dS1_d"), [(0, 8), (8, 8), (16, 8)]);
        assert_eq!(
            offsets(
                "_Z20BlockPrefixSumKernelILi1024ELi1ELN3cub16_V_300500_SM_75018BlockScanAlgorithmE0EEvPKiPi"
            ),
            [(0, 8), (8, 8)]
        );
    }

    /// A `long` has four bytes on Windows, where nothing says so: four more count where nothing else could lie there.
    #[test]
    fn a_long_may_be_short() {
        assert_eq!(offsets("_Z3sumPmmPj"), [(0, 8), (8, 8), (16, 8)]);
        assert_eq!(offsets("_Z3sumPmm"), [(0, 8), (8, 8)]);
        assert_eq!(offsets("_Z3sumPmmi"), [(0, 8), (8, 4)]);
        assert_eq!(offsets("_Z3sumPmm2F4"), [(0, 8), (8, 4)]);
        assert_eq!(offsets("_Z3sumiml"), [(0, 4)]);
        assert_eq!(offsets("_Z3summi"), [(0, 4)]);
        assert_eq!(offsets("_Z3sum5long2i"), [(0, 8)]);
    }

    #[test]
    fn what_names_do_not_tell_is_not_guessed() {
        assert_eq!(offsets("_Z5withs1S2F4iPf"), []);
        assert_eq!(offsets("_Z5withsi2F4iPf"), [(0, 4)]);
        assert_eq!(offsets("_Z4fouri7double4i"), [(0, 4)]);
        for other in ["plain", "_Z", "_Z11EmptyKernelv", "_ZTV3foo", "_Z3varz", "_Z1fDv4_f"] {
            assert_eq!(offsets(other), [], "{other}");
        }
        // A name that stands for one that is exponentially longer.
        let long = format!("_Z1f{}", "1AIS_S_E".repeat(200));
        assert!(of_name(&long).len() < 2);
    }
}
