//! Applies the user's configuration: formats, keys, columns, filters. What is wrong is reported at
//! its line, and has its default.

use super::config::{ConfigError, ConfigValue, UserConfig};
use super::format::TextDisplay;
use super::model::Model;
use super::screens::SCREENS;

/// Applies a configuration; errors are added to it, and are warnings of the interface.
pub fn configure(model: &mut Model, config: &mut UserConfig) {
    model.view.format.times = config.time;
    let filters = config.filters.iter().map(|(name, text)| (name.clone(), text.value.clone()));
    model.view.named_filters = filters.collect();
    let mut keys: Vec<_> = config.keys.clone().into_iter().collect();
    // Of two commands with one key, the first one has it.
    keys.sort_by_key(|(_, keys)| keys.line);
    for (command, keys) in keys {
        if let Err(error) = model.view.keys.bind(&command, &values(&keys.value)) {
            config.report(keys.line, &format!("keys.{command}"), error);
        }
    }
    for (screen, columns) in config.columns.clone() {
        let index = SCREENS.iter().position(|info| info.name == screen);
        let found = index.and_then(|index| model.screens.get_mut(index));
        let chosen = found.map(|found| found.choose_columns(&values(&columns.value)));
        if let Some(Err(error)) = chosen {
            config.report(columns.line, &format!("columns.{screen}"), error);
        }
    }
    model.view.notices = config.errors().iter().map(ToString::to_string).collect();
}

/// A configuration as TOML, complete, with the keys and columns in force; and its errors.
pub fn complete(mut config: UserConfig) -> (String, Vec<ConfigError>) {
    let mut model = Model::new(String::new(), String::new(), TextDisplay::AsSent);
    configure(&mut model, &mut config);
    let screens = SCREENS.iter().zip(&model.screens);
    let columns = screens.filter_map(|(info, screen)| Some((info.name, screen.columns()?.shown)));
    let keys = model.view.keys.bindings().map(|(key, names)| (key.id, names.to_vec()));
    (config.to_toml(columns.collect(), keys.collect()), config.errors().to_vec())
}

fn values(list: &[ConfigValue<String>]) -> Vec<String> {
    list.iter().map(|item| item.value.clone()).collect()
}
