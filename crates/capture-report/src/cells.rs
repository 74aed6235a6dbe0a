//! Cells of the page's tables: what of an exported row is shown, and how.

use std::net::{IpAddr, SocketAddr};

use maud::{Markup, html};
use serde_json::Value;

use super::kept_rows::TableRow;
use super::time_span::TimeSpan;
use report::html::shown;
use text::duration;

/// A column of a table on the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct PageColumn {
    pub heading: &'static str,
    pub form: CellForm,
}

/// How a cell shows the cells of an exported row, by the names of their columns.
#[derive(Debug, Clone, Copy)]
pub(super) enum CellForm {
    /// As it is, in one line.
    Text(&'static str),
    /// As it is, in several lines.
    Prose(&'static str),
    /// A word that says how good or bad something is.
    Verdict(&'static str),
    /// As it is, at the right.
    Number(&'static str),
    /// With two decimals.
    Decimal(&'static str),
    /// A time.
    Time(&'static str),
    /// Nanoseconds.
    Nanoseconds(&'static str),
    /// Milliseconds.
    Milliseconds(&'static str),
    /// An address and a port.
    Endpoint([&'static str; 2]),
    /// A name without its colour codes, and as it was sent, if it has any.
    Name([&'static str; 2]),
    /// How many of how many: `2/12`.
    Of([&'static str; 2]),
    /// Several values.
    List(&'static str),
    /// Frames, with links to their messages.
    Frames(&'static str),
}

/// How many frames of a long list a cell shows.
const FRAMES: usize = 8;
/// How many values of another one.
const LISTED: usize = 16;

impl CellForm {
    /// The names of the exported columns.
    pub fn columns(self) -> impl Iterator<Item = &'static str> {
        let [first, second] = match self {
            Self::Endpoint(two) | Self::Name(two) | Self::Of(two) => two.map(Some),
            Self::Text(one)
            | Self::Prose(one)
            | Self::Verdict(one)
            | Self::Number(one)
            | Self::Decimal(one)
            | Self::Time(one)
            | Self::Nanoseconds(one)
            | Self::Milliseconds(one)
            | Self::List(one)
            | Self::Frames(one) => [Some(one), None],
        };
        [first, second].into_iter().flatten()
    }

    /// Whether cells stand at the right.
    pub fn is_number(self) -> bool {
        matches!(
            self,
            Self::Number(_)
                | Self::Decimal(_)
                | Self::Nanoseconds(_)
                | Self::Milliseconds(_)
                | Self::Of(_)
        )
    }

    /// The cell of a row, with links to those frames that have a message on the page.
    pub fn cell(self, row: &TableRow, span: TimeSpan, has: &dyn Fn(u64) -> bool) -> Markup {
        let class = match self {
            _ if self.is_number() => Some("n"),
            Self::Prose(_) | Self::Name(_) | Self::Frames(_) => Some("w"),
            _ => None,
        };
        html! { td class=[class] { (self.content(row, span, has)) } }
    }

    fn content(self, row: &TableRow, span: TimeSpan, has: &dyn Fn(u64) -> bool) -> Markup {
        match self {
            Self::Text(column) | Self::Prose(column) | Self::Number(column) => {
                html! { (shown(&row.exact(column))) }
            }
            Self::Verdict(column) => verdict(row.text(column)),
            Self::Decimal(column) => data(row, column, |of| {
                of.as_f64().map(|number| format!("{number:.2}").replace(".00", ""))
            }),
            Self::Nanoseconds(column) => data(row, column, |of| of.as_i64().map(duration)),
            Self::Milliseconds(column) => data(row, column, |of| {
                of.as_f64().map(|number| duration((number * 1e6).round() as i64))
            }),
            Self::Time(column) => match row.text(column) {
                "" => html! {},
                exact => html! { time datetime=(exact) { (span.short(exact)) } },
            },
            Self::Endpoint(columns) => html! { (endpoint(row, columns)) },
            Self::Name([plain, raw]) => name(row.text(plain), row.text(raw)),
            Self::Of([part, whole]) => html! { (part_of(&row.exact(part), &row.exact(whole))) },
            Self::List(column) => list(row, column),
            Self::Frames(column) => frames(row, column, has),
        }
    }
}

/// A number in a form for people; the element has the exact one.
fn data(row: &TableRow, column: &str, text: impl Fn(&Value) -> Option<String>) -> Markup {
    html! {
        @if let Some(text) = text(row.value(column)) {
            data value=(row.exact(column)) { (text) }
        }
    }
}

/// `192.0.2.1:27960`, `[2001:db8::1]:27960`.
pub(super) fn endpoint(row: &TableRow, [address, port]: [&str; 2]) -> String {
    let (address, port) = (row.text(address), row.exact(port));
    match (address.parse::<IpAddr>(), port.parse::<u16>()) {
        (Ok(address), Ok(port)) => SocketAddr::new(address, port).to_string(),
        _ => shown(address),
    }
}

fn name(plain: &str, raw: &str) -> Markup {
    html! {
        (shown(plain))
        @if plain != raw { " " small title="as it was sent" { (shown(raw)) } }
    }
}

fn part_of(part: &str, whole: &str) -> String {
    match (part, whole) {
        ("", "") => String::new(),
        (part, "") => part.to_owned(),
        ("", whole) => format!("?/{whole}"),
        (part, whole) => format!("{part}/{whole}"),
    }
}

/// A word in the colour of what it means; the word itself says it too.
fn verdict(word: &str) -> Markup {
    if word.is_empty() {
        return html! {};
    }
    let class = match word {
        "error" | "unanswered" | "refused" | "failed" | "no" => "bad",
        "warning" | "incomplete" | "unsolicited" => "warn",
        "answered" | "ok" | "yes" => "good",
        _ => "note",
    };
    html! { span.verdict.(class) { (shown(word)) } }
}

fn list(row: &TableRow, column: &str) -> Markup {
    let all = row.list(column);
    let more = all.len().saturating_sub(LISTED) + row.left_out(column);
    html! {
        @for (at, value) in all.iter().take(LISTED).enumerate() {
            @if at > 0 { br; }
            (shown(value.as_str().unwrap_or_default()))
        }
        @if more > 0 { br; "and " (more) " more" }
    }
}

fn frames(row: &TableRow, column: &str, has: &dyn Fn(u64) -> bool) -> Markup {
    let all = row.list(column);
    let first: Vec<u64> = all.iter().filter_map(Value::as_u64).take(FRAMES).collect();
    let more = all.len() - first.len() + row.left_out(column);
    html! {
        @for (at, number) in first.iter().enumerate() {
            @if at > 0 { ", " }
            @if has(*number) { a href={ "#m" (number) } { (number) } } @else { (number) }
        }
        @if more > 0 { ", and " (more) " more" }
    }
}
