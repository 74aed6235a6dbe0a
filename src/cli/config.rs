//! `fragshark config`: the configuration in force. Other commands read it here too.

use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::user_files::ConfigFile;
use super::{DONE, NEGATIVE, notify};
use export::Output;
use text::escaped;
use tui::{UserConfig, complete};

/// print the configuration of the interface, with all defaults
#[derive(Args)]
#[command(after_help = "example:\n  \
    fragshark config > my.toml    a file to change; see docs/configuration.md\n\n\
    exit status: 1 if the file has errors")]
pub(super) struct ConfigArgs {
    #[command(flatten)]
    config: ConfigOption,
}

/// Which configuration is read.
#[derive(Args)]
pub(super) struct ConfigOption {
    /// read the configuration from this file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

impl ConfigOption {
    /// Whether a file was named.
    pub fn is_given(&self) -> bool {
        self.config.is_some()
    }

    /// Reads the configuration: its errors are in it. A named file has to exist.
    pub fn read_config(&self) -> anyhow::Result<UserConfig> {
        if let Some(file) = &self.config {
            File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
            return Ok(UserConfig::read_file(file));
        }
        Ok(match ConfigFile::find() {
            Some(ConfigFile::Usual(file)) if !file.exists() => UserConfig::default(),
            Some(ConfigFile::Usual(file) | ConfigFile::Named(file)) => UserConfig::read_file(&file),
            None => UserConfig::default(),
        })
    }
}

impl ConfigArgs {
    pub fn run(self) -> anyhow::Result<u8> {
        let config = self.config.read_config()?;
        let mut out = Output::standard()?;
        writeln!(out, "# {}", source(&config))?;
        let (text, errors) = complete(config);
        write!(out, "{text}")?;
        out.finish()?;
        for error in &errors {
            notify(&error.to_string());
        }
        Ok(if errors.is_empty() { DONE } else { NEGATIVE })
    }
}

/// Where a configuration comes from.
fn source(config: &UserConfig) -> String {
    match (config.file(), ConfigFile::find()) {
        (Some(file), _) if !file.exists() => {
            format!("the defaults; {} does not exist", escaped(&file.display().to_string()))
        }
        (Some(file), _) => format!("read from {}", escaped(&file.display().to_string())),
        (None, Some(ConfigFile::Usual(file) | ConfigFile::Named(file))) => {
            format!("the defaults; {} does not exist", escaped(&file.display().to_string()))
        }
        (None, None) => "the defaults; there is no home for a file".to_owned(),
    }
}
