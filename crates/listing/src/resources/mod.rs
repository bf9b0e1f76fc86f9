//! What a listing says of the registers and the shared memory of an entry.
//!
//! | listing | registers of a thread | static shared memory |
//! |---|---|---|
//! | `cuobjdump -sass --dump-resource-usage` | `REG:` | `SHARED:`, with 1 KiB of the system from 9.0 on |
//! | `nvdisasm` | `SHI_REGISTERS`, `EIATTR_REGCOUNT` | the size of the section `.nv.shared` |
//! | PTX | at most `.maxnreg` | the sum of what `.shared` declares |
//!
//! A listing of SASS that names no number of registers needs one more than the largest register in its code,
//! or more: the callees and the system may need further ones.

mod kernel;
mod ptx;
mod sass;

use crate::instruction_count::fewest_instructions;
pub use crate::resources::kernel::{KernelResources, MOST_REGISTERS};
use crate::resources::ptx::of_ptx;
use crate::resources::sass::of_sass;
use crate::{Reading, Text};
use warpspan_isa::instruction::Language;
use warpspan_model::source::InputError;

impl Text {
    /// What the text says of the resources of an entry.
    ///
    /// # Errors
    /// If the text is no listing.
    pub fn resources(&self, entry: &str) -> Result<KernelResources, InputError> {
        Ok(Reading::of(self)?.resources(entry))
    }
}

impl Reading<'_> {
    /// What the text says of the resources of an entry.
    pub fn resources(&self, entry: &str) -> KernelResources {
        let (text, listing) = (self.text.text(), &self.studied.listing);
        let found = match listing.language {
            Language::Ptx => of_ptx(text, entry),
            Language::Sass => of_sass(text, entry, listing),
        };
        let routine = listing.routines.iter().find(|routine| routine.entry && routine.name == entry);
        let target = routine.and_then(|routine| routine.target.clone());
        let required_block = routine.and_then(|routine| routine.block);
        let words =
            ["EIATTR_CTA_PER_CLUSTER", "EIATTR_EXPLICIT_CLUSTER", ".reqnctapercluster", ".explicitcluster"];
        let clusters = words.iter().any(|word| text.contains(word));
        let of_block = |block: [u64; 3]| block.into_iter().fold(1, u64::saturating_mul);
        let most_threads = routine.and_then(|one| one.most_threads.or(one.block.map(of_block)));
        KernelResources {
            target,
            required_block,
            clusters,
            most_threads: found.most_threads.or(most_threads),
            fewest_instructions: fewest_instructions(listing, entry),
            ..found
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warpspan_model::device::Between;

    fn exactly(number: u64) -> Between {
        Between { least: number, most: number }
    }

    fn of(text: &str, entry: &str) -> KernelResources {
        Text::new("k", text.as_bytes().to_vec()).unwrap().resources(entry).unwrap()
    }

    const CODE: &str = "\t.headerflags @\"EF_CUDA_SM86\"\n/*0000*/ LDS R7, [R2] ;\n/*0010*/ EXIT ;\n";

    #[test]
    fn registers_of_cuobjdump() {
        let usage = "Resource usage:\n Common:\n  GLOBAL:0\n Function j:\n  REG:9 STACK:0 SHARED:7 LOCAL:0\n \
                     Function k:\n  REG:40 STACK:0 SHARED:36 LOCAL:0 CONSTANT[0]:388\n";
        let code = |sm: &str| format!("\tcode for sm_{sm}\n\t\tFunction : k\n{}", CODE.replace("86", sm));
        let found = of(&format!("{usage}{}", code("86")), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        let found = of(&format!("{}{}", usage.replace(":36", ":1060"), code("90")), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        let alone = of(&code("86"), "k");
        assert_eq!((alone.registers, alone.shared_memory), (Between { least: 8, most: 255 }, None));
        assert!(alone.uses_shared);
        for (other, uses) in [("LDG.E", false), ("LD.E", true), ("STS", true), ("CALL.REL.NOINC `(f)", true)]
        {
            let found = of(&code("86").replace("LDS R7, [R2]", other), "k");
            assert_eq!((found.shared_memory, found.uses_shared), (None, uses), "{other}");
        }
    }

    #[test]
    fn registers_of_nvdisasm() {
        let text = format!(
            "\t.section\t.text.k,\"ax\",@progbits\n\t.sectioninfo\t@\"SHI_REGISTERS=26\"\n.text.k:\n{CODE}"
        );
        let found = of(&text, "k");
        assert_eq!((found.registers, found.shared_memory, found.dynamic), (exactly(26), None, false));
        let count = "\t//----- nvinfo : EIATTR_REGCOUNT\n/*0000*/ .byte 0x04, 0x2f\n/*0004*/ .word index@(j)\n\
                     /*0008*/ .word 0x00000007\n\t//----- nvinfo : EIATTR_REGCOUNT\n/*000c*/ .word index@(k)\n\
                     /*0010*/ .word 0x00000028\n\n\t//----- nvinfo : EIATTR_FRAME_SIZE\n.word index@(k)\n.word 0x00000001\n";
        let shared = "\t.section\t.nv.shared.k,\"aw\",@nobits\n\t.align 4\n.nv.shared.k:\n\t.zero\t\t36\n";
        let text = text.replace("SHI_REGISTERS=26", "");
        let found = of(&format!("{count}{text}{shared}"), "k");
        assert_eq!((found.registers, found.shared_memory), (exactly(40), Some(36)));
        // Shared memory that the launch adds has an empty section. One that may be cut off tells nothing.
        let empty = shared.replace("\t.zero\t\t36\n", "");
        let found = of(&format!("{text}{empty}\t.section\t.nv.constant0.k,\"a\"\n"), "k");
        assert_eq!((found.shared_memory, found.dynamic), (Some(0), true));
        for cut in [String::new(), empty, shared.replace("36\n", "3")] {
            let found = of(&format!("\t.section\t.nv.info.k,\"\"\n{text}{cut}"), "k");
            assert_eq!((found.shared_memory, found.dynamic), (None, false), "{cut}");
        }
    }

    #[test]
    fn declarations_of_ptx() {
        let text = ".version 7.0\n.target sm_80\n.shared .align 1 .b8 m[3];\n.visible .entry j()\n.maxnreg 9\n{\n\
                    .shared .b8 x[100];\nret;\n}\n.visible .entry k(\n.param .u64 k_0\n)\n.maxntid 16, 8\n\
                    .minnctapersm 2\n.maxnreg 64\n{\n.shared .align 4 .b8 w[36];\n.shared .v2 .f32 y[2][3];\n\
                    ld.shared.f32 %f1, [w];\nret;\n}\n";
        let found = of(text, "k");
        // 3 bytes of the module, 36 from byte 4 on, and 6 pairs of 8 bytes from byte 40 on.
        assert_eq!(found.shared_memory, Some(40 + 48));
        assert_eq!(found.registers, Between { least: 1, most: 64 });
        assert_eq!((found.most_threads, found.least_resident, found.dynamic), (Some(128), Some(2), false));
        for (size, known) in
            [("0x24", Some(88)), ("044", Some(88)), ("36U", Some(88)), ("4*9", None), (" 36 ", None)]
        {
            let found = of(&text.replace("w[36]", &format!("w[{size}]")), "k");
            assert_eq!(found.shared_memory, known, "{size}");
        }
        assert!(of(&text.replace(".shared .align 1 .b8 m[3]", ".extern .shared .b8 m[]"), "k").dynamic);
    }
}
