//! Words that people type in place of a command: those of other programs, and those for what a
//! command does.

/// A word, and the command that does what it means.
struct ForeignCommand {
    word: &'static str,
    /// Commands stand in backquotes, and can be run if the names are those of files and hosts.
    hint: &'static str,
}

/// The words, in the order of the alphabet.
const FOREIGN: &[ForeignCommand] = &[
    row("ask", "`fragshark query HOST:PORT` asks a server or a master"),
    row("dig", "`fragshark query HOST:PORT` asks a server or a master"),
    row("dump", "`fragshark decode -v FILE` prints the bytes of messages"),
    row("gamedig", "`fragshark query HOST:PORT` asks a server"),
    row("info", "`fragshark query -r HOST:PORT` asks a server for its state and settings"),
    row("json", "`fragshark decode --format ndjson FILE` prints the messages of a capture as JSON"),
    row(
        "list",
        "`fragshark query --list HOST:PORT` gets the list of a master, `fragshark decode FILE` prints \
         the messages of a capture",
    ),
    row(
        "masters",
        "`fragshark export --what masters FILE` writes the masters of a capture, `fragshark watch \
         --target HOST:PORT` watches one",
    ),
    row("ping", "`fragshark query -c 10 HOST:PORT` asks a server ten times"),
    row(
        "players",
        "`fragshark query -p HOST:PORT` asks a server for its players, `fragshark export --what \
         players FILE` writes those of a capture",
    ),
    row("qstat", "`fragshark query HOST:PORT` asks a server"),
    row("quakestat", "`fragshark query HOST:PORT` asks a server"),
    row("rules", "`fragshark query -r HOST:PORT` asks a server for its settings"),
    row("send", "`fragshark query HOST:PORT MESSAGE FIELD=VALUE` sends a message"),
    row(
        "servers",
        "`fragshark export --what servers FILE` writes the servers of a capture, `fragshark query \
         --each HOST:PORT` asks those on the list of a master",
    ),
    row("show", "`fragshark decode FILE` prints the messages of a capture"),
    row(
        "statistics",
        "`fragshark decode --count FILE` and `fragshark report FILE` have statistics",
    ),
    row("stats", "`fragshark decode --count FILE` and `fragshark report FILE` have statistics"),
    row("status", "`fragshark query HOST:PORT` asks a server for its state"),
];

const fn row(word: &'static str, hint: &'static str) -> ForeignCommand {
    ForeignCommand { word, hint }
}

/// The command that does what a word means.
pub(super) fn command_of_others(word: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|foreign| foreign.word.eq_ignore_ascii_case(word)).map(|it| it.hint)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;
    use crate::cli::{Arguments, commands};

    #[test]
    fn each_hint_has_a_command_that_can_be_run() {
        assert!(FOREIGN.is_sorted_by_key(|foreign| foreign.word));
        let own = commands();
        for ForeignCommand { word, hint } in FOREIGN {
            assert!(!own.iter().any(|command| command == word), "{word} is a command");
            let commands: Vec<_> = hint.split('`').skip(1).step_by(2).collect();
            assert!(!commands.is_empty(), "{word}");
            for command in commands {
                let parsed = Arguments::try_parse_from(command.split_whitespace());
                assert!(parsed.is_ok(), "{word}: {command}: {}", parsed.err().unwrap());
            }
        }
    }
}
