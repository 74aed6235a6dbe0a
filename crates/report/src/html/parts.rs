//! Parts of pages: the choice of colours, tables of facts, the filter of a list, wide tables.

use maud::{Markup, html};

use text::escaped;

/// The colours of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PageTheme {
    /// As the reader's system has them.
    System,
    Light,
    Dark,
}

impl PageTheme {
    const ALL: [Self; 3] = [Self::System, Self::Light, Self::Dark];

    fn word(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }

    /// The choice of the reader; the style follows it without a script.
    pub fn choice() -> Markup {
        html! {
            fieldset.theme {
                legend { "colours" }
                @for theme in Self::ALL {
                    label {
                        input type="radio" name="theme" id={ "theme-" (theme.word()) }
                            checked[theme == Self::System];
                        " " (theme.word())
                    }
                }
            }
        }
    }
}

/// The filter of a list, which needs the script; without it there is none.
pub struct FilterBox<'a> {
    /// The selector of the list's items.
    pub of: &'a str,
    /// The selector of the part of an item that is searched; the whole item if it is empty.
    pub text: &'a str,
    /// What an item is called: `message`.
    pub item: &'a str,
    /// Lists to choose from: the name of each, and the values that items have under that name as
    /// `data-NAME`.
    pub choices: &'a [(&'static str, Vec<String>)],
    /// Marks that items may have as `data-NAME`: the name and the label.
    pub marks: &'a [(&'static str, &'static str)],
}

impl FilterBox<'_> {
    /// The controls, inside of an element with the class `filter`.
    pub fn controls(&self) -> Markup {
        let Self { of, text, item, choices, marks } = self;
        html! {
            div.controls hidden data-of=(of) data-text=(text) {
                label { "containing " input type="search" id="find" autocomplete="off"; }
                @for (name, values) in *choices {
                    @if values.len() > 1 {
                        label {
                            (name) " "
                            select data-key=(name) {
                                option value="" { "all" }
                                @for value in values { option { (shown(value)) } }
                            }
                        }
                    }
                }
                @for (name, label) in *marks {
                    label { input type="checkbox" data-key=(name); " " (label) }
                }
                output data-item=(item) aria-live="polite" {}
            }
        }
    }
}

/// A table of facts: a name in each row, and a value of it for each column.
pub fn facts<'a>(rows: impl IntoIterator<Item = (&'a str, Vec<Markup>)>) -> Markup {
    html! {
        table.facts {
            @for (name, values) in rows {
                tr { th scope="row" { (shown(name)) } @for value in values { td { (value) } } }
            }
        }
    }
}

/// A wide table or picture, which scrolls sideways by itself, with the keyboard too.
pub fn scrolled(label: &str, content: &Markup) -> Markup {
    html! {
        div.scroll role="region" tabindex="0" aria-label=(label) { (content) }
    }
}

/// Text from the network with control characters escaped; maud escapes markup.
pub fn shown(text: &str) -> String {
    escaped(text).into_owned()
}
