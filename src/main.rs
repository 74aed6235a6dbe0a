//! Arguments, command, exit status; everything else is the crates'.

use std::process::ExitCode;

mod cli;
mod wireshark;

fn main() -> ExitCode {
    cli::run(std::env::args_os())
}

/// Called before the runtime begins, which opens `/dev/null` where standard output is closed.
#[cfg(target_os = "linux")]
#[used]
#[allow(unsafe_code, reason = "the section holds functions that are called in turn, as this one")]
#[unsafe(link_section = ".init_array")]
static BEFORE_MAIN: extern "C" fn() = cli::before_main;
