//! The other tabs than the messages: exchanges, servers, masters and findings as tables, and the
//! ladder.
//!
//! Their data is in the session's [`AnalysisIndex`] and becomes cells and lines here, for visible
//! rows only. Every row links to its messages.

mod exchanges;
mod findings;
mod ink;
pub mod ladder;
mod marks;
mod masters;
mod servers;

use ratatui::layout::Rect;

use super::areas::{Areas, Framed};
use super::model::{Model, TextDisplay, TimeDisplay};
use super::text::{width, wrapped};
use crate::analysis::{AnalysisIndex, Session, Severity};
use crate::render::TextRun;
use ladder::Climb;

/// A piece of a row, or a line of the details.
pub type Runs = Vec<TextRun>;

/// What the screen shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    #[default]
    Messages,
    Exchanges,
    Servers,
    Masters,
    Findings,
    Ladder,
}

/// The state of the other tabs than the messages.
#[derive(Default)]
pub struct Sheets {
    pub shown: Tab,
    /// The tabs that Esc goes back to, the next one last.
    pub back: Vec<Tab>,
    tables: [TableView; 4],
    pub ladder: Climb,
    pub marked: RelatedMessages,
    /// How many rows each table has; `None` until the index is built.
    pub lengths: Option<[usize; 4]>,
    /// How many messages the index has, and whether these are all.
    pub reach: Option<usize>,
    pub is_settled: bool,
    /// Whether the index is being built.
    pub is_keeping: bool,
    /// The progress of building it, in percent.
    pub percent: usize,
    /// The highest severity among the findings.
    pub worst: Option<Severity>,
}

/// A table, and the details of the row under its cursor.
#[derive(Debug, Default)]
pub struct TableView {
    pub cursor: usize,
    pub top: usize,
    /// The widest text so far in each column, so that scrolling moves no column.
    pub widths: Vec<usize>,
    /// The visible rows.
    pub rows: Vec<Vec<Runs>>,
    pub details: Vec<Runs>,
    pub details_top: usize,
    /// Whether the details have the focus.
    pub in_details: bool,
}

/// The messages of a followed row, by their frames.
#[derive(Debug, Default)]
pub struct RelatedMessages {
    /// The row, in words.
    pub of: String,
    /// In order, each once.
    pub numbers: Vec<u64>,
}

/// A column of a table.
#[derive(Debug, Clone, Copy)]
pub struct TableColumn {
    pub name: &'static str,
    pub side: Alignment,
    /// The minimum width if space is short.
    pub least: usize,
    /// It is left out in tables narrower than this.
    pub from: u16,
    /// Whether it takes the remaining width.
    pub grows: bool,
}

/// The alignment of a text in its column, and where it is truncated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    Left,
    Right,
    /// Left-aligned, and truncated in the middle: addresses keep their ports.
    Ends,
}

/// The format of rows.
#[derive(Debug, Clone, Copy)]
pub struct RowFormat {
    pub clock: TimeDisplay,
    pub texts: TextDisplay,
    /// The time of the first message.
    pub first: i64,
}

/// The areas of a tab.
#[derive(Debug, Clone, Copy, Default)]
pub struct TabLayout {
    pub headings: Rect,
    pub table: Rect,
    pub details: Framed,
}

impl Tab {
    /// In the order of their keys, from 1.
    pub const ALL: [Self; 6] = [
        Self::Messages,
        Self::Exchanges,
        Self::Servers,
        Self::Masters,
        Self::Findings,
        Self::Ladder,
    ];
    /// Those that are tables.
    pub const TABLES: &[Self] = &[Self::Exchanges, Self::Servers, Self::Masters, Self::Findings];

    pub fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Exchanges => "exchanges",
            Self::Servers => "servers",
            Self::Masters => "masters",
            Self::Findings => "findings",
            Self::Ladder => "ladder",
        }
    }

    /// The number of its key.
    pub fn key(self) -> usize {
        Self::ALL.iter().position(|sheet| *sheet == self).map_or(1, |at| at + 1)
    }

    /// Its index among the tables.
    pub fn table(self) -> Option<usize> {
        Self::TABLES.iter().position(|sheet| *sheet == self)
    }

    /// The columns of its table.
    pub fn columns(self) -> &'static [TableColumn] {
        match self {
            Self::Exchanges => exchanges::COLUMNS,
            Self::Servers => servers::COLUMNS,
            Self::Masters => masters::COLUMNS,
            Self::Findings => findings::COLUMNS,
            Self::Messages | Self::Ladder => &[],
        }
    }

    /// How many rows each table has.
    pub fn lengths(books: &AnalysisIndex) -> [usize; 4] {
        [books.exchanges().len(), books.servers(), books.masters(), books.findings().len()]
    }

    /// The cells of a row.
    pub fn cells(self, books: &AnalysisIndex, row: usize, manner: RowFormat) -> Option<Vec<Runs>> {
        Some(match self {
            Self::Exchanges => exchanges::cells(books.exchanges().get(row)?, manner),
            Self::Servers => servers::cells(books, books.server(row)?, manner),
            Self::Masters => masters::cells(books.master(row)?),
            Self::Findings => findings::cells(books.findings().get(row)?),
            Self::Messages | Self::Ladder => return None,
        })
    }

    /// The details of a row, in lines of at most `columns`.
    pub fn details(
        self,
        session: &Session,
        row: usize,
        manner: RowFormat,
        columns: usize,
    ) -> Option<Vec<Runs>> {
        let books = session.index()?;
        let lines = match self {
            Self::Exchanges => exchanges::details(session, row, manner, columns)?,
            Self::Servers => servers::details(books, books.server(row)?, manner),
            Self::Masters => masters::details(books.master(row)?, manner),
            Self::Findings => findings::details(books.findings().get(row)?),
            Self::Messages | Self::Ladder => return None,
        };
        Some(lines.into_iter().flat_map(|line| folded(line, columns)).collect())
    }

    /// The frames of a row's messages, and a description.
    pub fn marked(self, books: &AnalysisIndex, row: usize) -> Option<RelatedMessages> {
        let (of, numbers) = match self {
            Self::Exchanges => {
                let exchange = books.exchanges().get(row)?;
                let number = exchange.number();
                (format!("the {} of #{number}", exchange.kind), exchange.numbers().collect())
            }
            Self::Servers => {
                let server = books.server(row)?;
                (format!("server {}", server.address), servers::numbers(books, server))
            }
            Self::Masters => {
                let master = books.master(row)?;
                (format!("master {}", master.address), masters::numbers(books, master))
            }
            Self::Findings => {
                let finding = books.findings().get(row)?;
                (finding.rule.id.to_owned(), finding.messages.clone())
            }
            Self::Messages | Self::Ladder => return None,
        };
        Some(RelatedMessages::new(of, numbers))
    }
}

