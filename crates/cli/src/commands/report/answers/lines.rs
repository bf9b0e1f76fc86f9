//! What lines of code add: for the figure, and as code in the colours of a heat map.

use std::collections::BTreeMap;

use super::links::Links;
use warpspan_document::words::ratio;
use warpspan_figures::{Amounts, Code, CodeLine, Costed, LineCost};
use warpspan_records::extract::{Cost, LineCost as OfLine, LineShare, SourceCost, SourceShare};

/// How many lines around one that costs something are shown.
const AROUND: u32 = 3;

/// What a line adds.
pub(super) struct Line<'a> {
    /// The file of the source; `None` for a line of the listing.
    pub(super) file: Option<&'a str>,
    pub(super) line: u32,
    pub(super) instruction: Option<&'a str>,
    pub(super) amounts: Amounts,
    /// All of it, as the record has it.
    pub(super) adds: &'a str,
    pub(super) share: f64,
}

/// The cycles of a cost by their reasons.
pub(super) fn amounts(cost: &Cost) -> Amounts {
    Amounts {
        own: ratio(&cost.own_issue) + ratio(&cost.own_latency),
        others: ratio(&cost.others_unit) + ratio(&cost.others_slots),
        memory: ratio(&cost.memory),
        whole: 0.0,
    }
}

impl<'a> From<&'a OfLine> for Line<'a> {
    fn from(OfLine { line, instruction, cost, .. }: &'a OfLine) -> Self {
        let instruction = Some(instruction.as_deref().unwrap_or("(in a function)"));
        Self {
            file: None,
            line: *line,
            instruction,
            amounts: amounts(cost),
            adds: &cost.adds,
            share: cost.share,
        }
    }
}

impl<'a> From<&'a SourceCost> for Line<'a> {
    fn from(SourceCost { file, line, cost, .. }: &'a SourceCost) -> Self {
        let (file, amounts) = (Some(file.as_str()), amounts(cost));
        Self { file, line: *line, instruction: None, amounts, adds: &cost.adds, share: cost.share }
    }
}

impl<'a> From<&'a LineShare> for Line<'a> {
    fn from(LineShare { line, instruction, adds, share }: &'a LineShare) -> Self {
        let amounts = Amounts { whole: ratio(adds), ..Amounts::default() };
        let instruction = Some(instruction.as_deref().unwrap_or("(in a function)"));
        Self { file: None, line: *line, instruction, amounts, adds, share: *share }
    }
}

impl<'a> From<&'a SourceShare> for Line<'a> {
    fn from(SourceShare { file, line, adds, share }: &'a SourceShare) -> Self {
        let amounts = Amounts { whole: ratio(adds), ..Amounts::default() };
        Self { file: Some(file), line: *line, instruction: None, amounts, adds, share: *share }
    }
}

impl Line<'_> {
    /// The row of a figure, whose numbers are those of the line times a factor.
    pub(super) fn row(&self, listing: &str, factor: f64) -> Costed {
        let file = self.file.unwrap_or(listing);
        let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
        let name = match self.instruction {
            Some(instruction) => format!("{}: {instruction}", self.line),
            None => format!("{name}:{}", self.line),
        };
        let Amounts { own, others, memory, whole } = self.amounts;
        Costed {
            name,
            amounts: Amounts {
                own: own * factor,
                others: others * factor,
                memory: memory * factor,
                whole: whole * factor,
            },
            tip: format!("{:.1}% of {file}:{}, {} cycles", self.share, self.line, whole_cycles(self.adds)),
        }
    }
}

/// Cycles for a person to read: the whole ones of a ratio, or a small number with decimals.
fn whole_cycles(adds: &str) -> String {
    match ratio(adds) {
        _ if !adds.contains('/') => adds.to_owned(),
        small if small.abs() < 100.0 => format!("{small:.2}"),
        large => format!("{large:.0}"),
    }
}

/// The code of these lines, a part for each file: with the text of the source where that is there.
pub(super) fn codes(
    of: &str,
    listing: &str,
    unit: &'static str,
    lines: &[Line<'_>],
    links: &Links,
) -> Vec<Code> {
    let mut files: BTreeMap<Option<&str>, BTreeMap<u32, &Line<'_>>> = BTreeMap::new();
    for line in lines {
        files.entry(line.file).or_default().insert(line.line, line);
    }
    let cost = |line: &Line<'_>| LineCost {
        amounts: line.amounts,
        adds: whole_cycles(line.adds),
        share: line.share,
    };
    let code = |(file, lines): (Option<&str>, BTreeMap<u32, &Line<'_>>)| {
        let source = file.and_then(|named| links.source(named, listing));
        let (text, href) = match source {
            Some((text, href)) => (text, Some(href)),
            None => (
                String::new(),
                file.map_or_else(|| links.to(listing.as_ref()), |file| links.to(file.as_ref())),
            ),
        };
        let text: BTreeMap<u32, &str> = (1..).zip(text.lines()).collect();
        let is_near = |line: u32| {
            lines.range(line.saturating_sub(AROUND)..=line.saturating_add(AROUND)).next().is_some()
        };
        let mut shown: Vec<u32> = text.keys().copied().filter(|line| is_near(*line)).collect();
        shown.extend(lines.keys().filter(|line| !text.contains_key(line)));
        let line = |line: u32| {
            let known = lines.get(&line);
            let instruction = known.and_then(|known| known.instruction);
            CodeLine {
                line,
                text: instruction.or(text.get(&line).copied()).map(str::to_owned),
                cost: known.map(|known| cost(known)),
            }
        };
        Code {
            of: of.to_owned(),
            file: file.unwrap_or(listing).to_owned(),
            href,
            unit,
            lines: shown.into_iter().map(line).collect(),
        }
    };
    files.into_iter().rev().map(code).collect()
}
