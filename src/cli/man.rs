//! `fragshark man`: the manual pages.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::Resettable;
use clap_mangen::Man;
use roff::{Roff, bold, roman};

use super::STATUSES;
use export::Output;
use text::suggested;

/// print the manual page of a command, or of the program, for man
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark man | man -l -\n  \
    fragshark man decode > fragshark-decode.1\n  \
    fragshark man wireshark lua | man -l -\n  \
    fragshark man --output-dir ~/.local/share/man/man1")]
pub(super) struct ManArgs {
    /// the page of this command, such as `decode` or `wireshark lua` [default: of the program]
    #[arg(value_name = "COMMAND")]
    command: Vec<String>,
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
        let mut command = &program;
        for wanted in &self.command {
            command = subcommand(command, wanted)?;
        }
        let mut out = Output::standard()?;
        out.write_all(&page(command)?)?;
        Ok(out.finish()?)
    }
}

/// The command of this name that another one has.
fn subcommand<'a>(of: &'a clap::Command, wanted: &str) -> anyhow::Result<&'a clap::Command> {
    if let Some(command) = of.find_subcommand(wanted) {
        return Ok(command);
    }
    let names: Vec<_> = of.get_subcommands().map(clap::Command::get_name).collect();
    let near = suggested(wanted, "commands", names.iter().copied());
    // All commands have names of their own, so the program is not named.
    let owner = match of.get_display_name().and_then(|name| name.split_once('-')) {
        Some((_, owner)) => format!(" of {}", owner.replace('-', " ")),
        None => String::new(),
    };
    let near = if names.is_empty() { String::new() } else { near };
    bail!("no command{owner} is named {wanted}{near}");
}

/// A declaration in which the help of an option names its other letters, which pages leave out
/// otherwise; and without the commands `help`, which have no pages.
fn with_aliases(program: clap::Command) -> clap::Command {
    let program = program.mut_args(|arg| {
        let letters = arg.get_visible_short_aliases().unwrap_or_default();
        let Some(help) = arg.get_help().filter(|_| !letters.is_empty()) else { return arg };
        let letters: Vec<_> = letters.iter().map(|letter| format!("-{letter}")).collect();
        let help = format!("{help}; {} is the same", letters.join(", "));
        arg.help(help)
    });
    program.mut_subcommands(with_aliases).disable_help_subcommand(true)
}

/// Writes `fragshark.1` and a page for each command, such as `fragshark-decode.1` and
/// `fragshark-wireshark-lua.1`.
fn write_all(program: &clap::Command, directory: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(directory)
        .with_context(|| format!("cannot create {}", directory.display()))?;
    write_pages(program, program.get_name(), directory)
}

/// Writes the page of a command under this name, and those of the commands under it.
fn write_pages(command: &clap::Command, name: &str, directory: &Path) -> anyhow::Result<()> {
    let file = directory.join(format!("{name}.1"));
    fs::write(&file, page(command)?).with_context(|| format!("cannot write {}", file.display()))?;
    command
        .get_subcommands()
        .try_for_each(|of| write_pages(of, &format!("{name}-{}", of.get_name()), directory))
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
