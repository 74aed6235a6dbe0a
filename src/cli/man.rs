//! `fragshark man`: the manual pages.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
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
    fragshark man decode > fragshark-decode.1\n  \
    fragshark man --output-dir ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// the page of this command [default: of the program]
    #[arg(value_name = "COMMAND")]
    command: Option<String>,
    /// write the pages of the program and of all commands to this directory
    #[arg(short, long, value_name = "DIR", conflicts_with = "command")]
    output_dir: Option<PathBuf>,
}

impl ManArgs {
    /// Prints the page of a command that `program` declares, or writes all pages.
    pub fn run(&self, program: clap::Command) -> anyhow::Result<()> {
        let mut program = with_aliases(program);
        program.build();
        if let Some(directory) = &self.output_dir {
            return write_all(&program, directory);
        }
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
        let mut out = Output::standard()?;
        out.write_all(&page(command)?)?;
        Ok(out.finish()?)
    }
}

/// A declaration in which the help of an option names its other letters, which pages leave out
/// otherwise.
fn with_aliases(program: clap::Command) -> clap::Command {
    let program = program.mut_args(|arg| {
        let letters = arg.get_visible_short_aliases().unwrap_or_default();
        let Some(help) = arg.get_help().filter(|_| !letters.is_empty()) else { return arg };
        let letters: Vec<_> = letters.iter().map(|letter| format!("-{letter}")).collect();
        let help = format!("{help}; {} is the same", letters.join(", "));
        arg.help(help)
    });
    program.mut_subcommands(with_aliases)
}

/// Writes `fragshark.1` and a page for each command, such as `fragshark-decode.1`.
fn write_all(program: &clap::Command, directory: &Path) -> anyhow::Result<()> {
    let write = |name: &str, command| {
        let file = directory.join(format!("{name}.1"));
        fs::write(&file, page(command)?).with_context(|| format!("cannot write {}", file.display()))
    };
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    write(program.get_name(), program)?;
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    for command in commands {
        write(&format!("{}-{}", program.get_name(), command.get_name()), command)?;
    }
    Ok(())
}

fn page(command: &clap::Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone().after_help(Resettable::Reset)).render(&mut page)?;
    sections(command).to_writer(&mut page)?;
    Ok(page)
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
