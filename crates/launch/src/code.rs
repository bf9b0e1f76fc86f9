//! What is known of the code of a listing, as texts, and the options that it makes.

use std::sync::Arc;

use crate::texts::File;
use warpspan_listing::{Options, Params, read_classes, read_declarations, read_loop_bounds};
use warpspan_model::device::Capability;
use warpspan_model::machine::Machine;
use warpspan_model::source::InputError;

/// Which code of a listing is meant, and what its user knows of it.
#[derive(Debug, Clone, Default)]
pub struct Code {
    /// The entry; none for the only one.
    pub entry: Option<String>,
    /// The most passes of loops: `LABEL=N`.
    pub loop_bound: Vec<String>,
    /// The same as a file of lines `LABEL = N`.
    pub loop_bounds: Option<File>,
    /// Branches at which all threads of a warp take the same path, by their label or line.
    pub uniform: Vec<String>,
    /// Labels or lines to which control never comes.
    pub unreachable: Vec<String>,
    /// Values of parameters: `NAME=N`.
    pub param: Vec<String>,
    /// A file of classes of opcodes.
    pub classes: Option<File>,
    /// A file of declarations.
    pub declare: Option<File>,
    /// Whether an opcode without a class is refused.
    pub strict: bool,
}

impl Code {
    /// The options of the reader of listings, for a capability and on a machine, whose letters the files may name.
    ///
    /// # Errors
    /// If one of the texts is wrong.
    pub fn options(
        &self,
        capability: Option<Capability>,
        machine: Option<Arc<Machine>>,
    ) -> Result<Options, InputError> {
        let mut loop_bounds = match &self.loop_bounds {
            Some(file) => read_loop_bounds(&file.place, &file.text)?,
            None => Default::default(),
        };
        for bound in &self.loop_bound {
            let wrong = |what| InputError::new(format!("--loop-bound {bound}"), what);
            loop_bounds.add(bound).map_err(wrong)?;
        }
        let of = machine.as_deref();
        let classes = self.classes.as_ref().map(|file| read_classes(&file.place, &file.text, of));
        let classes = classes.transpose()?.unwrap_or_default();
        let declared = self.declare.as_ref().map(|file| read_declarations(&file.place, &file.text, of));
        let declared = declared.transpose()?;
        let mut params = Params::default();
        for given in &self.param {
            params.add(given).map_err(|what| InputError::new(format!("--param {given}"), what))?;
        }
        Ok(Options {
            entry: self.entry.clone(),
            capability,
            classes,
            loop_bounds,
            params,
            uniform: self.uniform.iter().cloned().collect(),
            unreachable: self.unreachable.iter().cloned().collect(),
            declarations: declared.map(Arc::new),
            machine,
            strict: self.strict,
            ..Options::default()
        })
    }
}

/// The options with declared transactions of memory instructions: `LABEL=N`.
///
/// # Errors
/// If one of them is no such text.
#[doc(hidden)]
pub fn with_transactions(mut options: Options, transactions: &[String]) -> Result<Options, InputError> {
    for given in transactions {
        let wrong = |what: String| InputError::new(format!("--transactions {given}"), what);
        options.transactions.add(given).map_err(wrong)?;
    }
    Ok(options)
}
