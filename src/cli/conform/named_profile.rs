//! The name of `--profile`: kinds of masters and of servers share names.

use anyhow::anyhow;

use conform::Profile;
use conform::families::profiles;
use conform::servers::server_profiles;

/// The kinds of masters and of servers with a name: at least one of both.
#[derive(Clone)]
pub(super) struct NamedProfile {
    name: String,
    master: Option<&'static Profile>,
    server: Option<&'static Profile>,
}

impl NamedProfile {
    /// The kinds with this name.
    pub fn parse(name: &str) -> Result<Self, String> {
        let master = profiles().find(|profile| profile.name == name);
        let server = server_profiles().find(|profile| profile.name == name);
        if master.or(server).is_none() {
            let of_masters = names(profiles());
            let of_servers = names(server_profiles());
            return Err(format!(
                "unknown profile; the profiles are {of_masters}; with --server: {of_servers}"
            ));
        }
        Ok(Self { name: name.to_owned(), master, server })
    }

    /// The kind of master.
    pub fn of_masters(&self) -> anyhow::Result<&'static Profile> {
        self.master.ok_or_else(|| {
            let Self { name, .. } = self;
            anyhow!("--profile {name} is a kind of server: conform --server --profile {name}")
        })
    }

    /// The kind of server.
    pub fn of_servers(&self) -> anyhow::Result<&'static Profile> {
        self.server.ok_or_else(|| {
            let known = names(server_profiles());
            anyhow!("--profile {} is a kind of master; those of servers are {known}", self.name)
        })
    }
}

fn names(profiles: impl Iterator<Item = &'static Profile>) -> String {
    profiles.map(|profile| profile.name).collect::<Vec<_>>().join(", ")
}
