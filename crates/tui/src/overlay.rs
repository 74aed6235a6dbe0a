//! A text over the screen: help, reasons, warnings, the comparison of two messages.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::action::{KeyCommand, Motion, Step};
use super::comparison::ComparedMessages;
use super::questions::{AnswerView, QuestionView};
use super::screens::screen::FooterKeys;
use super::search::SearchQuery;
use super::widgets::frame::frame;
use super::widgets::letters::{Pieces, hanging, letters, pieces};
use super::widgets::painter::Painter;
use super::widgets::scroll::{moved, wheeled};
use super::widgets::style;
use query::SessionQuestion;
use text::{escaped, width};

/// A text over the screen.
pub struct Overlay {
    heading: String,
    source: OverlayContent,
    /// The lines for the terminal's size, and the first visible one.
    lines: Vec<Pieces>,
    top: usize,
    /// The line that a search has found.
    found: Option<usize>,
    /// Columns and rows of the terminal.
    size: (u16, u16),
    lead: OverlayLead,
}

/// What Enter does.
pub enum OverlayLead {
    /// It closes the text, as other keys do.
    Nothing,
    /// It sends the question that is shown.
    Question(Box<SessionQuestion>),
    /// It goes to the exchange whose answer is shown.
    Exchange,
}

/// The keys of a question, and of an answer.
const QUESTION_KEYS: FooterKeys =
    &[(KeyCommand::Enter, "send"), (KeyCommand::Close, "leave, nothing is sent")];
const ANSWER_KEYS: FooterKeys =
    &[(KeyCommand::Enter, "show the exchange"), (KeyCommand::Close, "close")];

/// What is laid out for the terminal's size.
enum OverlayContent {
    Lines(Vec<OverlayLine>),
    /// Sections, in two columns where there is space.
    Sections(Vec<Vec<OverlayLine>>),
    Comparison(Box<ComparedMessages>),
    /// Lines, and below them each answer compared with the recorded one.
    Answer(Vec<OverlayLine>, Vec<ComparedMessages>),
}

/// A line: a highlighted part, and the rest; continuation lines are indented to the rest.
pub type OverlayLine = (String, Style, String);

impl Overlay {
    pub fn new(heading: String, lines: Vec<OverlayLine>, size: (u16, u16)) -> Self {
        Self::with_source(heading, OverlayContent::Lines(lines), size)
    }

    /// A text of sections.
    pub fn sections(heading: String, sections: Vec<Vec<OverlayLine>>, size: (u16, u16)) -> Self {
        Self::with_source(heading, OverlayContent::Sections(sections), size)
    }

    /// The difference of two messages.
    pub fn comparison(compared: ComparedMessages, size: (u16, u16)) -> Self {
        let heading = compared.heading();
        Self::with_source(heading, OverlayContent::Comparison(Box::new(compared)), size)
    }

    fn with_source(heading: String, source: OverlayContent, size: (u16, u16)) -> Self {
        let lead = OverlayLead::Nothing;
        let lines = Vec::new();
        let mut overlay = Self { heading, source, lines, top: 0, found: None, size, lead };
        overlay.fit(size);
        overlay
    }

    /// A question before it is sent.
    pub fn question(view: QuestionView, size: (u16, u16)) -> Self {
        let QuestionView { question, heading, lines } = view;
        let lead = OverlayLead::Question(Box::new(question));
        Self { lead, ..Self::new(heading, lines, size) }
    }

    /// An answer beside the recorded one.
    pub fn answer(view: AnswerView, size: (u16, u16)) -> Self {
        let AnswerView { heading, lines, compared } = view;
        let source = OverlayContent::Answer(lines, compared);
        Self { lead: OverlayLead::Exchange, ..Self::with_source(heading, source, size) }
    }

    /// What Enter does.
    pub fn into_lead(self) -> OverlayLead {
        self.lead
    }

    /// The keys that it has in the footer, if it has some of its own.
    pub fn keys(&self) -> Option<FooterKeys> {
        match self.lead {
            OverlayLead::Nothing => None,
            OverlayLead::Question(_) => Some(QUESTION_KEYS),
            OverlayLead::Exchange => Some(ANSWER_KEYS),
        }
    }

    pub fn heading(&self) -> &str {
        &self.heading
    }

    /// Lays the text out for another size of the terminal; keeps the position.
    pub fn fit(&mut self, size: (u16, u16)) {
        self.size = size;
        let columns = columns(size);
        self.lines = match &self.source {
            OverlayContent::Lines(lines) => wrapped(lines, columns),
            OverlayContent::Sections(sections) => in_columns(sections, columns),
            OverlayContent::Comparison(compared) => compared.lines(columns),
            OverlayContent::Answer(lines, compared) => {
                let each = compared.iter().map(|compared| compared.lines(columns));
                let own = Some(wrapped(lines, columns)).filter(|lines| !lines.is_empty());
                own.into_iter().chain(each).collect::<Vec<_>>().join(&[Pieces::new()][..])
            }
        };
        self.scroll_to(self.top);
    }

