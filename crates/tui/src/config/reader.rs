//! Takes values from a TOML file, and reports those of another type with their lines.

use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::{ConfigError, ConfigValue, NamedList, line_after};

/// A value with its place in the file.
pub type TomlValue<'i> = Spanned<DeValue<'i>>;

/// A file that is being read, and the errors so far.
pub struct ConfigReader<'a> {
    file: &'a Path,
    text: &'a str,
    errors: Vec<ConfigError>,
    /// Lines that are no TOML: what was understood of them is not judged.
    garbled: Vec<usize>,
}

impl<'a> ConfigReader<'a> {
    pub fn new(file: &'a Path, text: &'a str) -> Self {
        Self { file, text, errors: Vec::new(), garbled: Vec::new() }
    }

    /// All errors, in the order of their lines.
    pub fn finish(mut self) -> Vec<ConfigError> {
        self.errors.sort_by_key(|error| error.line);
        self.errors
    }

    /// How many errors there are so far.
    pub fn count(&self) -> usize {
        self.errors.len()
    }

    /// The line of a byte.
    pub fn line(&self, at: usize) -> usize {
        line_after(self.text.as_bytes().get(..at).unwrap_or_default())
    }

    /// Reports an error at a place.
    pub fn error(&mut self, at: Range<usize>, key: &str, what: impl Into<String>) {
        self.error_in(self.line(at.start), key, what);
    }

    /// Reports an error in a line.
    pub fn error_in(&mut self, line: usize, key: impl Into<String>, what: impl Into<String>) {
        if !self.garbled.contains(&line) {
            let (key, what) = (key.into(), what.into());
            self.errors.push(ConfigError { file: self.file.into(), line, key, what });
        }
    }

    /// Reports what is no TOML; of several errors in a line the first.
    pub fn syntax_error(&mut self, error: &Error) {
        let last = self.text.trim_end().len().saturating_sub(1);
        let line = self.line(error.span().map_or(0, |span| span.start).min(last));
        let what = error.message().lines().next().unwrap_or_default();
        // What was expected instead is of use if it is a sign; else it is a word of the grammar.
        let what = match what.split_once(", expected ") {
            Some((what, expected)) if !expected.starts_with('`') => what,
            _ => what,
        };
        self.error_in(line, self.key_in(line), what);
        self.garbled.push(line);
    }

    /// The key that a line begins with, and the table that it is in.
    fn key_in(&self, line: usize) -> String {
        let mut lines = self.text.lines().take(line).map(str::trim).collect::<Vec<_>>();
        let header = |line: &str| {
            let name = line.strip_prefix('[')?.split([']', '#']).next()?;
            Some(name.trim().to_owned())
        };
        let last = lines.pop().unwrap_or_default();
        if let Some(table) = header(last) {
            return table;
        }
        let key = last.split(['=', ' ', '\t']).next().unwrap_or_default();
        match lines.into_iter().rev().find_map(header) {
            Some(table) if !key.is_empty() => format!("{table}.{key}"),
            _ => key.to_owned(),
        }
    }

    /// Reports a value of another type.
    pub fn wrong_type(&mut self, key: &str, value: &TomlValue<'_>, expected: &str) {
        let article = if value.get_ref().type_str().starts_with(['a', 'i']) { "an" } else { "a" };
        let found = value.get_ref().type_str();
        self.error(value.span(), key, format!("expected {expected}, found {article} {found}"));
    }

    pub fn string<'v>(&mut self, key: &str, value: &'v TomlValue<'_>) -> Option<&'v str> {
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_type(key, value, "a string");
        }
        text
    }

    pub fn flag(&mut self, key: &str, value: &TomlValue<'_>) -> Option<bool> {
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_type(key, value, "true or false");
        }
        flag
    }

    /// Changes a setting to what a value means, unless it means nothing, with the reason.
    pub fn set<T>(
        &mut self,
        setting: &mut T,
        read: Option<Result<T, String>>,
        key: &str,
        value: &TomlValue<'_>,
    ) {
        match read {
            None => {}
            Some(Ok(read)) => *setting = read,
            Some(Err(what)) => self.error(value.span(), key, what),
        }
    }

    /// The entries of a table, by their names.
    pub fn table<'v, 'i>(
        &mut self,
        key: &str,
        value: &'v TomlValue<'i>,
    ) -> impl Iterator<Item = (String, &'v TomlValue<'i>)> + use<'v, 'i> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_type(key, value, "a table");
        }
        entries(table)
    }

    /// A table of lists of strings.
    pub fn lists(
        &mut self,
        key: &str,
        value: &TomlValue<'_>,
    ) -> impl Iterator<Item = (String, NamedList)> + use<> {
        let mut lists = Vec::new();
        for (name, value) in self.table(key, value) {
            let key = format!("{key}.{name}");
            let list = self.strings(&key, value);
            lists.extend(list.map(|list| (name, list)));
        }
        lists.into_iter()
    }

    /// An array of strings, with their lines.
    pub fn strings(&mut self, key: &str, value: &TomlValue<'_>) -> Option<NamedList> {
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "an array of strings");
            return None;
        };
        let mut strings = Vec::new();
        for value in list {
            let line = self.line(value.span().start);
            let text = self.string(key, value)?;
            strings.push(ConfigValue { value: text.to_owned(), line });
        }
        Some(ConfigValue { value: strings, line: self.line(value.span().start) })
    }
}

impl ConfigReader<'_> {
    /// An array of pairs of strings, with their lines.
    pub fn pairs(&mut self, key: &str, value: &TomlValue<'_>) -> Vec<ConfigValue<[String; 2]>> {
        let Some(list) = value.get_ref().as_array() else {
            self.wrong_type(key, value, "an array of pairs of strings");
            return Vec::new();
        };
        let mut pairs = Vec::new();
        for value in list {
            let line = self.line(value.span().start);
            let parts = value.get_ref().as_array().map(|pair| {
                pair.iter().filter_map(|part| part.get_ref().as_str()).collect::<Vec<_>>()
            });
            match parts.as_deref() {
                Some([first, second]) => {
                    let value = [(*first).to_owned(), (*second).to_owned()];
                    pairs.push(ConfigValue { value, line });
                }
                _ => self.wrong_type(key, value, "a pair of strings"),
            }
        }
        pairs
    }
}

/// The entries of a table, by their names.
pub fn entries<'v, 'i>(
    table: Option<&'v DeTable<'i>>,
) -> impl Iterator<Item = (String, &'v TomlValue<'i>)> + use<'v, 'i> {
    let entries = table.into_iter().flatten();
    entries.map(|(key, value)| (key.get_ref().clone().into_owned(), value))
}
