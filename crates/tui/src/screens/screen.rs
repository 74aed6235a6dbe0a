//! What a screen is, and what it works with.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;

use super::links::{LinkTarget, RowOrigin};
use super::related::RelatedMessages;
use crate::action::{Answer, Effect, KeyCommand, Motion, Step, TerminalCommand};
use crate::comparison::ComparedMessages;
use crate::export::{Exportable, SinglePacket};
use crate::search::SearchQuery;
use crate::session::Growth;
use crate::text::{counted, grouped};
use crate::typing::EditForm;
use crate::view_state::ViewState;
use crate::work::{Work, WorkKind};
use analysis::{AnalysisIndex, Session};
use export::SessionExport;

/// The names of the screens that others lead to.
pub const MESSAGES: &str = "messages";
pub const LADDER: &str = "sequence";
pub const CATALOGUE: &str = "catalogue";

/// A screen by its name.
pub struct ScreenInfo {
    pub name: &'static str,
    pub new: fn() -> Box<dyn Screen>,
}

/// Commands and their words in the footer; if space is short, those at the end stay.
pub type FooterKeys = &'static [(KeyCommand, &'static str)];

/// A screen: its own state, what keys and the mouse do to it, and how it is drawn.
pub trait Screen {
    /// What the footer shows.
    fn keys(&self) -> FooterKeys;

    /// The position of the cursor: `3 of 27 messages`; empty if there is nothing.
    fn position(&self, view: &ViewState) -> String;

    /// The row under the cursor, counted from the first; nothing if it has no rows to search.
    fn cursor(&self) -> Option<usize> {
        None
    }

    /// The number of rows beside its name, and how it is painted; none if it is not known.
    fn count(&self, _: &ViewState) -> Option<(usize, Style)> {
        None
    }

    /// The rows that match the display filter, and all rows: `12 of 300 servers`.
    fn filtered(&self, view: &ViewState) -> String;

    /// What the row under the cursor is, and what it belongs to; if there is none, a hint says why.
    fn origin(&mut self, _: &mut ScreenContext<'_>) -> Option<RowOrigin> {
        None
    }

    /// The messages of the row under the cursor; if there are none, a hint says why.
    fn related(&mut self, _: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        None
    }

    /// Where it is, to come back to.
    fn bookmark(&self, view: &ViewState) -> Bookmark;

