//! The colours of drawings, on light and on dark paper.
//!
//! The colours are those of M. Okabe and K. Ito, which people with colour blindness can tell apart. The
//! attributes in a drawing hold the colours for light paper; the style sheet changes those that would be hard
//! to see on dark paper. Ink is `currentColor`, which the style sheet sets too.

/// A colour as it stands in an SVG attribute.
pub(super) type Colour = &'static str;

/// The colour of axes, of text and of the worst case.
pub(super) const INK: Colour = "currentColor";
/// The colour of the phase bound, and of work on the load/store units or the memory.
pub(super) const BLUE: Colour = "#0072B2";
/// The colour of the pessimistic makespan and of writebacks.
pub(super) const GREEN: Colour = "#009E73";
/// The colour of the estimate.
pub(super) const PURPLE: Colour = "#CC79A7";
/// The colour of work on the CUDA cores.
pub(super) const ORANGE: Colour = "#E69F00";
/// The colour of unsafe points. A drawing that has such points uses it for nothing else.
pub(super) const VERMILION: Colour = "#D55E00";
/// A colour for a further kernel on a GPU.
pub(super) const SKY: Colour = "#56B4E9";
/// A colour for a further kernel on a GPU.
pub(super) const YELLOW: Colour = "#F0E442";
/// The colour of the paper, before the style sheet changes it.
pub(super) const PAPER: Colour = "#FFFFFF";
/// The colour of text on a dark fill, whatever the paper is.
pub(super) const WHITE: Colour = "#ffffff";
/// The colour of text on a bright fill, whatever the paper is.
pub(super) const BLACK: Colour = "#111111";

/// The style sheet of every drawing, in a file of its own or within a page.
pub(super) const STYLE: &str = "\
.warpspan{color:#1b1f24;font-family:system-ui,-apple-system,'Segoe UI','Liberation Sans',Helvetica,Arial,sans-serif}\
.warpspan text{font-family:inherit}\
.warpspan .paper{fill:#fff}.warpspan .tip:hover{fill-opacity:.16}\
@media screen and (prefers-color-scheme:dark){\
.warpspan{color:#e6edf3}.warpspan .paper{fill:#161b22}\
.warpspan [fill='#0072B2']{fill:#56B4E9}.warpspan [stroke='#0072B2']{stroke:#56B4E9}}";
