//! The user's configuration, a TOML file: which settings there are, and what each may be.
//!
//! A wrong file stops nothing: each wrong setting has its default, and every error names the file,
//! the line and the key. Names that belong to others (of keys, of columns) are checked by those,
//! who report with [`UserConfig::report`].

mod hosts;
mod print;
mod reader;
mod themes;

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use ratatui::style::Color;
use toml::Spanned;
use toml::de::{DeString, DeTable};

use self::reader::{ConfigReader, TomlValue};
use self::themes::OwnTheme;
use super::format::MessageView;
use super::screens;
use super::theme::{self, Depth, SIXTEEN, Theme, Themes};
use filter::Filter;
use text::TimeDisplay;
use text::suggested;

/// The settings, in the order in which they are printed.
pub const SETTINGS: [&str; 12] = [
    "theme", "screen", "time", "message", "mouse", "history", "hosts", "colours", "columns",
    "keys", "filters", "themes",
];
/// A larger file is not read.
const LARGEST: u64 = 1 << 20;

/// The configuration in force.
#[derive(Debug, Clone)]
pub struct UserConfig {
    /// The name of a theme, a built-in one or one of `themes`.
    pub theme: String,
    /// The index of the screen at the start.
    pub screen: usize,
    /// How times are shown at the start.
    pub time: TimeDisplay,
    /// How the selected message is shown at the start.
    pub message: MessageView,
    /// Whether the interface takes the mouse.
    pub mouse: bool,
    /// Whether display filters and searches are kept between runs.
    pub history: bool,
    /// Files with the names of addresses, as hosts(5) describes them.
    pub hosts: Vec<ConfigValue<String>>,
    /// Display filters, or names of some, with the colours of the rows that match; the first one that
    /// matches counts.
    pub colours: Vec<ConfigValue<(String, Color)>>,
    /// The columns of screens, by the names of both.
    pub columns: BTreeMap<String, NamedList>,
    /// The names of keys by that of their command.
    pub keys: BTreeMap<String, NamedList>,
    /// Display filters by their names; each can be parsed.
    pub filters: BTreeMap<String, ConfigValue<String>>,
    themes: BTreeMap<String, OwnTheme>,
    /// The file that was read, if there is one.
    file: Option<PathBuf>,
    errors: Vec<ConfigError>,
}

/// A value of the file, and its line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigValue<T> {
    pub value: T,
    pub line: usize,
}

/// A list in the file, such as the columns of a screen.
pub type NamedList = ConfigValue<Vec<ConfigValue<String>>>;

/// A mistake in a configuration.
///
/// As text it is one line: `config.toml: line 7: theme: no theme is named "drak"; did you mean
/// dark?`
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    file: PathBuf,
    /// 0 for the whole file.
    line: usize,
    /// The key with the tables around it: `themes.mine.red`; empty if there is none.
    key: String,
    what: String,
}

impl Default for UserConfig {
    fn default() -> Self {
        Self {
            theme: theme::DEFAULT.to_owned(),
            screen: 0,
            time: TimeDisplay::Relative,
            message: MessageView::default(),
            mouse: true,
            history: true,
            hosts: Vec::new(),
            colours: Vec::new(),
            columns: BTreeMap::new(),
            keys: BTreeMap::new(),
            filters: BTreeMap::new(),
            themes: BTreeMap::new(),
            file: None,
            errors: Vec::new(),
        }
    }
}

impl UserConfig {
    /// Reads a file.
    pub fn read_file(file: &Path) -> Self {
        let error = match contents(file) {
            Ok(bytes) => match String::from_utf8(bytes) {
                Ok(text) => return Self::parse(file, &text),
                Err(error) => {
                    let at = error.utf8_error().valid_up_to();
                    let valid = error.as_bytes().get(..at).unwrap_or_default();
                    let line = line_after(valid);
                    let what = "the text is not UTF-8".to_owned();
                    ConfigError { file: file.into(), line, key: String::new(), what }
                }
            },
            Err(error) => {
                let what = format!("cannot read it: {error}");
                ConfigError { file: file.into(), line: 0, key: String::new(), what }
            }
        };
        Self { file: Some(file.into()), errors: vec![error], ..Self::default() }
    }

    /// Parses the text of a file.
    pub fn parse(file: &Path, text: &str) -> Self {
        let mut reader = ConfigReader::new(file, text);
        let mut config = Self { file: Some(file.into()), ..Self::default() };
        let (table, errors) = DeTable::parse_recoverable(text);
        for error in &errors {
            reader.syntax_error(error);
        }
        config.themes = themes::read_themes(table.get_ref(), &mut reader);
        for (key, value) in table.get_ref() {
            config.set(key, value, &mut reader);
        }
        config.errors = reader.finish();
        config
    }

