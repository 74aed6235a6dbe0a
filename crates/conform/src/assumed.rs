//! Assumptions about the target: limits and choices that a document leaves to the master, by the
//! names of the reference master's settings.

use std::time::Duration;

use simulate::{SETTINGS, Settings};

/// The assumed settings of the target; by default the reference master's.
#[derive(Debug, Clone, Default)]
pub struct Assumed {
    settings: Settings,
    /// The names that the user gave.
    given: Vec<&'static str>,
}

impl Assumed {
    /// Parses `server-timeout=2s,list-form=id`; the error lists the names.
    ///
    /// # Errors
    /// A text that lists the names, or says which values are valid.
    pub fn parse(assignments: &str) -> Result<Self, String> {
        let mut assumed = Self::default();
        assumed.add_assignments(assignments)?;
        Ok(assumed)
    }

    /// Parses further ones.
    ///
    /// # Errors
    /// A text that lists the names, or says which values are valid.
    pub fn add_assignments(&mut self, assignments: &str) -> Result<(), String> {
        self.settings.set_all(assignments)?;
        let names = assignments.split(',').filter_map(|one| one.split_once('='));
        for (name, _) in names {
            self.given.extend(SETTINGS.iter().map(|s| s.name).find(|known| *known == name.trim()));
        }
        Ok(())
    }

    /// All settings, given or default.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Whether the user gave it.
    pub fn is_given(&self, name: &str) -> bool {
        self.given.contains(&name)
    }

    /// A timeout by its name; `None` if there is none of that name.
    pub fn time(&self, name: &str) -> Option<Duration> {
        let nanoseconds = match name {
            "server-timeout" => self.settings.server_timeout,
            "gamespy-timeout" => self.settings.gamespy_timeout,
            "challenge-timeout" => self.settings.challenge_timeout,
            "connection-timeout" => self.settings.connection_timeout,
            "authorize-timeout" => self.settings.authorize_timeout,
            _ => return None,
        };
        u64::try_from(nanoseconds).ok().map(Duration::from_nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_is_known_and_the_rest_is_the_default() {
        let assumed = Assumed::parse("server-timeout=2s,allow-register=on").unwrap();
        assert!(assumed.is_given("server-timeout") && !assumed.is_given("flood"));
        assert_eq!(assumed.time("server-timeout"), Some(Duration::from_secs(2)));
        assert_eq!(assumed.time("challenge-timeout"), Some(Duration::from_secs(2)));
        assert_eq!(assumed.time("flood"), None);
        assert!(assumed.settings().allow_register);
        assert!(Assumed::parse("server-timeout=2").is_err() && Assumed::parse("none=1").is_err());
    }

    #[test]
    fn every_time_out_is_a_time() {
        for setting in SETTINGS.iter().filter(|setting| setting.name.ends_with("-timeout")) {
            assert!(Assumed::default().time(setting.name).is_some(), "{}", setting.name);
        }
    }
}
