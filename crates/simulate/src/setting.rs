//! A master's limits and timeouts, by their names on the command line; one table has names,
//! defaults, meanings and sources, and the defaults are read from it.

mod table;

pub use table::{SETTINGS, Setting, Settings};

/// How Quake III's lists are packed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ListForm {
    /// As many servers as fit, an end mark of seven bytes in the last packet.
    #[default]
    Dpmaster,
    /// 112 servers a packet, an end mark of four bytes in each.
    Id,
    /// A line feed and a NUL before 111 servers a packet, `\EOT` at the end of each, and `\EOF` at
    /// the end of the last.
    Raven,
    /// The packets have their numbers, and each an end mark.
    Daemon,
}

/// Which players are allowed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Authorize {
    /// Those whose address has sent a key.
    #[default]
    Shown,
    /// Every player.
    All,
    /// No player.
    Nobody,
}

impl Settings {
    /// The maximum number of connections of one client: never all.
    pub fn connections_of_one(&self) -> usize {
        self.connections_per_address.min((self.connections / 2).max(1))
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// A text that lists the names, or says which values are valid.
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
    ///
    /// # Errors
    /// As for the first that cannot be set.
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
    fn settings_are_set_or_refused() {
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
            "list-form=other",
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
