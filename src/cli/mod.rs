//! The command line: the arguments of each command, and its calls to the other modules.
//!
//! A command is a file: its arguments, and one function that runs it. Results go to standard
//! output, everything else to standard error. Nothing here knows a protocol or a format.

mod capture;
mod captures;
mod catalogue;
mod check;
mod completions;
mod config;
mod conform;
mod decode;
mod destination;
mod explain;
mod export;
mod file_format;
mod fingerprint;
mod foreign_commands;
mod foreign_options;
mod interfaces;
mod known;
mod live;
mod log;
mod man;
mod master;
mod message_filter;
mod message_printer;
mod open;
mod pace;
mod progress;
mod query;
mod recording;
mod redaction;
mod replay;
mod report;
mod signals;
mod trigger;
mod user_files;
#[cfg(feature = "watch")]
mod watch;
mod wireshark;

use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, anyhow};
use captures::{StandardInput, standard_input};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};
use foreign_options::foreign_option;

use ::export::Output;
use render::Colour;
use sandbox::{self, Confined, Needs};

// The exit statuses; their meanings are in `STATUSES`.
const DONE: u8 = 0;
const NEGATIVE: u8 = 1;
const FAILED: u8 = 2;
const PARTIAL: u8 = 3;

/// The exit statuses and their meanings, for the manual pages.
const STATUSES: [(u8, &str); 4] = [
    (DONE, "done"),
    (NEGATIVE, "done; a check or a test failed"),
    (FAILED, "it could not run, or not to its end"),
    (
        PARTIAL,
        "incomplete: input was damaged or left out, or something could not be judged, because \
         the target is down or preconditions do not hold",
    ),
];

/// analyze captures of game master server traffic
#[derive(Parser)]
#[command(
    name = "fragshark",
    version,
    override_usage = "fragshark [OPTIONS] [FILE]...\n       fragshark COMMAND ...",
    after_help = "examples:\n  \
        fragshark                                the built-in tour\n  \
        fragshark capture.pcapng                 browse a capture\n  \
        fragshark decode capture.pcapng          one line per message\n  \
        tcpdump -U -w - | fragshark decode -     decode while it is captured\n\n\
        for more, run `fragshark help COMMAND`"
)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    open: open::OpenArgs,
    /// when to use colour: auto (on a terminal, unless NO_COLOR is set), always, never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    #[arg(hide_default_value = true, hide_possible_values = true)]
    color: When,
    /// append errors and events to a file
    #[arg(long, global = true, value_name = "FILE")]
    log: Option<PathBuf>,
    /// print no progress and no notices on standard error, only warnings and errors
    #[arg(short, long, global = true, overrides_with = "quiet")]
    quiet: bool,
    /// accepted as in tcpdump: addresses are never resolved to names
    #[arg(short = 'n', long = "no-resolve", global = true, overrides_with = "_no_resolve")]
    _no_resolve: bool,
}

#[derive(Subcommand)]
enum Command {
    Open(open::OpenArgs),
    Decode(decode::Decode),
    Check(check::CheckArgs),
    Explain(explain::Explain),
    Export(export::Export),
    Report(report::ReportArgs),
    Catalogue(catalogue::CatalogueArgs),
    Master(Box<master::MasterArgs>),
    Query(Box<query::QueryArgs>),
    Replay(Box<replay::Replay>),
    Conform(Box<conform::Conform>),
    Fingerprint(Box<fingerprint::Fingerprint>),
    #[cfg(feature = "watch")]
    Watch(Box<watch::WatchArgs>),
    Interfaces(interfaces::Interfaces),
    Capture(capture::Capture),
    Wireshark(wireshark::WiresharkArgs),
    Config(config::ConfigArgs),
    Completions(completions::CompletionArgs),
    Man(man::ManArgs),
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    Auto,
    Always,
    Never,
}

/// Checks standard output; call it before the runtime starts.
#[cfg(target_os = "linux")]
pub extern "C" fn before_main() {
    if rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err() {
        Output::standard_is_closed();
    }
}

