//! The configuration as TOML, complete: as a file it means the same.

use std::collections::BTreeMap;

use serde::Serialize;

use ratatui::style::Color;

use super::{ConfigValue, UserConfig};
use crate::screens;
use crate::theme::colour_name;

/// Names of columns or keys, by the names of screens or commands.
pub type ListsByName = BTreeMap<&'static str, Vec<String>>;

/// The file's content. A test compares the names with [`super::SETTINGS`].
#[derive(Serialize)]
struct PrintedConfig<'a> {
    theme: &'a str,
    screen: &'a str,
    time: &'a str,
    message: &'a str,
    mouse: bool,
    history: bool,
    hosts: Vec<&'a str>,
    colours: Vec<[String; 2]>,
    columns: ListsByName,
    keys: ListsByName,
    filters: BTreeMap<&'a str, &'a str>,
    themes: BTreeMap<&'a str, toml::Table>,
}

impl UserConfig {
    /// All settings as TOML, with these columns of screens and keys of commands.
    pub fn to_toml(&self, columns: ListsByName, keys: ListsByName) -> String {
        let filters = self.filters.iter();
        let themes = self.themes.iter().map(|(name, own)| {
            let base = ("base", toml::Value::from(own.base.as_str()));
            let parts = std::iter::once(base).chain(own.changes());
            (name.as_str(), parts.map(|(name, value)| (name.to_owned(), value)).collect())
        });
        let file = PrintedConfig {
            theme: &self.theme,
            screen: screens::SCREENS.get(self.screen).map_or("", |info| info.name),
            time: self.time.name(),
            message: self.message.name(),
            mouse: self.mouse,
            history: self.history,
            hosts: self.hosts.iter().map(|file| &*file.value).collect(),
            colours: self.colours.iter().map(printed).collect(),
            columns,
            keys,
            filters: filters.map(|(name, filter)| (&**name, &*filter.value)).collect(),
            themes: themes.collect(),
        };
        toml::to_string(&file).unwrap_or_default()
    }
}

/// A filter and the name of its colour.
fn printed(rule: &ConfigValue<(String, Color)>) -> [String; 2] {
    let (filter, colour) = &rule.value;
    [filter.clone(), colour_name(*colour)]
}
