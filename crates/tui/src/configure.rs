//! Applies the user's configuration: formats, keys, columns, filters. What is wrong is reported at
//! its line, and has its default.

use std::sync::Arc;

use super::config::{ConfigError, ConfigValue, UserConfig};
use super::format::TextDisplay;
use super::model::Model;
use super::reader::ColourRule;
use super::screens::SCREENS;
use filter::Filter;

/// Filters that are at hand without a configuration, by their names.
const USUAL_FILTERS: [(&str, &str); 4] = [
    ("unanswered", "exchange.state == \"unanswered\""),
    ("faulty", "fault or note or unparsed"),
    ("lists", "exchange.kind == \"list\""),
    ("heartbeats", "exchange.kind == \"registration\""),
];

/// Applies a configuration; errors are added to it, and are warnings of the interface.
pub fn configure(model: &mut Model, config: &mut UserConfig) {
    model.view.format.times = config.time;
    model.view.format.message = config.message;
    let own = config.filters.iter().map(|(name, text)| (name.clone(), text.value.clone()));
    let is_own = |name: &str| config.filters.contains_key(name);
    let usual = USUAL_FILTERS.iter().filter(|(name, _)| !is_own(name));
    let usual = usual.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    model.view.named_filters = own.chain(usual).collect();
    model.view.colours = colour_rules(&model.view.named_filters, config);
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
        let Some(found) = index.and_then(|index| model.screens.get_mut(index)) else { continue };
        let chosen = match values(&columns.value) {
            _ if found.columns().is_none() => Err("this screen has no columns".to_owned()),
            names if names.is_empty() => Err("a screen shows at least one column".to_owned()),
            names => found.choose_columns(&names),
        };
        if let Err(error) = chosen {
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

/// The rules for colours of rows, in their order; those that are no filter are reported.
fn colour_rules(named: &[(String, String)], config: &mut UserConfig) -> Arc<Vec<ColourRule>> {
    let mut rules = Vec::new();
    for ConfigValue { value: (filter, colour), line } in config.colours.clone() {
        let own = named.iter().find(|(name, _)| *name == filter).map(|(_, text)| text);
        match Filter::parse(own.unwrap_or(&filter)) {
            Ok(filter) => rules.push(ColourRule { filter, colour }),
            Err(error) => config.report(line, "colours", error.to_string()),
        }
    }
    Arc::new(rules)
}

fn values(list: &[ConfigValue<String>]) -> Vec<String> {
    list.iter().map(|item| item.value.clone()).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Texts of a configuration, and what is wrong in them.
    const WRONG: &[(&str, &str)] = &[
        ("[columns]\nservers = []", "line 2: columns.servers: a screen shows at least one column"),
        (
            "[columns]\nmessages = []",
            "line 2: columns.messages: a screen shows at least one column",
        ),
        (
            "[columns]\nservers = [\"gmae\"]",
            "line 2: columns.servers: servers has no column \"gmae\"; did you mean game?",
        ),
        (
            "[columns]\nmessages = [\"gmae\"]",
            "line 2: columns.messages: no name is gmae; did you mean game?",
        ),
        (
            "[columns]\nmessages = [\"tme\"]",
            "line 2: columns.messages: no name is tme; did you mean time?",
        ),
        (
            "[columns]\nsequence = [\"time\"]",
            "line 2: columns.sequence: this screen has no columns",
        ),
        (
            "[keys]\nqit = [\"q\"]",
            "line 2: keys.qit: no command is named \"qit\"; did you mean quit?",
        ),
        (
            "[keys]\nnosuch = [\"q\"]",
            "line 2: keys.nosuch: no command is named \"nosuch\"; `fragshark config` prints all",
        ),
        (
            "[keys]\nquit = [\"Hyper-q\"]",
            "line 2: keys.quit: there is no key \"Hyper-q\"; keys are named as in the help",
        ),
    ];

    #[test]
    fn every_usual_filter_is_valid() {
        for (name, text) in USUAL_FILTERS {
            assert!(filter::Filter::parse(text).is_ok(), "{name}");
        }
    }

    #[test]
    fn each_mistake_in_columns_and_keys_has_its_line_and_key_and_the_default_stays() {
        let (defaults, errors) = complete(UserConfig::default());
        assert!(errors.is_empty());
        for (text, wrong) in WRONG {
            let (in_force, errors) = complete(UserConfig::parse(Path::new("my.toml"), text));
            let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
            assert_eq!(errors, [format!("my.toml: {wrong}")]);
            assert_eq!(in_force, defaults, "{text}");
        }
    }
}
