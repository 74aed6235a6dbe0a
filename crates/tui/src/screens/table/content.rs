//! What a table is made of: its rows, columns and details.

use std::borrow::Cow;
use std::net::SocketAddr;

use ratatui::style::Style;

use crate::format::Format;
use crate::names::{ShownNames, named};
use crate::screens::links::RowOrigin;
use crate::screens::related::RelatedMessages;
use crate::text::counted;
use crate::view_state::ViewState;
use crate::widgets::style;
use crate::widgets::table::{Runs, TableColumn};
use analysis::Session;
use export::SessionExport;
use filter::{MatchingRows, SortKey};
use text::{Zone, suggested};

/// What the rows of a table are, and how they become text.
pub trait TableContent: 'static {
    type Row: Clone;
    /// What one row is, and the name of the screen and of the exported table.
    const NOUN: &'static str;
    const NAME: &'static str;
    const COLUMNS: &'static [RowColumn<Self::Row>];
    /// Which rows an export has; nothing for all.
    const IS_EXPORTED: Option<fn(&Self::Row) -> bool> = None;

    /// How many rows there are; `None` until that is known.
    fn len(session: &Session) -> Option<usize>;

    fn row(session: &Session, at: usize) -> Option<Cow<'_, Self::Row>>;

    /// The same for sorting, without what no column shows.
    fn brief(session: &Session, at: usize) -> Option<Cow<'_, Self::Row>> {
        Self::row(session, at)
    }

    /// Whether a row has a message that matches the display filter.
    fn is_matching(rows: &MatchingRows, at: usize) -> bool;

    /// The details of a row, in lines; a long line is wrapped at `columns` later.
    fn details(row: &Self::Row, session: &Session, view: &ViewState, columns: usize) -> Vec<Runs>;

    /// The messages of a row.
    fn related(row: &Self::Row, session: &Session) -> RelatedMessages;

    /// What a row is, and what it belongs to.
    fn origin(row: &Self::Row, at: usize, session: &Session) -> RowOrigin;

    /// The row of a number that was typed: of a message's number the first row that has it.
    fn row_of_number(session: &Session, number: u64) -> Option<usize>;

    /// What an export writes, in words: so many of the rows.
    fn export_note(exported: usize, _: usize) -> String {
        counted(exported as u64, Self::NOUN)
    }

    /// What an export of all rows writes; nothing until it is known.
    fn export(session: &Session) -> Option<SessionExport> {
        SessionExport::of_index(Self::NAME, session.shared_index()?)
    }

    /// How the number of rows is painted.
    fn count_style(_: &Session) -> Style {
        style::DIM
    }
}

/// A column: its layout, its cell in a row, and the place of the row if rows are sorted by it.
pub struct RowColumn<R> {
    pub layout: TableColumn,
    pub cell: fn(&R, &RowContext<'_>) -> Runs,
    pub key: fn(&R, &RowContext<'_>) -> SortKey,
}

/// What cells are made with.
pub struct RowContext<'a> {
    pub session: &'a Session,
    pub format: Format,
    /// The time that times count from.
    pub begin: i64,
    pub zone: &'a Zone,
    /// The names that are shown in place of addresses.
    pub names: Option<&'a ShownNames>,
}

impl RowContext<'_> {
    /// An endpoint, with the name of its address if names are shown.
    pub fn endpoint(&self, address: SocketAddr) -> String {
        named(address, self.names)
    }

    /// A time with milliseconds.
    pub fn time(&self, time: i64) -> String {
        self.format.time(time, self.begin, 3, self.zone)
    }
}

/// The error for a column that a table does not have.
pub(super) fn no_column<T: TableContent>(wrote: &str) -> String {
    let known = T::COLUMNS.iter().map(|column| &*column.layout.name);
    format!("{} has no column {wrote:?}{}", T::NAME, suggested(wrote, "columns", known))
}
