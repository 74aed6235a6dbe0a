//! `fragshark completions`: what a shell completes.

mod mended;

use std::io::Write as _;
use std::sync::LazyLock;

use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::{Shell, generate};

use super::commands;
use analysis::RULES;
use conform::families::profiles;
use conform::servers::server_profiles;
use export::Output;
use masters::DEFECTS;
use masters::families::services;
use mended::mended;
use protocols::registry;
#[cfg(feature = "watch")]
use simulate::families::master_kinds;
use text::TimeDisplay;
use tui::screen_names;

/// print a script that completes commands, options and their values in a shell
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
        let (mut script, mut program) = (Vec::new(), with_values(command));
        generate(self.shell, &mut program, "fragshark", &mut script);
        let script = mended(self.shell, String::from_utf8(script)?, &program);
        let mut out = Output::standard()?;
        out.write_all(script.as_bytes())?;
        Ok(out.finish()?)
    }
}

/// The values of an option or an argument that completion offers.
struct OfferedValues {
    /// The command; `None` for all that have the option.
    command: Option<&'static str>,
    /// The name of the option without dashes, or the id of the argument.
    name: &'static str,
    values: fn() -> Vec<&'static str>,
}

/// What only completion knows as a list: the program also accepts other texts, such as numbers and
/// patterns, or has messages of its own for a wrong one.
const OFFERED: &[OfferedValues] = &[
    OfferedValues { command: None, name: "filter", values: filter_names },
    OfferedValues {
        command: None,
        name: "time",
        values: || TimeDisplay::ALL.map(TimeDisplay::name).to_vec(),
    },
    OfferedValues { command: None, name: "screen", values: || screen_names().collect() },
    OfferedValues {
        command: Some("conform"),
        name: "profile",
        values: || {
            let of_servers = server_profiles().map(|profile| profile.name);
            let mut names: Vec<_> = profile_names().into_iter().chain(of_servers).collect();
            names.sort_unstable();
            names.dedup();
            names
        },
    },
    OfferedValues { command: Some("fingerprint"), name: "profile", values: profile_names },
    #[cfg(feature = "watch")]
    OfferedValues {
        command: Some("watch"),
        name: "profile",
        values: || master_kinds().map(|kind| kind.profile).collect(),
    },
    OfferedValues {
        command: Some("master"),
        name: "only",
        values: || services().map(|service| service.name).collect(),
    },
    OfferedValues {
        command: Some("master"),
        name: "defect",
        values: || DEFECTS.iter().map(|(_, name, _)| *name).collect(),
    },
    OfferedValues {
        command: Some("capture"),
        name: "on",
        values: || RULES.iter().map(|rule| rule.id).chain(["any"]).collect(),
    },
    OfferedValues { command: Some("decode"), name: "as", values: message_names },
    OfferedValues { command: Some("man"), name: "command", values: command_names },
];

fn filter_names() -> Vec<&'static str> {
    // What a filter has to quote, a shell would take for its own quotes.
    filter::spellings().filter(|name| !name.contains('"')).collect()
}

fn profile_names() -> Vec<&'static str> {
    profiles().map(|profile| profile.name).collect()
}

fn message_names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(|| {
        let entries = registry().entries().iter();
        entries.map(|entry| format!("{}.{}", entry.protocol.id, entry.spec.id)).collect()
    });
    NAMES.iter().map(String::as_str).collect()
}

fn command_names() -> Vec<&'static str> {
    static NAMES: LazyLock<Vec<String>> = LazyLock::new(commands);
    NAMES.iter().map(String::as_str).collect()
}

/// A declaration with the offered values of a command's options, and of those of its commands.
fn with_values(command: Command) -> Command {
    let own = command.get_name().to_owned();
    let command = command.mut_args(|arg| {
        let name = arg.get_long().unwrap_or_else(|| arg.get_id().as_str());
        let is_of = |offered: &&OfferedValues| {
            offered.name == name && offered.command.is_none_or(|command| command == own)
        };
        match OFFERED.iter().find(is_of) {
            Some(offered) => arg.value_parser(PossibleValuesParser::new((offered.values)())),
            None => arg,
        }
    });
    command.mut_subcommands(with_values)
}
