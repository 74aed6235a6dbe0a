//! A whole ladder for a file: messages are added one by one, and as many are kept as can be read.

use std::net::SocketAddr;

use super::arrow::Arrow;
use super::hosts::HostLifelines;
use super::lifelines::Lifelines;
use super::mermaid::mermaid;
use super::svg::{SvgStyle, svg};
use super::text::Ladder;
use super::{LadderLine, Rows};
use protocol::{Direction, MessageOutcome};
use text::counted;

/// The maximum number of messages and of hosts in a diagram.
const MESSAGES: usize = 1000;
const HOSTS: usize = 50;

/// A ladder with a lifeline for each host, to be drawn as a whole.
#[derive(Debug, Clone, Default)]
pub struct Diagram {
    hosts: HostLifelines,
    arrows: Vec<KeptArrow>,
    taken: usize,
    left_out: u64,
}

/// What a diagram is drawn as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DiagramForm {
    /// A picture.
    Svg,
    /// Text that web pages render as a diagram.
    Mermaid,
    /// Plain text, without colours.
    Text,
}

/// An arrow with its own texts.
#[derive(Debug, Clone)]
struct KeptArrow {
    number: u64,
    time: i64,
    direction: Direction,
    source: SocketAddr,
    destination: SocketAddr,
    name: String,
    text: String,
    outcome: Option<MessageOutcome<String>>,
}

impl Diagram {
    /// Whether the diagram has room for this message, whose text and outcome are not needed yet. One
    /// that it takes is to be added by [`Self::push`].
    pub fn takes(&mut self, arrow: &Arrow<'_>) -> bool {
        let ends = [arrow.source, arrow.destination];
        let new = ends.into_iter().filter(|end| self.hosts.find(*end).is_none()).count();
        let takes = !self.is_full() && self.hosts.count() + new <= HOSTS;
        if takes {
            self.taken += 1;
            self.hosts.extend([*arrow]);
        }
        takes
    }

    /// Whether it takes no more messages.
    pub fn is_full(&self) -> bool {
        self.taken >= MESSAGES
    }

    /// Adds a message that it takes.
    pub fn push(&mut self, arrow: &Arrow<'_>) {
        let Arrow { number, time, direction, source, destination, name, text, outcome } = *arrow;
        let (name, text) = (name.to_owned(), text.to_owned());
        let outcome = outcome.map(|outcome| outcome.map(str::to_owned));
        let kept = KeptArrow { number, time, direction, source, destination, name, text, outcome };
        self.arrows.push(kept);
    }

    /// Sets how many messages it did not take.
    pub fn set_left_out(&mut self, messages: u64) {
        self.left_out = messages;
    }

    /// What is left out, in words.
    pub fn note(&self) -> Option<String> {
        let are = if self.left_out == 1 { "is" } else { "are" };
        (self.left_out > 0).then(|| {
            let left_out = counted(self.left_out, "message");
            format!(
                "{left_out} {are} left out: a diagram has at most {MESSAGES} messages of {HOSTS} \
                 hosts"
            )
        })
    }

    /// Draws it; pictures have the title.
    pub fn draw(&self, form: DiagramForm, title: &str) -> String {
        match form {
            DiagramForm::Svg => svg(title, self, &SvgStyle::FILE),
            DiagramForm::Mermaid => mermaid(self),
            DiagramForm::Text => self.text(),
        }
    }

    /// Draws it as an element of a page of HTML, in the colours that the page's style gives.
    pub fn draw_in_page(&self, title: &str) -> String {
        svg(title, self, &SvgStyle::PAGE)
    }

    pub(super) fn lifelines(&self) -> Lifelines<'_> {
        Lifelines::ByHost(&self.hosts)
    }

    pub(super) fn arrows(&self) -> impl Iterator<Item = Arrow<'_>> {
        self.arrows.iter().map(KeptArrow::arrow)
    }

    /// What stands at no head, if all lifelines are visible.
    pub(super) fn others(&self, arrow: &Arrow<'_>) -> String {
        self.lifelines().others(arrow, &(0..self.hosts.count())).join(" ")
    }

    /// When it begins, in nanoseconds.
    pub(super) fn begin(&self) -> i64 {
        let mut times = self.arrows.iter().map(|arrow| arrow.time);
        times.find(|time| text::has_time(*time)).unwrap_or(0)
    }

    fn text(&self) -> String {
        let ladder = Ladder::wide(self.lifelines(), self.begin());
        let mut out = String::new();
        let mut push = |line: LadderLine| {
            let line: String = line.into_iter().map(|run| run.text).collect();
            out.push_str(line.trim_end());
            out.push('\n');
        };
        ladder.head().into_iter().for_each(&mut push);
        let mut rows = Rows::default();
        for arrow in self.arrows() {
            if let Some(nanos) = rows.pause(arrow.time) {
                push(ladder.pause(nanos));
            }
            push(ladder.arrow(&arrow));
        }
        if let Some(note) = self.note() {
            out.push_str(&note);
            out.push('\n');
        }
        out
    }
}

impl KeptArrow {
    fn arrow(&self) -> Arrow<'_> {
        let Self { number, time, direction, source, destination, name, text, outcome } = self;
        Arrow {
            number: *number,
            time: *time,
            direction: *direction,
            source: *source,
            destination: *destination,
            name,
            text,
            outcome: outcome.as_ref().map(|outcome| outcome.map(|what| what)),
        }
    }
}
