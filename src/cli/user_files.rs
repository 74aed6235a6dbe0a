//! Where the user's own files are: the configuration, and what is kept between runs.

use std::env;
use std::path::PathBuf;

/// Names another configuration.
const VARIABLE: &str = "FRAGSHARK_CONFIG";
const PROGRAM: &str = "fragshark";
const CONFIG: &str = "config.toml";

/// A system's way to place the files of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// The XDG base directories.
    Xdg,
    /// The same if they are set, else `~/Library/Application Support`.
    Mac,
    /// `%APPDATA%` and `%LOCALAPPDATA%`.
    Windows,
}

/// The configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ConfigFile {
    /// Named by the environment; it has to exist.
    Named(PathBuf),
    /// In its usual place, if it exists.
    Usual(PathBuf),
}

impl ConfigFile {
    /// The file that the environment names, or else the usual one; `None` without a home.
    pub fn find() -> Option<Self> {
        let named = env::var_os(VARIABLE).filter(|file| !file.is_empty()).map(PathBuf::from);
        let usual = || Some(places().config()?.join(PROGRAM).join(CONFIG));
        named.map(Self::Named).or_else(|| usual().map(Self::Usual))
    }
}

/// The folder of what is kept between runs; `None` without a home.
pub(super) fn state_folder() -> Option<PathBuf> {
    Some(places().state()?.join(PROGRAM))
}

fn places() -> Places<impl Fn(&str) -> Option<PathBuf>> {
    let layout = match () {
        () if cfg!(windows) => Layout::Windows,
        () if cfg!(target_os = "macos") => Layout::Mac,
        () => Layout::Xdg,
    };
    let variable = |name: &str| env::var_os(name).map(PathBuf::from);
    Places { layout, home: home().or_else(|| variable("HOME")), variable }
}

/// The home of the user who called sudo.
#[cfg(target_os = "linux")]
fn home() -> Option<PathBuf> {
    let (user, _) = sandbox::on_behalf_of()?;
    let user = nix::unistd::User::from_uid(user.into()).ok().flatten();
    // Not root's, if this user has none.
    Some(user.map_or_else(PathBuf::new, |user| user.dir))
}

#[cfg(not(target_os = "linux"))]
fn home() -> Option<PathBuf> {
    None
}

struct Places<F> {
    layout: Layout,
    home: Option<PathBuf>,
    variable: F,
}

impl<F: Fn(&str) -> Option<PathBuf>> Places<F> {
    fn config(&self) -> Option<PathBuf> {
        self.place("XDG_CONFIG_HOME", ".config", "APPDATA")
    }

    fn state(&self) -> Option<PathBuf> {
        self.place("XDG_STATE_HOME", ".local/state", "LOCALAPPDATA")
    }

    /// A relative path is no place.
    fn place(&self, xdg: &str, in_home: &str, on_windows: &str) -> Option<PathBuf> {
        let set = |name: &str| (self.variable)(name).filter(|path| path.is_absolute());
        let in_home = match self.layout {
            Layout::Windows => return set(on_windows),
            Layout::Mac => "Library/Application Support",
            Layout::Xdg => in_home,
        };
        let home = || self.home.as_ref().filter(|home| home.is_absolute());
        set(xdg).or_else(|| home().map(|home| home.join(in_home)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn files_are_where_each_system_has_them() {
        use Layout::{Mac, Windows, Xdg};
        let mac = "/home/ann/Library/Application Support";
        for (layout, home, set, config, state) in [
            (Xdg, "/home/ann", &[][..], "/home/ann/.config", "/home/ann/.local/state"),
            (Xdg, "/home/ann", &[("XDG_CONFIG_HOME", "/c")], "/c", "/home/ann/.local/state"),
            (Xdg, "", &[("XDG_STATE_HOME", "/s")], "", "/s"),
            (Xdg, "/root", &[("XDG_STATE_HOME", "s")], "/root/.config", "/root/.local/state"),
            (Xdg, "", &[], "", ""),
            (Mac, "/home/ann", &[], mac, mac),
            (Mac, "/home/ann", &[("XDG_CONFIG_HOME", "/c")], "/c", mac),
            (Windows, "/home/ann", &[("APPDATA", "/a"), ("LOCALAPPDATA", "/l")], "/a", "/l"),
            (Windows, "/home/ann", &[], "", ""),
        ] {
            let variable = |name: &str| {
                let found = set.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| PathBuf::from(value))
            };
            let places = Places { layout, home: Some(PathBuf::from(home)), variable };
            let path = |text: &str| Some(text).filter(|text| !text.is_empty()).map(PathBuf::from);
            assert_eq!(places.config(), path(config), "{layout:?} {set:?}");
            assert_eq!(places.state(), path(state), "{layout:?} {set:?}");
        }
    }
}
