//! What the scripts of clap_complete lack: values behind `=` and commas in bash, values of arguments
//! in fish, commands behind files in zsh. The scripts are changed as text; `tests/it/completions.rs` runs them in the shells.

use std::fmt::Write as _;

use clap::Command;
use clap::builder::PossibleValue;
use clap_complete::Shell;

/// What completes values behind `=`, where bash begins a new word, and behind a comma, where it does
/// not. It has the generated function complete the value alone.
const BASH_VALUES: &str = r#"_fragshark_values() {
    local word="$2" option="$3" before=""
    if [[ "${word}" == "=" ]]; then
        word=""
    fi
    if [[ "${option}" == "=" ]]; then
        option="${COMP_WORDS[COMP_CWORD-2]}"
    fi
    if [[ "${option}" == -* && "${word}" == *,* ]]; then
        before="${word%,*},"
        word="${word##*,}"
    fi
    _fragshark "$1" "${word}" "${option}"
    if [[ -n "${before}" ]]; then
        COMPREPLY=("${COMPREPLY[@]/#/"${before}"}")
    fi
}

"#;

/// How bash is told to use it.
const BASH_COMPLETE: &str = "complete -F _fragshark_values ";

/// The script for a shell, with what it lacked.
pub(super) fn mended(shell: Shell, script: String, program: &Command) -> String {
    match shell {
        Shell::Bash => {
            BASH_VALUES.to_owned() + &script.replace("complete -F _fragshark ", BASH_COMPLETE)
        }
        Shell::Zsh => zsh(&script),
        Shell::Fish => fish(&script, program),
        _ => script,
    }
}

/// Where a command has both files and commands of its own, the script takes the first word for a
/// file and looks for the command in the second. Here the first is a command, or all are files.
fn zsh(script: &str) -> String {
    const COMMANDS: &str = "\":: :_fragshark_commands\" \\\n";
    const STATE: &str = "    (fragshark)\n";
    const FUNCTION: &str = "(( $+functions[_fragshark_commands] )) ||\n";

    let mut lines = script.lines().peekable();
    let mut kept = String::new();
    while let Some(line) = lines.next() {
        let is_before_commands = lines
            .peek()
            .is_some_and(|next| next.starts_with("\":: :_") && next.ends_with("_commands\" \\"));
        let is_argument = line.starts_with("'::");
        if !(is_argument && is_before_commands) {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    let is_command = "(( $+functions[_fragshark__subcmd__$line[1]_commands] ))";
    kept.replace("$line[2]", "$line[1]")
        .replacen(COMMANDS, "\":: :_fragshark_commands_and_files\" \\\n", 1)
        .replacen(STATE, &format!("{STATE}        {is_command} || {{ _files; return }}\n"), 1)
        .replacen(
            FUNCTION,
            &format!(
                "_fragshark_commands_and_files() {{\n    \
                 _alternative 'commands:command:_fragshark_commands' 'files:capture:_files'\n\
                 }}\n{FUNCTION}"
            ),
            1,
        )
}

/// The script offers nothing for an option before the command while its value is missing, nothing
/// behind `help`, because that is a command too, and no values of arguments.
fn fish(script: &str, program: &Command) -> String {
    const PARSE: &str = "    argparse -s (__fish_fragshark_global_optspecs) -- $cmd 2>/dev/null\n";
    const COMMAND_OF_HELP: &str = "_using_subcommand help; and not __fish_seen_subcommand_from ";

    let parse_without_last =
        format!("{PARSE}    or begin\n        set -e cmd[-1]\n    {PARSE}    end\n");
    let mut mended = String::new();
    for line in script.replacen(PARSE, &parse_without_last, 1).lines() {
        let line = match line.split_once(COMMAND_OF_HELP) {
            Some((before, after)) => {
                format!("{before}{COMMAND_OF_HELP}{}", after.replacen(" help\"", "\"", 1))
            }
            None => line.to_owned(),
        };
        mended.push_str(&line);
        mended.push('\n');
    }
    for command in program.get_subcommands() {
        for argument in command.get_positionals() {
            let values = argument.get_possible_values();
            let values: Vec<_> = values.iter().map(PossibleValue::get_name).collect();
            if !values.is_empty() {
                let (name, values) = (command.get_name(), values.join(" "));
                _ = writeln!(
                    mended,
                    "complete -c fragshark -n \"__fish_fragshark_using_subcommand {name}\" \
                     -f -a \"{values}\""
                );
            }
        }
    }
    mended
}
