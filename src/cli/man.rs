//! `fragshark man`: the manual pages.

use std::io::Write as _;

use anyhow::bail;
use clap::Args;
use clap::builder::Resettable;
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::{STATUSES, commands};
use crate::export::Output;
use crate::text::suggested;

/// print the manual page of a command, or of the program, for man
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark man | man -l -\n  \
    fragshark man decode > fragshark-decode.1")]
pub(super) struct ManArgs {
    /// the page of this command [default: of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
}

impl ManArgs {
    /// Prints the page of a command that `program` declares.
    pub fn run(&self, mut program: clap::Command) -> anyhow::Result<()> {
        program.build();
        let command = match &self.command {
            None => &program,
            Some(wanted) => {
                let Some(command) = program.find_subcommand(wanted) else {
                    let commands = commands();
                    let near = suggested(wanted, "commands", commands.iter().map(String::as_str));
                    bail!("no command is named {wanted}{near}");
                };
                command
            }
        };
        let mut page = Vec::new();
        Man::new(command.clone().after_help(Resettable::Reset)).render(&mut page)?;
        sections(command).to_writer(&mut page)?;
        let mut out = Output::standard()?;
        out.write_all(&page)?;
        Ok(out.finish()?)
    }
}

/// The examples of a command, line by line as its help has them, and the exit statuses.
fn sections(command: &clap::Command) -> Roff {
    let mut page = Roff::new();
    if let Some(examples) = command.get_after_help() {
        page.control("SH", ["EXAMPLES"]);
        page.control("nf", []);
        for line in examples.to_string().lines().filter(|line| !line.starts_with("example")) {
            page.text([roman(line)]);
        }
        page.control("fi", []);
    }
    page.control("SH", ["EXIT STATUS"]);
    for (status, meaning) in STATUSES {
        page.control("TP", []);
        page.text([bold(status.to_string())]);
        page.text([roman(meaning)]);
    }
    page
}
