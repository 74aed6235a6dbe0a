//! The screens: one file each, and one line in [`SCREENS`].
//!
//! A screen that is a table implements [`table::TableContent`] and gets everything else from there; any
//! other implements [`screen::Screen`].

mod arrangement;
mod catalogue;
mod cell;
mod exchanges;
mod findings;
mod flows;
mod ladder;
pub mod links;
mod live_index;
mod masters;
pub mod messages;
pub mod related;
pub mod screen;
mod servers;
mod statistics;
mod table;

use screen::ScreenInfo;
use text::suggested;

/// All screens; the n-th is shown by the key n.
pub static SCREENS: &[ScreenInfo] = &[
    messages::INFO,
    table::info::<exchanges::ExchangesTable>(),
    table::info::<servers::ServersTable>(),
    table::info::<masters::MastersTable>(),
    table::info::<findings::FindingsTable>(),
    ladder::INFO,
    table::info::<flows::FlowsTable>(),
    statistics::INFO,
    catalogue::INFO,
];

/// The index of a screen by its name or its number.
///
/// # Errors
///
/// There is none, with the names of those that there are.
pub fn named(text: &str) -> Result<usize, String> {
    let number = text.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    // The name that the sequence diagram had before.
    let text = if text == "ladder" { screen::LADDER } else { text };
    let name = SCREENS.iter().position(|screen| screen.name == text);
    name.or(number).filter(|index| *index < SCREENS.len()).ok_or_else(|| {
        let known = SCREENS.iter().map(|screen| screen.name);
        format!("no screen is named \"{text}\"{}", suggested(text, "screens", known))
    })
}

/// The names of all screens.
pub fn names() -> impl Iterator<Item = &'static str> {
    SCREENS.iter().map(|screen| screen.name)
}
