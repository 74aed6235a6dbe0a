//! The user's own themes: a built-in one, and what is different in it.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use toml::de::{DeTable, DeValue};

use super::no_such;
use super::reader::{ConfigReader, TomlValue};
use crate::theme::{self, SLOTS, Slot, Theme, colour_name, parse_colour};

/// The modifiers of a style by their names.
const MODIFIERS: [(&str, Modifier); 5] = [
    ("bold", Modifier::BOLD),
    ("dim", Modifier::DIM),
    ("italic", Modifier::ITALIC),
    ("underline", Modifier::UNDERLINED),
    ("reverse", Modifier::REVERSED),
];
const BASE: &str = "base";

/// A theme of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnTheme {
    /// The name of the built-in theme that it changes.
    pub base: String,
    pub theme: Theme,
}

/// Reads `[themes]` of a file.
pub fn read_themes(
    file: &DeTable<'_>,
    reader: &mut ConfigReader<'_>,
) -> BTreeMap<String, OwnTheme> {
    let mut themes = BTreeMap::new();
    let Some(value) = file.get("themes") else {
        return themes;
    };
    for (name, value) in reader.table("themes", value) {
        let key = format!("themes.{name}");
        if Theme::named(&name).is_some() {
            reader.error(value.span(), &key, "a built-in theme has this name");
            continue;
        }
        let entries: Vec<_> = reader.table(&key, value).collect();
        let mut own = OwnTheme::default();
        let base = entries.iter().find(|(name, _)| name == BASE);
        if let Some((_, value)) = base {
            own.set_base(&format!("{key}.{BASE}"), value, reader);
        }
        for (slot, value) in entries.iter().filter(|(name, _)| name != BASE) {
            own.set(&format!("{key}.{slot}"), slot, value, reader);
        }
        themes.insert(name, own);
    }
    themes
}

impl Default for OwnTheme {
    fn default() -> Self {
        let theme = Theme::named(theme::DEFAULT).unwrap_or_else(Theme::ansi);
        Self { base: theme::DEFAULT.to_owned(), theme }
    }
}

impl OwnTheme {
    fn set_base(&mut self, key: &str, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) {
        let Some(wrote) = reader.string(key, value) else { return };
        let theme = Theme::named(wrote).map(|theme| Self { base: wrote.to_owned(), theme });
        let what = || no_such("built-in theme", wrote, "built-in themes", Theme::names());
        reader.set(self, Some(theme.ok_or_else(what)), key, value);
    }

    fn set(&mut self, key: &str, name: &str, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) {
        let Some((_, slot)) = SLOTS.iter().find(|(known, _)| *known == name) else {
            let known = SLOTS.iter().map(|(name, _)| *name).chain([BASE]);
            let what = no_such("part of a theme", name, "parts", known);
            return reader.error(value.span(), key, what);
        };
        if let Some(style) = style(key, *slot, value, reader) {
            self.theme.set(*slot, style);
        }
    }

    /// The parts that are not those of its base.
    pub fn changes(&self) -> impl Iterator<Item = (&'static str, toml::Value)> {
        let base = Theme::named(&self.base).unwrap_or_else(Theme::ansi);
        SLOTS.into_iter().filter_map(move |(name, slot)| {
            let style = self.theme.get(slot);
            (style != base.get(slot)).then(|| (name, written(style, slot)))
        })
    }
}

/// A colour for text, or a table with colours and modifiers.
fn style(
    key: &str,
    slot: Slot,
    value: &TomlValue<'_>,
    reader: &mut ConfigReader<'_>,
) -> Option<Style> {
    let table = match value.get_ref() {
        DeValue::Table(table) if !slot.is_colour() => table,
        _ if slot.is_surface() => {
            reader.wrong_type(key, value, "a table with fg and bg");
            return None;
        }
        _ => return Some(Style::new().fg(colour(key, value, reader)?)),
    };
    let errors = reader.count();
    let mut style = Style::new();
    for (name, value) in super::reader::entries(Some(table)) {
        let key = format!("{key}.{name}");
        let modifier = MODIFIERS.iter().find(|(known, _)| *known == name);
        match (name.as_str(), modifier) {
            ("fg", _) => style.fg = colour(&key, value, reader),
            ("bg", _) => style.bg = colour(&key, value, reader),
            (_, Some((_, modifier))) => {
                if reader.flag(&key, value) == Some(true) {
                    style = style.add_modifier(*modifier);
                }
            }
            _ => {
                let known = MODIFIERS.iter().map(|(name, _)| *name);
                let known = ["fg", "bg"].into_iter().chain(known);
                reader.error(value.span(), &key, no_such("part of a style", &name, "parts", known));
            }
        }
    }
    (reader.count() == errors).then_some(style)
}

/// A colour as a text or a number.
fn colour(key: &str, value: &TomlValue<'_>, reader: &mut ConfigReader<'_>) -> Option<Color> {
    let wrote = match value.get_ref() {
        DeValue::String(text) => text.clone(),
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().to_owned().into(),
        _ => {
            reader.wrong_type(key, value, "a colour");
            return None;
        }
    };
    let colour = parse_colour(&wrote);
    if colour.is_none() {
        let what = format!(
            "\"{wrote}\" is no colour; give a name such as \"bright-red\", a number from 0 to 255 \
             or \"#rrggbb\""
        );
        reader.error(value.span(), key, what);
    }
    colour
}

/// What [`style`] reads as this style.
fn written(style: Style, slot: Slot) -> toml::Value {
    let colour = |colour: Color| toml::Value::from(colour_name(colour));
    if slot.is_colour()
        || !slot.is_surface() && style == Style::new().fg(style.fg.unwrap_or_default())
    {
        return colour(style.fg.unwrap_or_default());
    }
    let colours = [("fg", style.fg), ("bg", style.bg)];
    let colours = colours.into_iter().filter_map(|(name, of)| Some((name, colour(of?))));
    let modifiers = MODIFIERS.into_iter().filter(|(_, of)| style.add_modifier.contains(*of));
    let modifiers = modifiers.map(|(name, _)| (name, toml::Value::from(true)));
    colours
        .chain(modifiers)
        .map(|(name, value)| (name.to_owned(), value))
        .collect::<toml::Table>()
        .into()
}
