//! Arguments, command, exit status; everything else is the library's.

use std::process::ExitCode;

fn main() -> ExitCode {
    fragshark::cli::run(std::env::args_os())
}
