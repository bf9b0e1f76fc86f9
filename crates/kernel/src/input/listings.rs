//! Listings that are named in a file of kernels or tasks.

use std::collections::BTreeMap;
use std::sync::Arc;

use warpspan_model::assumption::{Assumption, Id, Kind, Rests};
use warpspan_model::source::Spanned;

use crate::input::keys::key;
use crate::input::multiprocessor::Sigmas;
use crate::input::{Listed, Shown, classes_of, declarations_of, listed, listed_on, read_listing};
use warpspan_listing::Options;
use warpspan_model::Code;
use warpspan_model::device::Capability;
use warpspan_model::machine::{Machine, Step};
use warpspan_model::program::Piece;
use warpspan_model::source::{InputError, Message, Source};

/// The keys by which a kernel's table describes its listing.
#[doc(hidden)]
pub struct ListingKeys<'a> {
    /// The name of what runs it, and its number; without one that of the entry is its name.
    pub name: Option<&'a str>,
    pub number: usize,
    pub entry: Option<&'a Spanned<String>>,
    pub loop_bounds: &'a BTreeMap<String, Spanned<i64>>,
    pub params: &'a BTreeMap<String, Spanned<toml::Value>>,
    pub uniform: &'a [String],
    pub unreachable: &'a [String],
    pub transactions: &'a BTreeMap<String, Spanned<i64>>,
    pub classes: Option<&'a Spanned<String>>,
    pub declare: Option<&'a Spanned<String>>,
}

impl ListingKeys<'_> {
    /// What is wrong where keys are given without a listing.
    pub const WANT_A_LISTING: &'static str = "entry, loop_bounds, params, uniform, unreachable, transactions, classes and \
                                                     declare are of a listing: want ptx = \"FILE\"";

    /// The key that declares something of this name.
    fn of(&self, id: Id) -> String {
        let (key, is_given) = match id {
            Id::LoopBound | Id::LoopWaits | Id::LoopUnreached => {
                ("loop_bounds", !self.loop_bounds.is_empty())
            }
            Id::BranchUniform => ("uniform", !self.uniform.is_empty()),
            Id::CodeUnreachable => ("unreachable", !self.unreachable.is_empty()),
            Id::ParameterValue | Id::PointersAligned => ("params", !self.params.is_empty()),
            Id::Transactions => ("transactions", !self.transactions.is_empty()),
            _ => ("classes", self.classes.is_some() && id == Id::ClassOfOpcode),
        };
        match (is_given, self.declare) {
            (true, Some(_)) => format!("{key} or declare"),
            (true, None) => key.to_owned(),
            (false, _) => "declare".to_owned(),
        }
    }

    #[doc(hidden)]
    pub fn are_given(&self) -> bool {
        self.entry.is_some()
            || self.classes.is_some()
            || self.declare.is_some()
            || !self.loop_bounds.is_empty()
            || !self.params.is_empty()
            || !self.uniform.is_empty()
            || !self.unreachable.is_empty()
            || !self.transactions.is_empty()
    }
}

/// Reads listings, whose paths are relative to the file that names them.
pub struct Listings<'a> {
    source: &'a Source<'a>,
    /// The capability of `[multiprocessor]` or of the preset; if there is none, each listing has that of its
    /// target.
    capability: Option<Capability>,
    /// The first two different targets among the listings.
    targets: [Option<Capability>; 2],
    /// What the code of the listings rests on.
    rests: Rests,
    /// Why a launch may never end where some of its blocks have not begun, of the first listing of which that is so.
    waits: Option<String>,
    /// Why a kernel behind a launch in its stream may run at the same time, of the first listing of which that is so.
    starts_next: Option<Message>,
    /// What the listing that was read last says of the blocks of its entry.
    shown: Option<Shown>,
    /// The names of what runs the entries that were read.
    named: Vec<String>,
}

impl<'a> Listings<'a> {
    #[doc(hidden)]
    pub fn new(source: &'a Source<'a>, capability: Option<Capability>) -> Self {
        Self {
            source,
            capability,
            targets: [None, None],
            rests: Rests::default(),
            waits: None,
            starts_next: None,
            shown: None,
            named: Vec::new(),
        }
    }

    /// Reads the code that a table names; errors point to the line of that table.
    pub fn read(&mut self, file: &Spanned<String>, keys: &ListingKeys<'_>) -> Result<Code, InputError> {
        let options = self.options(keys, None)?;
        let Listed { code, capability, entry, rests, waits, starts_next, text, params, .. } =
            read_listing(&self.source.beside(file.get_ref()))
                .and_then(|text| listed(text, &options))
                .map_err(|error| self.source.within(file.span().start, error, key))?;
        match self.targets {
            [None, _] => self.targets[0] = Some(capability),
            [Some(first), None] if first != capability => self.targets[1] = Some(capability),
            _ => {}
        }
        self.add_waits(&entry, waits, starts_next);
        self.shown = Some(Shown::of(&entry, &text.resources(&entry)?, params));
        self.add(keys, entry, rests);
        Ok(code)
    }

