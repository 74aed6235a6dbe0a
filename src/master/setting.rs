//! A master's limits and time-outs, by names that a command line can set; one table has their
//! names, defaults, meanings and sources, and the defaults are read from it.

mod table;

use super::defect::Defects;
use super::game_policy::GamePolicy;

pub use table::{SETTINGS, Setting};

/// How a master behaves.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "switches, each under its own name")]
pub struct Settings {
    /// Nanoseconds that a server stays listed after it has last proved itself.
    pub server_timeout: i64,
    /// The same for GameSpy's servers.
    pub gamespy_timeout: i64,
    /// Nanoseconds in which a challenge has to be answered.
    pub challenge_timeout: i64,
    pub max_servers: usize,
    pub max_per_address: usize,
    pub max_waiting: usize,
    /// Bytes of a list's packet, where a list is split.
    pub packet_size: usize,
    pub list_form: ListForm,
    /// Whose servers are listed, of the games that say their name.
    pub game_policy: GamePolicy,
    /// Whether heartbeats of unknown tags are taken for those of games that name themselves.
    pub unknown_tags: bool,
    /// Whether a listed server that leaves a challenge unanswered stays, where a heartbeat may be
    /// its last words.
    pub keep_silent: bool,
    /// Packets a second that one address may cost in the long run; 0: any number.
    pub flood: u32,
    /// Packets that one address may cost at once.
    pub flood_burst: u32,
    /// Whether loopback addresses are bounded too.
    pub flood_loopback: bool,
    /// Bytes a second that all lists may take in the long run; 0: any number.
    pub list_rate: u32,
    /// Bytes that all lists may take at once.
    pub list_burst: u32,
    /// Connections at once.
    pub connections: usize,
    pub connections_per_address: usize,
    /// Nanoseconds that a connection may last.
    pub connection_timeout: i64,
    /// Whether who asks for GameSpy's lists has to hold a key.
    pub list_proof: bool,
    pub motd: String,
    pub authorize: Authorize,
    /// Nanoseconds for which a key that was shown holds.
    pub authorize_timeout: i64,
    /// Files of Enemy Territory's update; empty: there is none.
    pub update_files: String,
    /// Doom 3's newest protocol, major << 16 | minor.
    pub newest: u32,
    pub update_url: String,
    /// Whether servers on loopback addresses are listed; no setting of the table, for it follows
    /// from where the master listens.
    pub allow_loopback: bool,
    /// Whether other masters may register servers.
    pub allow_register: bool,
    /// What is broken on purpose.
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

/// Which players are let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authorize {
    /// Whose address has shown a key.
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
    /// Connections that one client may have: never all.
    pub(super) fn connections_of_one(&self) -> usize {
        self.connections_per_address.min((self.connections / 2).max(1))
    }

    /// Changes one of them; the error says which there are, or what it takes.
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