    pub fn go(&mut self, motion: Motion) {
        let page = usize::from(self.size.1 / 2).max(1);
        let motion = match motion {
            Motion::HalfUp => Motion::PageUp,
            Motion::HalfDown => Motion::PageDown,
            motion => motion,
        };
        self.top = moved(self.top, self.last_top(), page, motion);
    }

    pub fn wheel(&mut self, step: Step) {
        self.top = wheeled(self.top, self.last_top(), step);
    }

    fn last_top(&self) -> usize {
        self.lines.len().saturating_sub(usize::from(self.size.1).saturating_sub(4))
    }

    fn scroll_to(&mut self, line: usize) {
        self.top = line.min(self.last_top());
    }

    /// Goes to the next line that contains a text, or to the previous one; without a step, to the
    /// first from the visible ones on. False if there is none.
    pub fn search(&mut self, query: &SearchQuery, step: Option<Step>) -> bool {
        let len = self.lines.len();
        let mut at = match (step, self.found) {
            (Some(step), Some(found)) => step.around(found, 0, len),
            _ => self.top,
        };
        let text = |line: &Pieces| line.iter().map(|(text, _)| text.as_str()).collect::<String>();
        for _ in 0..len {
            if self.lines.get(at).is_some_and(|line| query.is_in(&text(line))) {
                self.found = Some(at);
                self.scroll_to(at.saturating_sub(2));
                return true;
            }
            at = step.unwrap_or(Step::Forward).around(at, 0, len);
        }
        self.found = None;
        false
    }

    pub fn draw(&self, buffer: &mut Buffer) {
        let Self { heading, lines, .. } = self;
        let columns = |line: &Pieces| line.iter().map(|(text, _)| width(text)).sum();
        let widest = lines.iter().map(columns).max().unwrap_or(0);
        let inside = frame(heading, (widest.max(width(heading)), lines.len()), 2, buffer);
        let top = self.top.min(lines.len().saturating_sub(usize::from(inside.height)));
        let shown = lines.iter().enumerate().skip(top);
        for (y, (at, line)) in (0..inside.height).zip(shown) {
            Painter::at(buffer, inside, y).pieces(line);
            if self.found == Some(at) {
                Painter::at(buffer, inside, y).paint(style::CURSOR);
            }
        }
        let below = lines.len().saturating_sub(top + usize::from(inside.height));
        if below > 0 {
            let last = Rect { y: inside.bottom(), height: 1, width: inside.width + 1, ..inside };
            Painter::at(buffer, last, 0).right(&format!(" {below} more, ↓ "), style::DIM, 1);
        }
    }
}

/// Lines in so many columns, as many as that takes.
fn wrapped(lines: &[OverlayLine], columns: usize) -> Vec<Pieces> {
    let wrap = |(mark, of, rest): &OverlayLine| {
        let text = rest.trim_start();
        let mark = format!("{mark}{}", " ".repeat(rest.len() - text.len()));
        hanging(&letters(&mark, *of), &letters(text, style::PLAIN), columns)
    };
    lines.iter().flat_map(wrap).map(|line| pieces(&line)).collect()
}

/// The columns from which on sections are in two columns, and those between these.
const TWO: usize = 112;
const GAP: usize = 3;

/// Sections one below the other with an empty line between them, or in two columns of about the same
/// height.
fn in_columns(sections: &[Vec<OverlayLine>], columns: usize) -> Vec<Pieces> {
    let each = if columns < TWO { columns } else { (columns - GAP) / 2 };
    let sections: Vec<_> = sections.iter().map(|lines| wrapped(lines, each)).collect();
    let below = |sections: &[Vec<Pieces>]| sections.join(&[Pieces::new()][..]);
    if columns < TWO {
        return below(&sections);
    }
    let height = |sections: &[Vec<Pieces>]| below(sections).len();
    let splits = (1..sections.len()).map(|at| sections.split_at(at));
    let best = splits.min_by_key(|(left, right)| height(left).max(height(right)));
    let Some((left, right)) = best else { return below(&sections) };
    let (left, right) = (below(left), below(right));
    let rows = left.len().max(right.len());
    let line = |lines: &[Pieces], at: usize| lines.get(at).cloned().unwrap_or_default();
    let row = |at| {
        let mut row = line(&left, at);
        let right = line(&right, at);
        let used: usize = row.iter().map(|(text, _)| width(text)).sum();
        if !right.is_empty() {
            row.push((" ".repeat((each + GAP).saturating_sub(used)), style::PLAIN));
        }
        row.extend(right);
        row
    };
    (0..rows).map(row).collect()
}

/// The maximum columns of the text.
pub fn columns((width, _): (u16, u16)) -> usize {
    usize::from(width).saturating_sub(8).max(1)
}

/// A line without a highlighted part, escaped.
pub fn plain(line: &str) -> OverlayLine {
    (String::new(), style::PLAIN, escaped(line).into_owned())
}
