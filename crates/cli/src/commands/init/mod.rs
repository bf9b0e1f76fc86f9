//! `warpspan init`: a commented file to start from.

use crate::args::init::{InitArgs, Kind};
use crate::output::{Target, print};
use crate::{Exit, Failure};

impl Kind {
    fn text(self) -> &'static str {
        match self {
            Self::Solve => include_str!("solve.toml"),
            Self::Rta => include_str!("rta.toml"),
            Self::Partition => include_str!("partition.toml"),
            Self::Prem => include_str!("prem.toml"),
            Self::Sweep => include_str!("sweep.toml"),
        }
    }
}

pub(crate) fn run(args: &InitArgs) -> Result<Exit, Failure> {
    let text = args.kind.text();
    let Some(path) = &args.output else {
        print(text)?;
        return Ok(Exit::Done);
    };
    if path.symlink_metadata().is_ok() {
        let what = "is there already: want a new name, since init replaces no file";
        return Err(Failure::usage(format!("{}: {what}", path.display())));
    }
    Target::open(path)?.write(|_, out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Done)
}
