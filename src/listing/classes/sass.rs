//! Classes of SASS opcodes (*CUDA Binary Utilities*, "Instruction Set Reference", 2.0 to 12.0).

use crate::listing::classes::rates::Kind::{
    Add, BitField, Compare, Convert, ConvertNarrow, ConvertWide, Difference, Double, Half, Logic, Multiply,
    Population, Reduce, Reverse, Shift, Shuffle, Single, Special, Video, Vote, Zeros,
};
use crate::listing::classes::table::Use::{Barrier, Cores, Matrix, Memory, Nothing, Refused, Unrated};
use crate::listing::classes::table::{Row, row};

const STACK: &str = "a reconvergence point";
const UNIFORM: &str = "the uniform data path, once a warp: as the same on the cores";
const WAITS: &str = "waits for what the model does not have";

/// The rows; the first one that matches counts.
pub(super) const ROWS: &[Row] = &[
    row("ULDC|LDCU", Cores(Add, 1), "from the constant bank to a uniform register: a move"),
    row("LD|LDG|LDL|LDS|LDC|LDU|LDLK|LDSLK|LDS_LDU|LD_LDU|LDSM|LDGSTS|LDTRAM|LDGMC", Memory, ""),
    row(
        "ST|STG|STL|STS|STSM|STUL|STSUL|STSCUL|STAS|ATOM|ATOMG|ATOMS|RED|REDG|REDAS|UREDGR|USTGR",
        Memory,
        "",
    ),
    row("TEX|TEXS|TLD|TLDS|TLD4|TLD4S|TMML|TXD|TXA|TXQ|TXG", Memory, ""),
    row("SULD|SULDB|SULDGA|SUST|SUSTB|SUSTGA|SUATOM|SURED|SUEAU|SUBFM|SUCLAMP|SUQ", Memory, ""),
    row("CCTL|CCTLL|CCTLT|PLD|MATCHL|QSPC|AL2P|ALD|AST|IPA|ISBERD|ISBEWR|OUT|PIXLD", Memory, ""),
    row("MEMBAR|ERRBAR|CGAERRBAR|FENCE", Memory, "ordered by the load/store units"),
    row(
        "UBLKCP|UBLKPF|UBLKRED|UTMALDG|UTMASTG|UTMAPF|UTMAREDG|UTMACCTL|UTMACMDFLUSH|UMEMSETS|SYNCS",
        Memory,
        "an asynchronous copy",
    ),
    row("NANOSLEEP|ACQBULK|WARPGROUP|WARPGROUPSET|UGETNEXTWORKID|TTUGO|TTULD|TTUST", Refused(WAITS), ""),
    row("UCGABAR_ARV|UCGABAR_WAIT", Refused("a barrier of several blocks"), ""),
    row("BAR.ARV", Refused("arrives at a barrier without waiting for it"), ""),
    row("BAR", Barrier, ""),
    row("EXIT|RET|KIL|KILL|RTT", Nothing, "ends the threads or the function"),
    row("HMMA|IMMA|BMMA|DMMA|QMMA|OMMA", Matrix, ""),
    row("HGMMA|IGMMA|BGMMA|QGMMA|MOVM", Unrated, "a matrix instruction"),
    row(
        "UTCHMMA|UTCIMMA|UTCQMMA|UTCOMMA|UTCBAR|UTCCP|UTCSHIFT|UTCATOMSWS|UTCLDSWS|LDTM|STTM",
        Unrated,
        "a matrix instruction",
    ),
    row("BRA|JMP|BRX|JMX|BRXU|JMXU|LONGJMP|CAL|JCAL|CALL|BRK|CONT|SYNC|BREAK", Cores(Add, 1), "control flow"),
    row("SSY|PBK|PCNT|PRET|PLONGJMP|BSSY|BSYNC|BMOV|WARPSYNC|WARPARV|YIELD", Cores(Add, 1), STACK),
    row(
        "NOP|DEPBAR|LDGDEPBAR|LDDEP|TEXDEPBAR|LEPC|GETCRSPTR|SETCRSPTR|GETLMEMBASE|SETLMEMBASE",
        Cores(Add, 1),
        "",
    ),
    row(
        "BPT|PMTRIG|CS2R|S2R|R2B|B2R|RPCMOV|SETCTAID|WARPSYNCALL|ARRIVES|ENDCOLLECTIVE|ELECT|PREEXIT|ACQSHMINIT|IDE",
        Cores(Add, 1),
        "",
    ),
    // SAM lets all threads of the warp take part in what follows, and RAM those that did before.
    row("SAM|RAM", Cores(Add, 1), "which threads take part"),
    row(
        "S2UR|CS2UR|R2UR|UP2UR|UMOV|USEL|USETMAXREG|UPLOP3|UP2R|UR2UP|UVOTE|UISETP|UVIADD|UIABS|ULEPC|UPSETP|UFSEL",
        Cores(Add, 1),
        UNIFORM,
    ),
    row(
        "UIADD3|ULOP3|ULOP|USHF|USHL|USHR|UPRMT|UBMSK|USGXT|ULEA|UFLO|UBREV|UPOPC|UF2FP|UVIRTCOUNT",
        Cores(Shift, 1),
        UNIFORM,
    ),
    row("UIMNMX|UVIMNMX|UVIMNMX3|UFSETP|UFSET|UFMNMX|UFMNMX3", Cores(Compare, 1), UNIFORM),
    row("UCLEA|ULOP32I|UI2IP|UF2IP", Cores(Shift, 1), UNIFORM),
    row("UFADD|UFMUL|UFFMA", Cores(Single, 1), UNIFORM),
    row("UF2F|UF2I|UI2F|UFRND.F64 UF2F|UF2I|UI2F|UFRND.S64|U64", Cores(ConvertWide, 1), UNIFORM),
    row("UF2F|UF2I|UI2F|UI2FP|UI2I|UFRND", Cores(Convert, 1), UNIFORM),
    row("UIMAD", Cores(Multiply, 1), UNIFORM),
    row("MUFU", Cores(Special, 1), ""),
    row("RRO", Cores(Special, 1), "prepares a special function; as one, assumed"),
    row("DADD|DMUL|DFMA|DSETP|DSET|DMNMX", Cores(Double, 1), ""),
    row(
        "HADD2|HADD2_32I|HMUL2|HMUL2_32I|HFMA2|HFMA2_32I|HSETP2|HSET2|HMNMX2|HADD|HMUL|HFMA",
        Cores(Half, 1),
        "",
    ),
    row("FADD|FADD32I|FMUL|FMUL32I|FFMA|FFMA32I|FCHK|FSWZ|FSWZADD", Cores(Single, 1), ""),
    row("FADD2|FMUL2|FFMA2", Cores(Single, 2), "two results for each thread; as two, assumed"),
    row("FHADD|FHFMA", Cores(Half, 1), "as arithmetic of 16 bits, assumed"),
    row(
        "FSETP|FSET|FCMP|FMNMX|FMNMX3|ISETP|ISET|ICMP|IMNMX|VIMNMX|VIMNMX3|CSETP|CSET",
        Cores(Compare, 1),
        "",
    ),
    row("FSEL|SEL", Cores(Add, 1), ""),
    row("IMAD|IMUL.WIDE|HI", Cores(Multiply, 2), "64 bits or the upper half; as two, assumed"),
    row("IMUL|IMUL32I|IMAD|IMAD32I|IMADSP|IDP|IDP4A", Cores(Multiply, 1), ""),
    row("XMAD", Cores(Single, 1), "16-bit multiply-add at the rate of the cores, assumed"),
    row("IADD|IADD32I|IADD3|IADD2|ISUB|VIADD|IABS|INEG|LEA|ISCADD|ISCADD32I|IADDP", Cores(Add, 1), ""),
    row("ISAD|VABSDIFF", Cores(Difference, 1), ""),
    row("LOP|LOP32I|LOP3|PLOP3|PSETP|PSET|PLOP", Cores(Logic, 1), ""),
    row("SHL|SHR|SHF|PRMT|SGXT|BMSK", Cores(Shift, 1), ""),
    row("BREV", Cores(Reverse, 1), ""),
    row("BFE|BFI", Cores(BitField, 1), ""),
    row("FLO", Cores(Zeros, 1), ""),
    row("POPC", Cores(Population, 1), ""),
    row(
        "VADD|VMAD|VMNMX|VSET|VSETP|VSHL|VSHR|VABSDIFF4|VADD2|VADD4|VHMNMX|VIADDMNMX|VSET2|VSET4|VMNMX2|VMNMX4|VABSDIFF2|VAVRG2|VAVRG4",
        Cores(Video, 1),
        "",
    ),
    row("F2F|F2I|I2F|FRND.F64 F2F|F2I|I2F|FRND.S64|U64", Cores(ConvertWide, 1), ""),
    row("I2F|I2I.S8|U8|S16|U16", Cores(ConvertNarrow, 1), ""),
    row("F2F|F2I|I2F|I2I|FRND|F2FP|I2IP|F2IP|I2FP", Cores(Convert, 1), ""),
    row("MOV|MOV32I|P2R|R2P|MOV_R2P|LEPC2", Cores(Add, 1), ""),
    row("SHFL", Cores(Shuffle, 1), ""),
    row("VOTE|VOTEU", Cores(Vote, 1), ""),
    row("MATCH|REDUX|CREDUX", Cores(Reduce, 1), ""),
];