/// Runs the command in `arguments`, the program's name first. Returns one of the statuses that the
/// manual pages list; a closed output pipe is no failure.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let arguments = wireshark::join_extcap_name(arguments);
    let arguments = decode::join_ladder_format(arguments);
    let arguments = match parse(arguments.clone()) {
        Ok(arguments) => arguments,
        Err(error) => {
            return report_argument_error(&error, named_command(&arguments).as_deref());
        }
    };
    if arguments.quiet {
        QUIET.store(true, Ordering::Relaxed);
    }
    let colour = arguments.color.colour();
    if let Some(path) = &arguments.log
        && let Err(error) = log::open(path)
    {
        notify(&format!("cannot write {}: {error}", path.display()));
        return FAILED.into();
    }
    let done = match arguments.command {
        None => match arguments.open.mistyped_command() {
            Some(error) => Err(error),
            None => arguments.open.run(colour).map(|()| DONE),
        },
        Some(_) if arguments.open.is_given() => Err(anyhow!("arguments must follow the command")),
        Some(Command::Open(open)) => open.run(colour).map(|()| DONE),
        Some(Command::Decode(decode)) => decode.run(colour),
        Some(Command::Check(check)) => check.run(colour),
        Some(Command::Explain(explain)) => explain.run(colour),
        Some(Command::Export(export)) => export.run(),
        Some(Command::Report(report)) => report.run(),
        Some(Command::Catalogue(catalogue)) => catalogue.run().map(|()| DONE),
        Some(Command::Query(query)) => query.run(colour),
        Some(Command::Replay(replay)) => replay.run(colour),
        Some(Command::Master(master)) => master.run().map(|()| DONE),
        Some(Command::Conform(conform)) => conform.run(colour),
        Some(Command::Fingerprint(fingerprint)) => fingerprint.run(),
        #[cfg(feature = "watch")]
        Some(Command::Watch(watch)) => watch.run(colour),
        Some(Command::Interfaces(interfaces)) => interfaces.run().map(|()| DONE),
        Some(Command::Capture(capture)) => capture.run(colour).map(|()| DONE),
        Some(Command::Wireshark(wireshark)) => wireshark.run(),
        Some(Command::Config(config)) => config.run(),
        Some(Command::Completions(completions)) => {
            completions.run(Arguments::command()).map(|()| DONE)
        }
        Some(Command::Man(man)) => man.run(Arguments::command()).map(|()| DONE),
    };
    match done {
        Ok(status) => status.into(),
        Err(error) if is_closed_pipe(&error) => DONE.into(),
        Err(error) => {
            // An IO error without context is that of the output.
            let is_bare = error.is::<io::Error>() && error.chain().nth(1).is_none();
            let cannot = if is_bare { "cannot write: " } else { "" };
            notify(&format!("{cannot}{error:#}"));
            if let Some(wrong) = error.downcast_ref::<filter::FilterError>() {
                _ = writeln!(io::stderr(), "  {}", wrong.marked().join("\n  "));
            }
            if error.is::<open::NoTerminal>() {
                _ = writeln!(io::stderr(), "{}", Arguments::command().render_usage());
            }
            FAILED.into()
        }
    }
}

/// Parses the arguments. Where only the capture is missing, it is standard input, if that is a pipe
/// or a file.
fn parse(mut arguments: Vec<OsString>) -> Result<Arguments, clap::Error> {
    let error = match Arguments::try_parse_from(&arguments) {
        Err(error) if error.kind() == ErrorKind::MissingRequiredArgument => error,
        parsed => return parsed,
    };
    let missing = error.context().find_map(|(kind, value)| match (kind, value) {
        (ContextKind::InvalidArg, ContextValue::Strings(missing)) => Some(missing),
        _ => None,
    });
    let lacks_file = missing.is_some_and(|missing| missing.iter().any(|of| of == "<FILE>..."));
    if !lacks_file || standard_input() == StandardInput::Other {
        return Err(error);
    }
    arguments.push("-".into());
    Arguments::try_parse_from(arguments)
}