impl Sheets {
    /// The table on screen, if it is one.
    pub fn table(&self) -> Option<&TableView> {
        self.tables.get(self.shown.table()?)
    }

    pub fn table_mut(&mut self) -> Option<&mut TableView> {
        self.tables.get_mut(self.shown.table()?)
    }

    /// How many rows the table on screen has.
    pub fn len(&self) -> usize {
        let lengths = self.lengths.unwrap_or_default();
        self.shown.table().and_then(|at| lengths.get(at).copied()).unwrap_or(0)
    }

    /// Column widths must be computed again.
    pub fn forget_widths(&mut self) {
        for table in &mut self.tables {
            table.widths.clear();
        }
    }
}

impl RelatedMessages {
    fn new(of: String, mut numbers: Vec<u64>) -> Self {
        numbers.sort_unstable();
        numbers.dedup();
        Self { of, numbers }
    }

    pub fn has(&self, number: u64) -> bool {
        self.numbers.binary_search(&number).is_ok()
    }
}

impl RowFormat {
    pub fn of(model: &Model) -> Self {
        let first = model.known.first.unwrap_or(0);
        Self { clock: model.clock, texts: model.texts, first }
    }
}

impl TabLayout {
    /// The areas of the current tab; `None` for the messages, or if the terminal is too small.
    pub fn of(model: &Model) -> Option<Self> {
        let all = Areas::of(model)?.sheet;
        let table = model.sheets.table();
        let in_details = table.is_some_and(|table| table.in_details);
        let (upper, lower) = match (table, model.zoom) {
            (Some(_), true) if in_details => (0, all.height),
            (None, _) | (Some(_), true) => (all.height, 0),
            (Some(_), false) => {
                let upper = (all.height / 2).max(3).min(all.height);
                (upper, all.height - upper)
            }
        };
        // A ladder has two lines at its head.
        let head = if table.is_some() { 1 } else { 2 };
        let head = upper.min(head);
        let rule = lower.min(1);
        Some(Self {
            headings: Rect { height: head, ..all },
            table: Rect { y: all.y + head, height: upper - head, ..all },
            details: Framed {
                rule: Rect { y: all.y + upper, height: rule, ..all },
                body: Rect { y: all.y + upper + rule, height: lower - rule, ..all },
            },
        })
    }
}

/// A line folded into as many as needed: its last text continues below its beginning.
fn folded(mut line: Runs, columns: usize) -> Vec<Runs> {
    let columns_of = |runs: &[TextRun]| runs.iter().map(|run| width(&run.text)).sum::<usize>();
    if columns_of(&line) <= columns {
        return vec![line];
    }
    let Some(last) = line.pop() else {
        return Vec::new();
    };
    let begin = columns_of(&line);
    let indent = if begin > columns / 2 { 2 } else { begin };
    let whole = wrapped(&last.text, columns.saturating_sub(indent));
    let (first, rest) = if begin > columns / 2 {
        (None, whole.as_slice())
    } else {
        (whole.first(), whole.get(1..).unwrap_or_default())
    };
    line.extend(first.map(|text| TextRun { text: text.clone(), style: last.style }));
    let below = rest.iter().map(|part| {
        let blanks = TextRun { text: " ".repeat(indent), style: anstyle::Style::new() };
        vec![blanks, TextRun { text: part.clone(), style: last.style }]
    });
    std::iter::once(line).chain(below).collect()
}

/// A left-aligned column.
const fn left(name: &'static str, least: usize) -> TableColumn {
    TableColumn { name, side: Alignment::Left, least, from: 0, grows: false }
}

/// A column of numbers.
const fn right(name: &'static str, least: usize) -> TableColumn {
    TableColumn { name, side: Alignment::Right, least, from: 0, grows: false }
}

/// A column of addresses.
const fn address(name: &'static str) -> TableColumn {
    TableColumn { name, side: Alignment::Ends, least: 12, from: 0, grows: false }
}

impl TableColumn {
    const fn from(mut self, columns: u16) -> Self {
        self.from = columns;
        self
    }

    const fn growing(mut self) -> Self {
        self.grows = true;
        self
    }
}
