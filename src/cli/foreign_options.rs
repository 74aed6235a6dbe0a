//! Options of tcpdump and tshark that have another name here: what an error says of them.

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// An option of tcpdump or tshark, and what does the same here.
struct ForeignOption {
    option: &'static str,
    /// Commands stand in backquotes, and can be run if the names are those of files and devices.
    hint: &'static str,
}

/// The options, in the order of the alphabet. The meaning is that of both programs, else that of the
/// one in which people use it more.
const FOREIGN: &[ForeignOption] = &[
    row(
        "--json",
        "`fragshark decode --format ndjson FILE` prints messages as JSON, `fragshark export --format \
         ndjson FILE` tables, `fragshark check --format json FILE` findings, `fragshark query \
         --format json HOST` an answer",
    ),
    row(
        "-2",
        "leave it out: `fragshark decode -Y 'server == 192.0.2.7' FILE` reads twice where it must",
    ),
    row("-A", "`fragshark decode -v FILE` prints the bytes of messages, and their text"),
    row("-B", "`fragshark capture -i eth0 --kernel-buffer 64` has a buffer of 64 MiB"),
    row("-C", "`fragshark capture -i eth0 -w FILE --rotate-size 100M` begins a file every 100 MB"),
    row("-D", "`fragshark interfaces` lists devices"),
    row("-E", "`fragshark export --format csv FILE` writes fields as columns"),
    row("-F", "`fragshark export --format pcapng FILE` writes packets; there is no other format"),
    row("-G", "`fragshark capture -i eth0 -w FILE --rotate-time 1h` begins a file every hour"),
    row("-L", "`fragshark interfaces` lists devices with their link types"),
    row("-O", "`fragshark decode -v -Y quake3 FILE` prints the bytes of one protocol's messages"),
    row("-P", "leave it out: `fragshark capture -i eth0 -w FILE` prints messages too"),
    row("-R", "`fragshark decode -Y 'server == 192.0.2.7' FILE` has a display filter"),
    row("-S", "leave it out: `fragshark capture -i eth0 -w FILE` prints messages too"),
    row(
        "-T",
        "`fragshark decode --format ndjson FILE` prints fields as JSON, \
         `fragshark export --format csv FILE` writes them as columns",
    ),
    row("-U", "leave it out: `fragshark capture -i eth0 -w FILE` writes packets at once"),
    row("-V", "`fragshark decode -V FILE` prints everything"),
    row("-W", "`fragshark capture -i eth0 -w FILE --rotate-size 1G --rotate-keep 5` keeps 5 files"),
    row("-X", "`fragshark decode -v FILE` prints the bytes of messages, and their text"),
    row("-Y", "`fragshark decode -Y 'server == 192.0.2.7' FILE` has a display filter"),
    row("-Z", "leave it out: `fragshark capture -i eth0` gives up its privileges"),
    row("-a", "`fragshark capture -i eth0 --duration 60s` stops after a minute"),
    row("-b", "`fragshark capture -i eth0 -w FILE --rotate-size 100M` begins a file every 100 MB"),
    row("-d", "`fragshark decode --decode-as 192.0.2.7:27960=rtcw FILE` sets the game of a server"),
    row("-e", "`fragshark export --what messages --format csv FILE` writes fields as columns"),
    row(
        "-f",
        "`fragshark capture -i eth0 -f 'udp port 27960'` has a capture filter, \
         `fragshark decode -Y 'udp.port == 27960' FILE` a display filter",
    ),
    row(
        "-i",
        "`fragshark capture -i eth0` prints messages of a device, `fragshark open -i eth0` shows \
         them",
    ),
    row("-l", "leave it out: `fragshark capture -i eth0` prints each line at once"),
    row(
        "-p",
        "leave it out: `fragshark capture -i eth0` captures other machines' packets only with --promiscuous",
    ),
    row("-s", "`fragshark capture -i eth0 --snap-length 128` keeps 128 bytes of a packet"),
    row("-v", "`fragshark decode -v FILE` prints the bytes of messages"),
    row(
        "-w",
        "`fragshark export --format pcapng FILE -o OUT.pcapng` writes packets of a capture, \
         `fragshark capture -i eth0 -w OUT.pcapng` those of a device",
    ),
    row("-x", "`fragshark decode -v FILE` prints the bytes of messages, and their text"),
    row(
        "-z",
        "`fragshark report FILE -o report.html` and `fragshark decode --count FILE` have statistics",
    ),
];

