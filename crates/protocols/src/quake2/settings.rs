//! Words with values, `key=value`, that later programs add to a message of one word.

use super::super::BLANK;
use codec::{Field, Group, Kind, Parts, RawBytes, Shape, Sink, View, ViewLayout};

/// The rest of a message in words, as it was sent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SettingWords<'a> {
    raw: &'a [u8],
}

/// What ends the words; not included.
const STOP: &[u8] = b"\n\0";

static KEY: Field = Field::new("key", Kind::Key, "the name of the value that follows");
static EQUALS: Field = Field::separator("equals", "parts a name and its value");
static WORD: Field = Field::text("word", "a word without a value, or with one that is not known");

impl<'a> SettingWords<'a> {
    /// These words.
    pub fn new(raw: &'a [u8]) -> Self {
        Self { raw }
    }
}

impl<'a> RawBytes<'a> for SettingWords<'a> {
    fn from_raw(raw: &'a [u8]) -> Self {
        Self { raw }
    }

    fn raw(&self) -> &'a [u8] {
        self.raw
    }
}

impl<'a> View<'a> for SettingWords<'a> {
    /// The fields of the keys.
    type Form = &'static [Field];
    const GROUP: Group = Group::Pairs;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        all.iter().position(|byte| STOP.contains(byte)).unwrap_or(all.len())
    }

    fn parts<S: Sink>(&self, keys: Self::Form, out: &mut Parts<'_, '_, S>) {
        for (number, word) in self.raw.split(|byte| *byte == b' ').enumerate() {
            out.gap(&BLANK, Shape::Text, usize::from(number > 0));
            let length = word.iter().position(|byte| *byte == b'=');
            let key = length.and_then(|length| word.get(..length)).unwrap_or_default();
            let field = keys.iter().find(|field| field.is_called(key));
            let (Some(field), false) = (field, key.is_empty()) else {
                if !word.is_empty() {
                    out.leaf(&WORD, Shape::Text, word.len());
                }
                continue;
            };
            out.leaf(&KEY, Shape::Text, key.len());
            out.gap(&EQUALS, Shape::Text, 1);
            out.leaf(field, Shape::Text, word.len() - key.len() - 1);
        }
    }

    fn layout(_: Self::Form) -> ViewLayout {
        ViewLayout::Words { word: &WORD, has_values: true, stop: STOP }
    }

    fn fields(keys: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        keys.iter().chain([&WORD]).for_each(each);
    }
}
