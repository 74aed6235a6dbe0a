//! `fragshark completions`: what a shell completes.

use std::io::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::export::Output;
use crate::filter;

/// print a script that completes commands, options and names of filters in a shell
#[derive(Args)]
#[command(after_help = "examples:\n  \
    fragshark completions bash > ~/.local/share/bash-completion/completions/fragshark\n  \
    fragshark completions zsh > ~/.zfunc/_fragshark\n  \
    fragshark completions fish > ~/.config/fish/completions/fragshark.fish\n  \
    fragshark completions powershell >> $PROFILE")]
pub(super) struct CompletionArgs {
    /// bash, zsh, fish, powershell or elvish
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    shell: Shell,
}

impl CompletionArgs {
    /// Prints the script for the program that is declared by `command`.
    pub fn run(&self, command: Command) -> anyhow::Result<()> {
        let mut script = Vec::new();
        generate(self.shell, &mut with_filter_names(command), "fragshark", &mut script);
        let mut out = Output::standard()?;
        out.write_all(&script)?;
        Ok(out.finish()?)
    }
}

/// A declaration in which display filters have the names of the filter language as their values.
/// Only completion knows them so: a filter is an expression.
fn with_filter_names(command: Command) -> Command {
    // What a filter has to quote, a shell would take for its own quotes.
    let plain = || filter::spellings().filter(|name| !name.contains('"'));
    let names = || PossibleValuesParser::new(plain());
    let command = command.mut_args(|arg| match arg.get_value_names() {
        Some([name]) if name == "FILTER" => arg.value_parser(names()),
        _ => arg,
    });
    command.mut_subcommands(with_filter_names)
}