/// The names of the commands.
fn commands() -> Vec<String> {
    Arguments::command().get_subcommands().map(|command| command.get_name().to_owned()).collect()
}

/// The first command in the arguments.
fn named_command(arguments: &[OsString]) -> Option<String> {
    let commands = commands();
    let mut words = arguments.iter().skip(1);
    words.find_map(|word| commands.iter().find(|command| word == command.as_str()).cloned())
}

/// The status of a verdict.
fn judged(good: bool) -> u8 {
    if good { DONE } else { NEGATIVE }
}

/// Prints the error in the arguments, or the requested help. `named` is the command in them.
fn report_argument_error(error: &clap::Error, named: Option<&str>) -> ExitCode {
    if !error.use_stderr() {
        return match print(error) {
            Err(error) if !is_closed_pipe(&error) => {
                notify(&format!("{error:#}"));
                FAILED.into()
            }
            _ => DONE.into(),
        };
    }
    let text = error.render().to_string();
    let similar = || similar_command(error).map(|near| format!("did you mean {near}?"));
    let foreign = foreign_option(error, &Arguments::command(), named).map(str::to_owned);
    let hint = foreign.or_else(similar).map(|hint| format!("; {hint}"));
    _ = writeln!(io::stderr(), "fragshark: {}{}", in_one_line(&text), hint.unwrap_or_default());
    FAILED.into()
}

/// The command like the one that `help` does not know.
fn similar_command(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(wrote)) = error.get(ContextKind::InvalidSubcommand) else {
        return None;
    };
    let commands = commands();
    text::nearest(wrote, commands.iter().map(String::as_str), 2).map(str::to_owned)
}

/// An error in the arguments in one line: what is wrong, and what may be meant.
fn in_one_line(error: &str) -> String {
    let error = error.strip_prefix("error: ").unwrap_or(error);
    let words = |paragraph: &str| paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut paragraphs = error.split("\n\n").map(words);
    let mut line = paragraphs.next().unwrap_or_default();
    for paragraph in paragraphs {
        // That an unknown option may be a value helps nobody who meant an option.
        let tip = paragraph.strip_prefix("tip: ").filter(|tip| !tip.starts_with("to pass "));
        if let Some(tip) = tip {
            line.push_str("; ");
            line.push_str(tip);
        }
    }
    line
}

/// Prints the help, coloured if enabled.
fn print(help: &clap::Error) -> anyhow::Result<()> {
    let out = Output::standard()?;
    help.print().context("cannot write standard output")?;
    Ok(out.finish()?)
}

/// Drops unneeded privileges, before the first thread starts: writes the log, and reports on
/// standard error what this system does not support.
fn confine(needs: &Needs) -> anyhow::Result<()> {
    let confined = sandbox::confine(needs)?;
    logged(&confined);
    if cfg!(target_os = "linux") {
        for missing in &confined.missing {
            notify(missing);
        }
    }
    Ok(())
}

/// Logs which privileges were dropped.
fn logged(confined: &Confined) {
    log::line(&format!("rights: {confined}"));
}

/// Whether notices are left out.
static QUIET: AtomicBool = AtomicBool::new(false);

/// Writes a line that is neither a warning nor an error to standard error, unless the user wants none.
fn inform(text: &str) {
    if !is_quiet() {
        notify(text);
    }
}

fn is_quiet() -> bool {
    QUIET.load(Ordering::Relaxed)
}

/// Writes one line to standard error.
fn notify(text: &str) {
    _ = writeln!(io::stderr(), "fragshark: {}", text::escaped(text));
}

/// Whether the reader of the output has gone, as `head` does.
fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let mut causes = error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>());
    causes.any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

impl When {
    fn colour(self) -> Colour {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let coloured = match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
                io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
            }
        };
        if coloured { Colour::Ansi } else { Colour::Plain }
    }
}