/// The options of quakestat, for `query`.
const OF_QUAKESTAT: &[ForeignOption] = &[
    row("-P", "`fragshark query -p HOST` shows players"),
    row("-R", "`fragshark query -r HOST` shows settings"),
    row("-j", "`fragshark query --format json HOST` prints an answer as JSON"),
    row("-x", "`fragshark query --format json HOST` prints an answer as JSON; there is no XML"),
];

const fn row(option: &'static str, hint: &'static str) -> ForeignOption {
    ForeignOption { option, hint }
}

/// What does the same as the option in an error, if the error is that a command of captures lacks
/// it. `named` is the command in the arguments.
pub(super) fn foreign_option(
    error: &clap::Error,
    program: &Command,
    named: Option<&str>,
) -> Option<&'static str> {
    let Some(ContextValue::String(wrote)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let command = named.map_or(Some(program), |name| program.find_subcommand(name))?;
    let reads = |arg: &clap::Arg| matches!(arg.get_long(), Some("read" | "interface"));
    let is_of_captures = command.get_arguments().any(reads);
    if error.kind() != ErrorKind::UnknownArgument {
        return None;
    }
    // A word says what is meant in any command.
    let applies = |option: &str| is_of_captures || option.starts_with("--");
    let of_quakestat = OF_QUAKESTAT.iter().filter(|_| named == Some("query"));
    let mut known = of_quakestat.chain(FOREIGN.iter().filter(|foreign| applies(foreign.option)));
    known.find(|foreign| foreign.option == wrote).map(|foreign| foreign.hint)
}

#[cfg(test)]
mod tests {
    use clap::{CommandFactory as _, Parser as _};

    use super::*;
    use crate::cli::Arguments;
    use filter::Filter;

    /// The words of a command; only single quotes occur.
    fn words(command: &str) -> Vec<String> {
        let quoted = command.split('\'').enumerate();
        quoted
            .flat_map(|(n, part)| match n % 2 {
                0 => part.split_whitespace().map(str::to_owned).collect(),
                _ => vec![part.to_owned()],
            })
            .collect()
    }

    #[test]
    fn each_hint_has_a_command_that_can_be_run() {
        assert!(FOREIGN.is_sorted_by_key(|foreign| foreign.option));
        assert!(OF_QUAKESTAT.is_sorted_by_key(|foreign| foreign.option));
        for ForeignOption { option, hint } in OF_QUAKESTAT.iter().chain(FOREIGN) {
            let commands: Vec<_> = hint.split('`').skip(1).step_by(2).collect();
            assert!(!commands.is_empty(), "{option}");
            for command in commands {
                let parsed = Arguments::try_parse_from(words(command));
                assert!(parsed.is_ok(), "{option}: {command}: {}", parsed.err().unwrap());
                let words = words(command);
                let filter = words.iter().skip_while(|word| *word != "-Y").nth(1);
                assert!(filter.is_none_or(|filter| Filter::parse(filter).is_ok()), "{command}");
            }
        }
    }

    #[test]
    fn each_hint_is_given_for_a_command_that_lacks_the_option() {
        let program = Arguments::command();
        let commands = ["decode", "capture", "export", "check", "explain", "open"];
        for ForeignOption { option, hint } in FOREIGN {
            let is_given = |command: &&str| {
                let error = Arguments::try_parse_from(["fragshark", command, option]).err();
                let given = error.and_then(|error| foreign_option(&error, &program, Some(command)));
                given == Some(hint)
            };
            assert!(commands.iter().any(is_given), "{option}");
        }
        for ForeignOption { option, hint } in OF_QUAKESTAT {
            let error = Arguments::try_parse_from(["fragshark", "query", option]).err().unwrap();
            assert_eq!(foreign_option(&error, &program, Some("query")), Some(*hint), "{option}");
        }
        // What has no captures has no such hint.
        let error = Arguments::try_parse_from(["fragshark", "catalogue", "-i"]).err().unwrap();
        assert_eq!(foreign_option(&error, &program, Some("catalogue")), None);
    }
}
