//! Words after a command, separated by blanks, up to the end of the line.

use super::field::Field;
use super::grammar::ViewLayout;
use super::pass::View;
use super::reader::until;
use super::shape::Shape;
use super::span::{Group, Parts, Sink};
use super::view::view;

view! {
    /// The rest of a line, word by word; blanks are kept as they were sent.
    Tokens
}

/// What ends the line; not included.
const STOP: &[u8] = b"\n";

static BLANK: Field = Field::separator("blank", "separates words");

impl<'a> Tokens<'a> {
    /// Every word.
    pub fn iter(self) -> impl Iterator<Item = &'a [u8]> {
        self.raw.split(|b| *b == b' ').filter(|t| !t.is_empty())
    }
}

impl<'a> View<'a> for Tokens<'a> {
    /// The field of each word.
    type Form = &'static Field;
    const GROUP: Group = Group::List;

    fn len(all: &'a [u8], _: Self::Form) -> usize {
        until(all, STOP)
    }

    fn parts<S: Sink>(&self, word: Self::Form, out: &mut Parts<'_, '_, S>) {
        for run in self.raw.chunk_by(|a, b| (*a == b' ') == (*b == b' ')) {
            let field = if run.first() == Some(&b' ') { &BLANK } else { word };
            out.leaf(field, Shape::Text, run.len());
        }
    }

    fn layout(word: Self::Form) -> ViewLayout {
        ViewLayout::Words { word, has_values: false, stop: STOP }
    }

    fn fields(word: Self::Form, each: &mut dyn FnMut(&'static Field)) {
        each(word);
    }
}
