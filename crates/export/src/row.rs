//! What a table is: columns, and rows of cells. Formats need nothing else.

use std::net::IpAddr;

use super::{JsonWriter, NumberList, TextList};
use text::named;

/// One line of a table.
pub trait Row {
    /// Every column, in the order in which all formats write them.
    const COLUMNS: &'static [Column];

    /// A cell for each of [`Row::COLUMNS`], in their order.
    fn cells(&self) -> impl Iterator<Item = Cell<'_>>;

    /// Passes on the same cells. Rows with a fixed set of columns do so without a list of cells.
    fn pass_cells(&self, to: &mut impl CellSink) {
        for (column, cell) in Self::COLUMNS.iter().zip(self.cells()) {
            to.add_cell(column, cell);
        }
    }
}

/// Takes the cells of a row, in the order of the columns.
pub trait CellSink {
    /// Takes the next cell, which is of this column.
    fn add_cell(&mut self, column: &'static Column, cell: Cell<'_>);
}

/// One column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// The name in the header line, and in NDJSON.
    pub name: &'static str,
    /// The type of its cells.
    pub kind: ColumnType,
    /// Whether a row may have no value there.
    pub optional: bool,
    /// The unit of a number, or the scale of a time; empty for none.
    pub unit: &'static str,
    /// One sentence for `docs/reference/export-columns.md`.
    pub meaning: &'static str,
}

named! {
    /// The type of a column's cells.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ColumnType {
        /// An integer from 0.
        Number = "integer",
        /// A port, an integer from 0 to 65535.
        Port = "port",
        /// An integer of any sign.
        Integer = "signed integer",
        /// A number of any sign, with a fraction or without.
        Decimal = "number",
        /// Yes or no.
        Flag = "flag",
        /// A moment, as RFC 3339 in UTC with nine digits of a second.
        Time = "time",
        /// How long something took, as an integer of nanoseconds.
        Duration = "duration",
        /// Escaped text; empty if there is none.
        Text = "text",
        /// Escaped text that hardly two rows share.
        Line = "text",
        /// Text that needs no quotes or escapes in any format: a name that fragshark gives.
        Word = "text",
        /// An IPv4 or IPv6 address, as people write it.
        Address = "text",
        /// A list of escaped texts.
        Texts = "list of texts",
        /// A list of integers from 0.
        Numbers = "list of integers",
        /// JSON: a value in NDJSON, its text elsewhere.
        Json = "JSON",
    }
}

