//! The screens: one file each, and one line in [`SCREENS`].
//!
//! A screen that is a table implements [`table::TableContent`] and gets everything else from there; any
//! other implements [`screen::Screen`].

mod cell;
mod exchanges;
mod findings;
mod ladder;
mod masters;
pub mod messages;
mod related;
pub mod screen;
mod servers;
mod table;

use screen::ScreenInfo;

/// All screens; the n-th is shown by the key n.
pub static SCREENS: &[ScreenInfo] = &[
    messages::INFO,
    table::info::<exchanges::ExchangesTable>("exchanges: requests and their answers"),
    table::info::<servers::ServersTable>("servers: their values and registrations"),
    table::info::<masters::MastersTable>("masters, and the sizes of their lists"),
    table::info::<findings::FindingsTable>("findings: protocol violations"),
    ladder::INFO,
];
