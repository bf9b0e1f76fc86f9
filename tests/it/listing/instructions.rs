//! What instructions of SASS do to a counter in a register that they may write, and to one that they leave alone.

use warpspan::listing::{Options, Text, extract};

/// The count of a loop of 16 passes with a counter and an instruction in it.
fn count(capability: &str, counter: &str, instruction: &str) -> Option<u64> {
    // Up to 6.x each 32 bytes begin with a word of control fields.
    let is_old = capability.parse::<u32>().unwrap() < 70;
    let address = |number: u64| if is_old { 8 * (number + number / 3 + 1) } else { 16 * number };
    let lines = [
        format!("MOV {counter}, RZ ;\n.L_1:"),
        format!("IADD3 {counter}, {counter}, 0x1, RZ ;"),
        format!("{instruction} ;"),
        format!("ISETP.GE.AND P0, PT, {counter}, 0x10, PT ;"),
        "@!P0 BRA `(.L_1) ;".to_owned(),
        "EXIT ;".to_owned(),
    ];
    let lines = (0..).zip(&lines).map(|(at, line)| format!("/*{:04x}*/ {line}\n", address(at)));
    let head = format!(
        "\t.headerflags @\"EF_CUDA_SM{capability}\"\n\t.section\t.text.k,\"ax\",@progbits\n.text.k:\n"
    );
    let text = head + &lines.collect::<String>();
    let entries = extract(&Text::new("k", text.into_bytes()).unwrap(), &Options::default()).unwrap();
    let [one] = &entries[0].loops[..] else { panic!("{instruction}: {:?}", entries[0].loops) };
    one.most
}

#[test]
fn a_counter_outlives_what_does_not_write_it() {
    let cases = include_str!("../../data/instructions.txt");
    let mut seen = 0;
    for line in cases.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let (capability, instruction) = line.split_once(' ').unwrap();
        assert_eq!(count(capability, "R40", instruction), Some(16), "{instruction}");
        seen += 1;
    }
    assert!(seen > 60);
}

#[test]
fn what_may_be_a_result_forgets_the_counter() {
    // Where only the kind is known, seven registers behind each that stands there may be results.
    for instruction in [
        "TEX R4, R8, R14, 0x0, 2D",
        "TLD.LZ R8, R4, R14, 1D",
        "SULD.D.BA.2D.TRAP R4, [R16], 0x58",
        "SUQ R4, R20",
        "SUATOM.D.BA.1D.ADD.TRAP R4, [R16], R20",
        "LDG.E.ENL2.256 R4, R4, [R20.64]",
        "LDGMC.E.ADD.F16x8.RN.STRONG.SYS R4, [R20.64]",
        "QMMA.16832.F32.E4M3.E4M3 R4, R20, R24, R28",
        "B2R.RESULT R4, P3",
        "WHATEVER R4, R20",
    ] {
        for behind in 4..12 {
            assert_eq!(count("80", &format!("R{behind}"), instruction), None, "{instruction}: R{behind}");
        }
    }
    // A known width forgets as many, and no more.
    for (instruction, registers) in [
        ("LDS R4, [R20]", 1),
        ("LDG.E.64 R4, [R20.64]", 2),
        ("LDG.E.128.CONSTANT R4, [R20.64]", 4),
        ("LDC.64 R4, c[0x3][R20]", 2),
        ("LDSM.16.M88.4 R4, [R20]", 4),
        ("HMMA.16816.F32 R4, R20, R24, R28", 4),
        ("DFMA R4, R20, R22, R24", 2),
        ("IMAD.WIDE R4, R20, R21, R22", 2),
        ("F2F.F64.F32 R4, R20", 2),
        ("ATOMG.E.ADD.STRONG.GPU PT, R4, [R20.64], R22", 1),
        ("ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R20.64], R22, R24", 2),
        ("SHFL.DOWN PT, R4, R20, 0x1, 0x1f", 1),
        ("CS2R R4, SR_CLOCKLO", 2),
    ] {
        for behind in 4..12 {
            let expected = (behind >= 4 + registers).then_some(16);
            assert_eq!(count("80", &format!("R{behind}"), instruction), expected, "{instruction}: R{behind}");
        }
    }
    // What nothing is known of may write any register.
    for instruction in ["WHATEVER", "HGMMA.64x64x16.F32 R24, gdesc[UR8], R24", "LDTM.x32 R4, tmem[UR4]"] {
        assert_eq!(count("90", "R200", instruction), None, "{instruction}");
    }
    // The predicate of the loop is one of its results: the loop may go on for longer.
    let text = |result: &str| format!("PLOP3.LUT P1, {result}, P2, P3, PT, 0x80, 0x8");
    assert_eq!(count("80", "R40", &text("PT")), Some(16));
}