    fn set(
        &mut self,
        key: &Spanned<DeString<'_>>,
        value: &TomlValue<'_>,
        reader: &mut ConfigReader<'_>,
    ) {
        let name = &**key.get_ref();
        let mut string = || reader.string(name, value).map(str::to_owned);
        match name {
            "theme" => {
                let theme = string().map(|wrote| self.known_theme(wrote));
                reader.set(&mut self.theme, theme, name, value);
            }
            "screen" => {
                let screen = string().map(|wrote| screens::named(&wrote));
                reader.set(&mut self.screen, screen, name, value);
            }
            "time" => {
                let time = string().map(|wrote| known_time(&wrote));
                reader.set(&mut self.time, time, name, value);
            }
            "message" => {
                let message = string().map(|wrote| known_view(&wrote));
                reader.set(&mut self.message, message, name, value);
            }
            "mouse" => self.mouse = reader.flag(name, value).unwrap_or(self.mouse),
            "history" => self.history = reader.flag(name, value).unwrap_or(self.history),
            "hosts" => {
                let files = reader.strings(name, value);
                self.hosts = files.map_or_else(Vec::new, |files| files.value);
            }
            "colours" => self.set_colours(value, reader),
            "columns" => self.set_columns(value, reader),
            "keys" => self.keys = reader.lists(name, value).collect(),
            "filters" => self.set_filters(value, reader),
            // Read before, since `theme` may name one.
            "themes" => {}
            wrote => {
                let what = no_such("setting", wrote, "settings", SETTINGS.into_iter());
                reader.error(key.span(), wrote, what);
            }
        }
    }

    fn known_theme(&self, wrote: String) -> Result<String, String> {
        if Theme::named(&wrote).is_some() || self.themes.contains_key(&wrote) {
            return Ok(wrote);
        }
        let own = self.themes.keys().map(String::as_str);
        let known = Theme::names().map(|name| -> &str { name }).chain(own);
        Err(no_such("theme", &wrote, "themes", known))
    }

    fn set_colours(&mut self, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) {
        for pair in reader.pairs("colours", value) {
            let ConfigValue { value: [filter, name], line } = pair;
            if let Some((colour, _)) = SIXTEEN.iter().find(|(_, known)| *known == name) {
                self.colours.push(ConfigValue { value: (filter, *colour), line });
            } else {
                let known = SIXTEEN.iter().map(|(_, name)| *name);
                reader.error_in(line, "colours", no_such("colour", &name, "colours", known));
            }
        }
    }

    fn set_columns(&mut self, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) {
        for (screen, list) in reader.lists("columns", value) {
            let mut known = screens::SCREENS.iter().map(|info| info.name);
            if known.any(|name| name == screen) {
                self.columns.insert(screen, list);
            } else {
                let known = screens::SCREENS.iter().map(|info| info.name);
                let what = no_such("screen", &screen, "screens", known);
                reader.error_in(list.line, format!("columns.{screen}"), what);
            }
        }
    }

    fn set_filters(&mut self, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) {
        for (name, value) in reader.table("filters", value) {
            let key = format!("filters.{name}");
            let Some(text) = reader.string(&key, value) else { continue };
            match Filter::parse(text) {
                Ok(_) => {
                    let line = reader.line(value.span().start);
                    self.filters.insert(name, ConfigValue { value: text.to_owned(), line });
                }
                Err(error) => reader.error(value.span(), &key, error.to_string()),
            }
        }
    }

    /// All errors, in the order of their lines.
    pub fn errors(&self) -> &[ConfigError] {
        &self.errors
    }

    /// Adds an error that others have found: at a line, in a key with its table.
    pub fn report(&mut self, line: usize, key: &str, what: impl Into<String>) {
        let file = self.file.clone().unwrap_or_default();
        self.errors.push(ConfigError { file, line, key: key.to_owned(), what: what.into() });
        self.errors.sort_by_key(|error| error.line);
    }

    /// The file that was read; `None` if there is none.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// All themes, in the colours that the terminal has; the chosen one is shown.
    pub fn themes(&self, depth: Depth) -> Themes {
        let own = self.themes.iter().map(|(name, own)| (name.clone(), own.theme.clone()));
        Themes::new(own, &self.theme).reduced(depth)
    }
}

fn known_time(wrote: &str) -> Result<TimeDisplay, String> {
    let known = TimeDisplay::ALL.map(TimeDisplay::name).into_iter();
    let found = TimeDisplay::ALL.into_iter().find(|time| time.name() == wrote);
    found.ok_or_else(|| no_such("form of times", wrote, "forms", known))
}

fn known_view(wrote: &str) -> Result<MessageView, String> {
    let known = MessageView::ALL.map(MessageView::name).into_iter();
    let found = MessageView::ALL.into_iter().find(|view| view.name() == wrote);
    found.ok_or_else(|| no_such("view of a message", wrote, "views", known))
}

/// `no theme is named "drak"; did you mean dark?`
pub fn no_such<'a>(
    noun: &str,
    wrote: &str,
    plural: &str,
    known: impl Iterator<Item = &'a str> + Clone,
) -> String {
    format!("no {noun} is named \"{wrote}\"{}", suggested(wrote, plural, known))
}

/// The number of the line that comes after a text.
fn line_after(text: &[u8]) -> usize {
    1 + memchr::memchr_iter(b'\n', text).count()
}

fn contents(file: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(file)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(io::Error::other("it is larger than 1 MiB"));
    }
    Ok(bytes)
}

impl ConfigError {
    /// The same without the folders of its file, for a line on the screen.
    pub fn hint(&self) -> String {
        let file = self.file.file_name().map_or(self.file.as_path(), Path::new);
        Self { file: file.into(), ..self.clone() }.to_string()
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, key, what } = self;
        write!(f, "{}: ", file.display())?;
        if *line > 0 {
            write!(f, "line {line}: ")?;
        }
        if !key.is_empty() {
            write!(f, "{key}: ")?;
        }
        f.write_str(what)
    }
}
