//! Flags of `budget`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use warpspan_model::assumption::Accepted;

#[derive(Debug, Args)]
pub(crate) struct BudgetArgs {
    /// Kernels with their launches and deadlines in TOML; `-` for standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Also write it into a file: .json, .xml (JUnit), .sarif or .md; repeatable
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Vec<PathBuf>,
    /// What answers may rest on, in place of what the file says: clock.declared, dram.*; repeatable
    ///
    /// A name of docs/assumptions.md, or a pattern of names in which * stands for any text. A kernel fails that rests on another
    /// declaration, or on something else that is assumed.
    #[arg(long, value_name = "ID")]
    pub(crate) accept: Vec<Accepted>,
    /// Output on stdout
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Form,
}

/// The forms of the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For a person
    Text,
    /// One object on one line
    Json,
    /// A test for each kernel, in the XML of JUnit
    Junit,
    /// What is not proved to be met, in SARIF 2.1.0
    Sarif,
    /// As text, and with what annotates the run of a GitHub workflow
    Github,
    /// A table in Markdown
    Markdown,
}

/// The endings of the files that `--output` takes, each with its form.
pub(crate) const ENDINGS: [(&str, Form); 4] =
    [("json", Form::Json), ("xml", Form::Junit), ("sarif", Form::Sarif), ("md", Form::Markdown)];
