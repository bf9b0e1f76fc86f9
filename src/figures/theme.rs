//! The colours of drawings, on light and on dark paper.
//!
//! The colours are those of M. Okabe and K. Ito, which people with colour blindness can tell apart. A drawing names
//! them in its attributes as they are on light paper; the style sheet changes those that would not show on dark paper.
//! Ink is `currentColor`, which the style sheet sets too.

/// A colour as an attribute of SVG names it.
pub(super) type Colour = &'static str;

/// Axes, text and the worst case itself.
pub(super) const INK: Colour = "currentColor";
/// The phase bound, and what keeps the load/store units or the memory busy.
pub(super) const BLUE: Colour = "#0072B2";
/// The pessimistic makespan, and writebacks.
pub(super) const GREEN: Colour = "#009E73";
/// The estimate.
pub(super) const PURPLE: Colour = "#CC79A7";
/// What keeps the CUDA cores busy.
pub(super) const ORANGE: Colour = "#E69F00";
/// What is unsafe. A drawing with unsafe points has nothing else in this colour.
pub(super) const VERMILION: Colour = "#D55E00";
/// A further kernel on a GPU.
pub(super) const SKY: Colour = "#56B4E9";
/// A further kernel on a GPU.
pub(super) const YELLOW: Colour = "#F0E442";
/// The paper, before the style sheet changes it.
pub(super) const PAPER: Colour = "#FFFFFF";
/// Text on a dark fill, whatever the paper is.
pub(super) const WHITE: Colour = "#ffffff";
/// Text on a bright fill, whatever the paper is.
pub(super) const BLACK: Colour = "#111111";

/// The style sheet of every drawing, in a file of its own or within a page.
pub(super) const STYLE: &str = "\
.warpspan{color:#1b1f24;font-family:system-ui,-apple-system,'Segoe UI','Liberation Sans',Helvetica,Arial,sans-serif}\
.warpspan text{font-family:inherit}\
.warpspan .paper{fill:#fff}.warpspan .tip:hover{fill-opacity:.16}\
@media screen and (prefers-color-scheme:dark){\
.warpspan{color:#e6edf3}.warpspan .paper{fill:#161b22}\
.warpspan [fill='#0072B2']{fill:#56B4E9}.warpspan [stroke='#0072B2']{stroke:#56B4E9}}";