/// One value of a row.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell<'a> {
    /// No value in an optional column, or no time: an empty cell, or null.
    Nothing,
    /// A number from 0.
    Number(u64),
    /// A port.
    Port(u16),
    /// A number of any sign.
    Integer(i64),
    /// A number that may have a fraction.
    Decimal(f64),
    /// Yes or no.
    Flag(bool),
    /// Nanoseconds since the Unix epoch, UTC.
    Time(i64),
    /// Nanoseconds.
    Duration(i64),
    /// Escaped text.
    Text(&'a str),
    /// Text that needs no quotes or escapes.
    Word(&'a str),
    /// An address without a port.
    Address(IpAddr),
    /// A list of texts.
    Texts(TextList<'a>),
    /// A list of numbers from 0.
    Numbers(NumberList<'a>),
    /// A JSON value.
    Json(JsonWriter<'a>),
}

impl Cell<'_> {
    /// A time, or nothing for that of a frame without one, [`text::NO_TIME`].
    pub fn time(nanos: i64) -> Self {
        if text::has_time(nanos) { Self::Time(nanos) } else { Self::Nothing }
    }
}

/// The Rust type that a cell of each kind has in a row.
pub(super) mod cell {
    pub type Number<'a> = u64;
    pub type Port<'a> = u16;
    pub type Integer<'a> = i64;
    #[allow(dead_code, reason = "tables have this kind or have it not")]
    pub type Decimal<'a> = f64;
    pub type Flag<'a> = bool;
    pub type Time<'a> = i64;
    pub type Duration<'a> = i64;
    pub type Text<'a> = std::borrow::Cow<'a, str>;
    pub type Line<'a> = std::borrow::Cow<'a, str>;
    pub type Word<'a> = &'a str;
    pub type Address<'a> = std::net::IpAddr;
    pub type Texts<'a> = crate::TextList<'a>;
    pub type Numbers<'a> = crate::NumberList<'a>;
    pub type Json<'a> = crate::JsonWriter<'a>;
}

/// Declares a row type once: its struct, the documentation of its fields, its columns and cells.
///
/// `latency: Duration or none in "nanoseconds", "…"` is an [`Option`] in the struct; `game;` is the
/// column of this name in [`columns`](super::columns).
macro_rules! row {
    (
        $(#[$meta:meta])* $row:ident { $($column:ident $(: $kind:ident $(or $none:ident)? in $unit:literal, $meaning:literal)?;)+ }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq)]
        pub struct $row<'a> {
            $(
                #[doc = $crate::row::row!(@of $column [@meaning] $($kind $(or $none)? in $unit, $meaning)?)]
                pub $column: $crate::row::row!(@of $column [@type 'a] $($kind $(or $none)? in $unit, $meaning)?),
            )+
        }

        impl $crate::Row for $row<'_> {
            const COLUMNS: &'static [$crate::Column] = &[
                $($crate::row::row!(@of $column [@column] $($kind $(or $none)? in $unit, $meaning)?)),+
            ];

            fn cells(&self) -> impl Iterator<Item = $crate::Cell<'_>> {
                [$($crate::row::row!(@of $column [@cell self.$column;] $($kind $(or $none)? in $unit, $meaning)?)),+].into_iter()
            }

            fn pass_cells(&self, to: &mut impl $crate::CellSink) {
                $(to.add_cell(
                    const { &$crate::row::row!(@of $column [@column] $($kind $(or $none)? in $unit, $meaning)?) },
                    $crate::row::row!(@of $column [@cell self.$column;] $($kind $(or $none)? in $unit, $meaning)?),
                );)+
            }
        }
    };
    (@of $column:ident [$($then:tt)*]) => { $crate::columns::shared_column!($column $($then)*) };
    (@of $column:ident [$($then:tt)*] $($declared:tt)+) => {
        $crate::row::row!($($then)* $column: $($declared)+)
    };
    (@meaning $column:ident: $kind:ident $(or $none:ident)? in $unit:literal, $meaning:literal) => { $meaning };
    (@type $a:lifetime $column:ident: $kind:ident in $($rest:tt)*) => {
        $crate::row::cell::$kind<$a>
    };
    (@type $a:lifetime $column:ident: $kind:ident or none in $($rest:tt)*) => {
        Option<$crate::row::cell::$kind<$a>>
    };
    (@column $column:ident: $kind:ident $(or $none:ident)? in $unit:literal, $meaning:literal) => {
        $crate::Column {
            name: stringify!($column),
            kind: $crate::ColumnType::$kind,
            optional: $crate::row::row!(@optional $($none)?),
            unit: $unit,
            meaning: $meaning,
        }
    };
    (@optional) => { false };
    (@optional none) => { true };
    (@cell $value:expr; $column:ident: Text in $($rest:tt)*) => { $crate::Cell::Text(&$value) };
    (@cell $value:expr; $column:ident: Line in $($rest:tt)*) => { $crate::Cell::Text(&$value) };
    (@cell $value:expr; $column:ident: Texts in $($rest:tt)*) => { $crate::Cell::Texts($value.by_ref()) };
    (@cell $value:expr; $column:ident: Numbers in $($rest:tt)*) => { $crate::Cell::Numbers($value.by_ref()) };
    (@cell $value:expr; $column:ident: Json in $($rest:tt)*) => { $crate::Cell::Json($value.by_ref()) };
    (@cell $value:expr; $column:ident: Time in $($rest:tt)*) => { $crate::Cell::time($value) };
    (@cell $value:expr; $column:ident: Time or none in $($rest:tt)*) => {
        $value.map_or($crate::Cell::Nothing, $crate::Cell::time)
    };
    (@cell $value:expr; $column:ident: Text or none in $($rest:tt)*) => {
        $value.as_deref().map_or($crate::Cell::Nothing, $crate::Cell::Text)
    };
    (@cell $value:expr; $column:ident: Json or none in $($rest:tt)*) => {
        $value.as_ref().map_or($crate::Cell::Nothing, |json| $crate::Cell::Json(json.by_ref()))
    };
    (@cell $value:expr; $column:ident: $kind:ident in $($rest:tt)*) => {
        $crate::Cell::$kind($value)
    };
    (@cell $value:expr; $column:ident: $kind:ident or none in $($rest:tt)*) => {
        $value.map_or($crate::Cell::Nothing, $crate::Cell::$kind)
    };
}
pub(super) use row;
