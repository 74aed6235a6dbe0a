//! Assumptions about the target: limits and choices that a document leaves to the master, by the
//! names of the reference master's settings; and the game of the servers that it lists, where it lists
//! no other.

use std::time::Duration;

use simulate::{SETTINGS, Settings};

/// The assumed settings of the target; by default the reference master's.
#[derive(Debug, Clone, Default)]
pub struct Assumed {
    settings: Settings,
    /// The names that the user gave.
    given: Vec<&'static str>,
    game: AssumedGame,
}

/// The game of all servers that the target lists, as far as it is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AssumedGame {
    /// The name that its servers say.
    pub name: Option<String>,
    /// The number of their protocol.
    pub protocol: Option<i64>,
}

impl Assumed {
    /// Parses `server-timeout=2s,list-form=id,gamename=IW4,protocol=150`; the error lists the names.
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
        for assignment in assignments.split(',') {
            let (name, value) = assignment.split_once('=').unwrap_or((assignment, ""));
            match (name.trim(), value.trim()) {
                (GAME_NAME, name) => self.game.name = Some(valid_name(name)?),
                (PROTOCOL, number) => self.game.protocol = Some(valid_protocol(number)?),
                (name, _) => {
                    let known = SETTINGS.iter().map(|setting| setting.name);
                    self.settings.set_all(assignment).map_err(|why| match name {
                        "" => why,
                        _ if known.clone().any(|known| known == name) => why,
                        _ => format!("{why}; also {GAME_NAME} and {PROTOCOL}"),
                    })?;
                    self.given.extend(known.clone().find(|known| *known == name));
                }
            }
        }
        Ok(())
    }

    /// The game of all servers that the target lists, as far as it is given.
    pub fn game(&self) -> &AssumedGame {
        &self.game
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

/// The names of the parts of [`AssumedGame`].
const GAME_NAME: &str = "gamename";
const PROTOCOL: &str = "protocol";

/// A name of a game, which is one word of a request for a list.
fn valid_name(name: &str) -> Result<String, String> {
    // A request that begins with a number has no name.
    let is_valid = name.bytes().all(|byte| byte.is_ascii_graphic() && !b"\\\"/;%".contains(&byte))
        && name.starts_with(|first: char| !first.is_ascii_digit());
    if is_valid {
        return Ok(name.to_owned());
    }
    Err(format!(
        "{GAME_NAME}={name}: a name of a game has letters, digits and signs but \\ \" / ; % and \
         blanks, and does not begin with a digit"
    ))
}

fn valid_protocol(number: &str) -> Result<i64, String> {
    let parsed = number.parse::<u32>().ok().map(i64::from);
    parsed.ok_or_else(|| format!("{PROTOCOL}={number}: a number is wanted here"))
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
    fn a_game_is_assumed_beside_settings() {
        let assumed = Assumed::parse("gamename=IW4, max-per-address=10,protocol=150").unwrap();
        let game = AssumedGame { name: Some("IW4".into()), protocol: Some(150) };
        assert_eq!(*assumed.game(), game);
        assert!(assumed.is_given("max-per-address"));
        assert_eq!(assumed.settings().max_per_address, 10);
        for wrong in
            ["gamename=", "gamename=4x", "gamename=a b", "protocol=x", "protocol=", "game=x"]
        {
            let why = Assumed::parse(wrong).unwrap_err();
            assert!(why.contains("gamename") || why.contains("protocol"), "{wrong}: {why}");
        }
    }

    #[test]
    fn every_time_out_is_a_time() {
        for setting in SETTINGS.iter().filter(|setting| setting.name.ends_with("-timeout")) {
            assert!(Assumed::default().time(setting.name).is_some(), "{}", setting.name);
        }
    }
}
