//! A master's limits and timeouts, by their names on the command line; one table has names,
//! defaults, meanings and sources, and the defaults are read from it.

mod table;

use super::defect::Defects;
use super::game_policy::GamePolicy;

pub use table::{SETTINGS, Setting};

/// The settings of a master.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "switches, each under its own name")]
pub struct Settings {
    /// Nanoseconds that a server stays listed after its last proof.
    pub server_timeout: i64,
    /// The same for GameSpy's servers.
    pub gamespy_timeout: i64,
    /// Nanoseconds in which a challenge must be answered.
    pub challenge_timeout: i64,
    pub max_servers: usize,
    pub max_per_address: usize,
    pub max_waiting: usize,
    /// The maximum bytes of a packet of a split list.
    pub packet_size: usize,
    pub list_form: ListForm,
    /// Which games are listed, of those that name themselves.
    pub game_policy: GamePolicy,
    /// Whether heartbeats with unknown tags count as those of games that name themselves.
    pub unknown_tags: bool,
    /// Whether a listed server that leaves a challenge unanswered stays, if its heartbeat may also
    /// mean shutdown.
    pub keep_silent: bool,
    /// Packets per second of one address on average; 0: no limit.
    pub flood: u32,
    /// Packets of one address in a burst.
    pub flood_burst: u32,
    /// Whether loopback addresses are limited too.
    pub flood_loopback: bool,
    /// Bytes per second of all lists on average; 0: no limit.
    pub list_rate: u32,
    /// Bytes of all lists in a burst.
    pub list_burst: u32,
    /// The maximum number of connections.
    pub connections: usize,
    pub connections_per_address: usize,
    /// The maximum nanoseconds of a connection.
    pub connection_timeout: i64,
    /// Whether clients of GameSpy's lists must prove that they have a key.
    pub list_proof: bool,
    pub motd: String,
    pub authorize: Authorize,
    /// Nanoseconds for which a shown key is valid.
    pub authorize_timeout: i64,
    /// Files of Enemy Territory's update; empty: none.
    pub update_files: String,
    /// Doom 3's newest protocol, major << 16 | minor.
    pub newest: u32,
    pub update_url: String,
    /// Whether servers on loopback addresses are listed; not in the table, because it follows from
    /// the addresses of the master.
    pub allow_loopback: bool,
    /// Whether other masters may register servers.
    pub allow_register: bool,
    /// The enabled defects.
    pub defects: Defects,
}

/// How Quake III's lists are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListForm {
    /// As many servers as fit, an end mark of seven bytes in the last packet.
    Dpmaster,
    /// 112 servers a packet, an end mark of four bytes in each.
    Id,
}

/// Which players are allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorize {
    /// Those whose address has sent a key.
    Shown,
    All,
    Nobody,
}

impl Default for Settings {
    fn default() -> Self {
        let mut settings = Self {
            server_timeout: 0,
            gamespy_timeout: 0,
            challenge_timeout: 0,
            max_servers: 0,
            max_per_address: 0,
            max_waiting: 1,
            packet_size: 0,
            list_form: ListForm::Dpmaster,
            game_policy: GamePolicy::default(),
            unknown_tags: false,
            keep_silent: false,
            flood: 0,
            flood_burst: 1,
            flood_loopback: false,
            list_rate: 0,
            list_burst: 0,
            connections: 0,
            connections_per_address: 0,
            connection_timeout: 0,
            list_proof: true,
            motd: String::new(),
            authorize: Authorize::Shown,
            authorize_timeout: 0,
            update_files: String::new(),
            newest: 0,
            update_url: String::new(),
            allow_loopback: false,
            allow_register: false,
            defects: Defects::default(),
        };
        for setting in SETTINGS {
            // A test reads every default.
            let _ = (setting.set)(&mut settings, setting.default);
        }
        settings
    }
}

impl Settings {
    /// The maximum number of connections of one client: never all.
    pub(crate) fn connections_of_one(&self) -> usize {
        self.connections_per_address.min((self.connections / 2).max(1))
    }

    /// Changes one setting; the error lists the names, or says which values are valid.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), String> {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == name) else {
            let names: Vec<_> = SETTINGS.iter().map(|setting| setting.name).collect();
            return Err(format!("no setting is called {name}; there are {}", names.join(", ")));
        };
        (setting.set)(self, value).ok_or_else(|| {
            format!("{name} cannot be {value}: {}, by default {}", setting.means, setting.default)
        })
    }

    /// Changes several: `server-timeout=2s,flood=10`.
    pub fn set_all(&mut self, assignments: &str) -> Result<(), String> {
        for assignment in assignments.split(',').filter(|a| !a.is_empty()) {
            let Some((name, value)) = assignment.split_once('=') else {
                return Err(format!("{assignment}: a setting is written NAME=VALUE"));
            };
            self.set(name.trim(), value)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_read() {
        let mut settings = Settings::default();
        for setting in SETTINGS {
            assert_eq!(settings.set(setting.name, setting.default), Ok(()), "{}", setting.name);
        }
        assert_eq!(settings, Settings::default());
        assert_eq!(settings.server_timeout, 15 * 60 * 1_000_000_000);
        assert_eq!(settings.newest, 0x0001_0029);
    }

    #[test]
    fn settings_are_set_or_said_to_be_wrong() {
        let mut settings = Settings::default();
        settings.set_all("server-timeout=2s,flood=0,motd=Hello there").unwrap();
        assert_eq!((settings.server_timeout, settings.flood), (2_000_000_000, 0));
        assert_eq!(settings.motd, "Hello there");
        for wrong in [
            "server-timeout=2",
            "server-timeout=0s",
            "server-timeout=-1s",
            "server-timeout=9999999999999h",
            "flood=many",
            "packet-size=10",
            "motd=\"",
            "list-form=raven",
            "game-policy=allow x",
            "list-rate=-1",
            "newest=3",
            "timeout=1s",
            "flood",
        ] {
            let before = settings.clone();
            assert!(settings.set_all(wrong).is_err(), "{wrong}");
            assert_eq!(settings, before, "{wrong}");
        }
    }
}
