//! The hosts files that a configuration names.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};

use super::{ConfigValue, UserConfig};
use analysis::HostNames;

/// So many bytes of a file are read.
const LARGEST: u64 = 16 << 20;

impl UserConfig {
    /// Reads the hosts files; one that cannot be read is reported.
    pub fn read_hosts(&mut self) -> HostNames {
        let mut names = HostNames::default();
        for ConfigValue { value: file, line } in self.hosts.clone() {
            match contents(&file) {
                Ok(text) => names.add_all(&HostNames::from_hosts(&text)),
                Err(error) => self.report(line, "hosts", format!("cannot read {file}: {error}")),
            }
        }
        names
    }
}

/// The text of a file; `~/` is the user's folder.
fn contents(file: &str) -> io::Result<String> {
    let home = file.strip_prefix("~/").and_then(|rest| Some(env::home_dir()?.join(rest)));
    let file = File::open(home.unwrap_or_else(|| file.into()))?;
    let mut bytes = Vec::new();
    file.take(LARGEST).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