    /// Goes back to where it was.
    fn restore(&mut self, to: &Bookmark, cx: &mut ScreenContext<'_>);

    /// It will be shown.
    fn enter(&mut self, arrival: Arrival, cx: &mut ScreenContext<'_>);

    /// Another capture is shown: nothing of the one before is kept.
    fn forget(&mut self, _: &mut ScreenContext<'_>) {}

    /// The session has grown; all screens are told.
    fn grown(&mut self, growth: Growth, cx: &mut ScreenContext<'_>);

    /// Another display filter is in force, or more messages were tested; all screens are told.
    fn refilter(&mut self, change: FilterChange, cx: &mut ScreenContext<'_>);

    /// The terminal's size or a format has changed.
    fn reformat(&mut self, _: &mut ScreenContext<'_>) {}

    /// Executes a command; false if it has no meaning here.
    fn command(&mut self, command: KeyCommand, cx: &mut ScreenContext<'_>) -> bool;

    fn click(&mut self, at: Position, cx: &mut ScreenContext<'_>);

    /// Whether something is at a place that Enter opens, and not a heading.
    fn is_in_rows(&self, _: Position, _: &ViewState) -> bool {
        true
    }

    /// The pointer is moved from where the button was pressed.
    fn drag(&mut self, _: Position, _: Position, _: &mut ScreenContext<'_>) {}

    /// A step of the wheel.
    fn wheel(&mut self, at: Position, motion: Motion, cx: &mut ScreenContext<'_>);

    /// Takes the result of an effect.
    fn answer(&mut self, _: Answer, _: &mut ScreenContext<'_>) {}

    /// Searches from the cursor on: the next match, or the previous one; the row under the cursor
    /// is included while the text is typed.
    fn search(&mut self, query: &SearchQuery, from: SearchFrom, cx: &mut ScreenContext<'_>);

    /// What is selected, in words, and its texts to be copied: each with a letter and a name. `None`
    /// if this screen has none.
    fn copies(&self, _: &ViewState) -> Option<Result<(String, CopyTexts), String>> {
        None
    }

    /// The selected message as a datagram for a capture of its own; `None` where it is none, or only a
    /// part of it is selected.
    fn packet(&self, _: &ViewState) -> Option<SinglePacket> {
        None
    }

    /// What an edit of the selection begins with: its name, and its text.
    ///
    /// # Errors
    ///
    /// Why it cannot be edited, in words.
    fn editable(&self, _: EditForm, _: &ViewState) -> Result<(String, String), String> {
        Err("only messages are edited".to_owned())
    }

    /// Changes the selection to a typed text.
    ///
    /// # Errors
    ///
    /// Why that is not possible, in words.
    fn edit(&mut self, _: EditForm, _: &str, _: &mut ScreenContext<'_>) -> Result<(), String> {
        Err("only messages are edited".to_owned())
    }

    /// The selected message beside other bytes, which have a name; without others, an edited message
    /// beside what was captured. `None` if there is no message, or it was not edited.
    fn compare_bytes(
        &mut self,
        _: Option<(Vec<u8>, String)>,
        _: &mut ScreenContext<'_>,
    ) -> Option<ComparedMessages> {
        None
    }

    /// Goes to a number or a time.
    ///
    /// # Errors
    ///
    /// Why that is not possible, in words.
    fn go_to(&mut self, _: TypedPosition, _: &mut ScreenContext<'_>) -> Result<(), String> {
        Err("this screen has no numbers".to_owned())
    }

    /// The columns that it has, if it is a table.
    fn columns(&self) -> Option<ColumnChoice<'_>> {
        None
    }

    /// What its rows can be sorted by.
    fn sort_columns(&self) -> Option<ColumnChoice<'_>> {
        self.columns()
    }

    /// Whether the largest value of a column comes first when it is sorted by it: of counts.
    fn begins_descending(&self, _: &str) -> bool {
        false
    }

    /// Shows these columns, in this order.
    fn choose_columns(&mut self, _: &[String]) -> Result<(), String> {
        Ok(())
    }

    /// Why there is nothing to sort, if it has no [`Self::sort_columns`].
    fn unsorted(&self) -> &'static str {
        "this screen cannot be sorted"
    }

    /// Sorts by a column; without one, in the order of time.
    fn sort(&mut self, _: Option<Sort>, _: &mut ScreenContext<'_>) -> Result<(), String> {
        Err(self.unsorted().to_owned())
    }

    /// What an export would write, in words.
    fn exportable(&self, view: &ViewState) -> Exportable;

    /// What an export writes; `None` until it is known.
    fn export(&self, session: &Session, view: &ViewState) -> Option<SessionExport>;

    /// Renders the visible rows; called after every event, if the screen is shown.
    fn fill(&mut self, cx: &mut ScreenContext<'_>);

    /// Whether `fill` has more to do than it does at once; it is soon called again.
    fn is_filling(&self) -> bool {
        false
    }

    fn draw(&self, view: &ViewState, area: Rect, buffer: &mut Buffer);
}

/// How a screen comes to be shown.
pub enum Arrival {
    /// By its key; with the message that was selected, and whether it is shown already.
    Key { message: Option<usize>, is_shown: bool },
    /// For what another screen leads to.
    Visit(LinkTarget),
}

/// Where a screen is.
#[derive(Debug, Clone, PartialEq)]
pub enum Bookmark {
    /// The message of a frame, with the messages of the row that led to it.
    Message(u64, RelatedMessages),
    /// A row of a table, by its index in the session.
    Row(usize),
    /// A ladder of these messages, or of all, at a frame.
    Ladder(Option<RelatedMessages>, u64),
    /// A row of the catalogue, by its place in the documents, and the first visible line of its page.
    Line(usize, usize),
    Nowhere,
}

/// What has changed about the display filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilterChange {
    /// Another filter, or none.
    Other,
    /// More messages were tested.
    More,
    /// All have been tested, and the rows of tables are known.
    Complete,
}

/// Where a search begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchFrom {
    /// At the row under the cursor.
    Here,
    After(Step),
}

/// What was typed to go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypedPosition {
    Number(u64),
    /// Nanoseconds since the first message.
    Since(i64),
    /// Nanoseconds since the Unix epoch.
    Time(i64),
    /// The offset of a byte in the selected message.
    Offset(usize),
}

impl TypedPosition {
    /// The frame of the message there.
    pub fn number(self, cx: &ScreenContext<'_>) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Since(since) => cx.session.number_at(cx.view.begin().saturating_add(since)),
            Self::Time(time) => cx.session.number_at(time),
            Self::Offset(_) => None,
        }
    }

    /// The session index of the message there.
    ///
    /// # Errors
    ///
    /// If there is none, in words.
    pub fn message(self, cx: &ScreenContext<'_>) -> Result<usize, String> {
        let message = self.number(cx).and_then(|number| cx.session.find(number));
        message.ok_or_else(|| match self {
            Self::Number(number) => format!("packet {number} has no message"),
            Self::Offset(_) => "only messages have offsets".to_owned(),
            Self::Since(_) | Self::Time(_) => {
                "there is no message at this time or later".to_owned()
            }
        })
    }
}

/// Texts to be copied, each with a letter and a name.
pub type CopyTexts = Vec<(char, &'static str, String)>;

/// The order of rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// The column's name.
    pub column: String,
    /// Whether the largest comes first.
    pub is_descending: bool,
}

impl Sort {
    /// The sign before the name of the column.
    pub fn arrow(&self) -> &'static str {
        if self.is_descending { "▼" } else { "▲" }
    }
}

/// The columns of a table: those that are shown, in their order, and others.
pub struct ColumnChoice<'a> {
    pub shown: Vec<String>,
    pub others: Vec<String>,
    pub sort: Option<&'a Sort>,
    /// Whether any name of the filter language can be a column.
    pub takes_names: bool,
}

/// The columns of these names.
///
/// # Errors
///
/// In words, if there is no such column, or if one is named twice.
pub fn distinct_columns<C: PartialEq>(
    names: &[String],
    named: impl Fn(&str) -> Result<C, String>,
) -> Result<Vec<C>, String> {
    let mut columns = Vec::with_capacity(names.len());
    for name in names {
        let column = named(name)?;
        if columns.contains(&column) {
            return Err(format!("the column \"{name}\" is named twice"));
        }
        columns.push(column);
    }
    Ok(columns)
}

/// What a screen works with.
pub struct ScreenContext<'a> {
    pub session: &'a Session,
    pub view: &'a mut ViewState,
    pub is_shown: bool,
    pub effects: Vec<Effect>,
    /// Where to go after the event.
    pub request: Option<LinkTarget>,
}

impl ScreenContext<'_> {
    pub fn hint(&mut self, text: impl Into<String>) {
        self.view.hint = Some(text.into());
    }

    pub fn copy(&mut self, text: String) {
        self.effects.push(Effect::Terminal(TerminalCommand::Copy(text)));
    }

    pub fn begin(&mut self, work: Work) {
        self.effects.push(Effect::Begin(work));
    }

    /// Requests the index of the messages so far, for a live capture or a pipe that has not ended.
    /// Their classification may still change.
    pub fn request_index(&mut self) {
        let session = self.session;
        let goes_on = !session.is_done() && session.progress().of.is_none();
        let reach = session.index().map_or(0, AnalysisIndex::reach);
        let index = &mut self.view.known.index;
        if goes_on && reach < session.len() && !index.is_requested {
            index.is_requested = true;
            let work = Work::new(WorkKind::Index, super::live_index::build).paced(reach > 0);
            self.begin(work);
        }
    }

    /// The index does not have what was asked for yet.
    pub fn hint_no_index(&mut self) {
        self.request_index();
        self.hint(if self.view.known.index.is_requested {
            "the messages so far are being analysed; try again in a moment"
        } else {
            "exchanges are known when everything has been read"
        });
    }
}

/// `3 of 27 messages`.
pub fn position(at: usize, len: usize, noun: &str) -> String {
    let all = counted(len as u64, noun);
    if len == 0 { all } else { format!("{} of {all}", grouped(at as u64 + 1)) }
}