    /// The same on a machine, and whether it moves data behind the multiprocessors. Letters that the machine does not
    /// have are added to it.
    pub(crate) fn read_on(
        &mut self,
        file: &Spanned<String>,
        keys: &ListingKeys<'_>,
        machine: &mut Arc<Machine>,
    ) -> Result<(Piece<Step>, bool), InputError> {
        let options = self.options(keys, Some(machine))?;
        let found = read_listing(&self.source.beside(file.get_ref()))
            .and_then(|text| listed_on(text, &options))
            .map_err(|error| self.source.within(file.span().start, error, key))?;
        *machine = found.machine;
        self.add_waits(&found.entry, found.waits, found.starts_next);
        self.shown = Some(Shown::of(&found.entry, &found.text.resources(&found.entry)?, found.params));
        self.add(keys, found.entry, found.rests);
        self.rests.add(found.of_machine.into());
        Ok((found.code, found.reaches_memory))
    }

    fn options(&self, keys: &ListingKeys<'_>, machine: Option<&Arc<Machine>>) -> Result<Options, InputError> {
        let mut options = Options {
            entry: keys.entry.map(|entry| entry.get_ref().clone()),
            capability: self.capability,
            uniform: keys.uniform.iter().cloned().collect(),
            unreachable: keys.unreachable.iter().cloned().collect(),
            machine: machine.cloned(),
            // A file of kernels has no place for a warning.
            strict: true,
            ..Options::default()
        };
        for (label, most) in keys.loop_bounds {
            let bound = format!("{label}={}", self.source.positive(label, most)?);
            options.loop_bounds.add(&bound).map_err(|what| self.source.error(most.span().start, what))?;
        }
        for (label, most) in keys.transactions {
            if machine.is_none() {
                let what = "transactions are counted on a machine, and not on the paper's multiprocessor";
                return Err(self.source.error(most.span().start, what));
            }
            let given = format!("{label}={}", self.source.positive(label, most)?);
            options.transactions.add(&given).map_err(|what| self.source.error(most.span().start, what))?;
        }
        for (name, value) in keys.params {
            let given = format!("{name}={}", self.source.number_or_range(name, value)?);
            options.params.add(&given).map_err(|what| self.source.error(value.span().start, what))?;
        }
        let machine = machine.map(AsRef::as_ref);
        if let Some(file) = keys.declare {
            let said = declarations_of(&self.source.beside(file.get_ref()), machine)
                .and_then(|said| said.for_every_input().map(|()| said))
                .map_err(|error| self.source.within(file.span().start, error, key))?;
            options.declarations = Some(Arc::new(said));
        }
        if let Some(classes) = keys.classes {
            options.classes = classes_of(&self.source.beside(classes.get_ref()), machine)
                .map_err(|error| self.source.within(classes.span().start, error, key))?;
        }
        Ok(options)
    }

    /// Adds what the code of an entry rests on under the name of what runs it: that of the entry where it has no other, with its number in
    /// parentheses if that name is taken.
    fn add(&mut self, keys: &ListingKeys<'_>, entry: String, rests: Rests) {
        let with_key = |one: Assumption| match one.kind {
            Kind::Declared => Assumption { source: Some(keys.of(one.id)), ..one },
            _ => one,
        };
        let on = rests.on.into_iter().map(with_key).collect();
        let rests = Rests { on, ..rests };
        let is_taken = self.named.contains(&entry);
        let own = if is_taken { format!("{entry} (K{})", keys.number) } else { entry };
        let name = keys.name.map_or(own, str::to_owned);
        self.rests.add(rests.of(&name));
        self.named.push(name);
    }

    fn add_waits(&mut self, entry: &str, waits: Option<String>, starts_next: Option<Message>) {
        self.waits = self.waits.take().or(waits.map(|why| format!("{entry}: {why}")));
        let of_entry = |why| Message::text(format!("{entry}: ")).append(why);
        self.starts_next = self.starts_next.take().or(starts_next.map(of_entry));
    }

    /// The error that blocks of a listing wait for one another, and other kernels, or too many blocks, may keep some of them out, or
    /// that one lets the next kernel of its stream begin before it has ended.
    ///
    /// # Errors
    /// If such a listing was read. Blocks may wait for one another if all are `there`.
    pub fn check_waits(&self, there: bool) -> Result<(), InputError> {
        let place = self.source.place;
        if let Some(why) = self.waits.as_ref().filter(|_| !there) {
            let what = format!(
                "{why}, and some of its blocks may have no room meanwhile: such a launch may never end"
            );
            return Err(InputError::new(place, what));
        }
        match &self.starts_next {
            Some(why) => Err(InputError::new(place, why.worded(key))),
            None => Ok(()),
        }
    }

    /// What the code of the listings rests on, but for the numbers of a machine, which are in
    /// [`Platform::assumes`](crate::input::Platform::assumes).
    pub fn rests(&self) -> Rests {
        self.rests.clone()
    }

    /// What the listing that was read last says of the blocks of its entry.
    pub fn shown(&self) -> Shown {
        self.shown.clone().unwrap_or(Shown::NOTHING)
    }

    /// The name of what runs the entry that was read last.
    pub fn name(&self) -> String {
        self.named.last().cloned().unwrap_or_default()
    }

    /// The sigmas of the capability that all listings are for, where the file gives none; `None` without a
    /// listing.
    pub fn sigmas(&self) -> Result<Option<Sigmas>, InputError> {
        match self.targets {
            [Some(one), Some(other)] => {
                let what = format!(
                    "listings for capabilities {} and {}: want [multiprocessor] compute_capability",
                    one.version, other.version
                );
                Err(InputError::new(self.source.place, what))
            }
            [Some(one), None] => {
                Sigmas::of(one).map(Some).map_err(|error| InputError::new(self.source.place, error))
            }
            [None, _] => Ok(None),
        }
    }
}
