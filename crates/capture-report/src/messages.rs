//! The messages on the page: a line for each, which opens to its bytes and fields.

use maud::{Markup, PreEscaped, html};

use super::choice::Usefulness;
use super::left_out::LeftOut;
use super::survey::ReportMessage;
use super::time_span::TimeSpan;
use report::html::{FilterBox, lines, shown};
use text::{counted, fit};

/// The columns of a summary.
const SUMMARY: usize = 160;

/// A message as markup.
struct MessageMarkup {
    usefulness: Usefulness,
    attributes: String,
    line: String,
    /// Nothing, if the bytes are not kept.
    bytes: Option<String>,
    is_cut: bool,
    /// Whether the page has its line, and its bytes.
    has_line: bool,
    has_bytes: bool,
}

/// All messages for which there is space in so many bytes: first those of findings and failed
/// exchanges with their bytes, then the lines of the others, then their bytes.
pub(super) fn messages(
    of: &[ReportMessage],
    span: TimeSpan,
    space: usize,
    (count, left_out): (u64, &mut LeftOut),
) -> Markup {
    let mut all: Vec<_> = markup_of(of, span);
    let mut space = PageSpace(space);
    // Lines of the others have at least half of the space.
    let mut first = PageSpace(space.0 / 2);
    for usefulness in [Usefulness::Finding, Usefulness::Failed] {
        for message in all.iter_mut().filter(|message| message.usefulness == usefulness) {
            if message.bytes.is_some() && first.take_bytes(message.length()) {
                space.take_bytes(message.length());
                (message.has_line, message.has_bytes) = (true, true);
            }
        }
    }
    for usefulness in Usefulness::ALL {
        let missing = |message: &&mut MessageMarkup| !message.has_line;
        for message in all.iter_mut().filter(missing) {
            if message.usefulness == usefulness {
                message.has_line = space.take_bytes(message.line_length());
            }
        }
    }
    for message in all.iter_mut().filter(|message| message.has_line && !message.has_bytes) {
        message.has_bytes = message.bytes.as_ref().is_some_and(|of| space.take_bytes(of.len()));
    }
    let lines = all.iter().filter(|message| message.has_line).count() as u64;
    let bytes = all.iter().filter(|message| message.has_bytes).count() as u64;
    let order = "first those of findings, then those of failed exchanges, then the first ones";
    left_out.add_part("messages", (lines, count), order);
    left_out.add_part("bytes of messages", (bytes, lines), order);
    let cut = all.iter().filter(|message| message.has_bytes && message.is_cut).count() as u64;
    if cut > 0 {
        left_out.add_line(format!("the end of the bytes of {}", counted(cut, "long message")));
    }
    html! {
        (filter(of))
        div.messages {
            @for message in all.iter().filter(|message| message.has_line) { (message.markup()) }
        }
    }
}

/// What the elements around a message take, in bytes.
const TAGS: usize = 40;

/// How many bytes the page may still have.
struct PageSpace(usize);

impl PageSpace {
    /// Takes so many bytes, if there are as many.
    fn take_bytes(&mut self, bytes: usize) -> bool {
        let rest = self.0.checked_sub(bytes);
        self.0 = rest.unwrap_or(self.0);
        rest.is_some()
    }
}

fn markup_of(messages: &[ReportMessage], span: TimeSpan) -> Vec<MessageMarkup> {
    let (mut before, mut of_frame) = (None, 0);
    let mut all = Vec::with_capacity(messages.len());
    for message in messages {
        // A frame may have several messages; links lead to its first one.
        let number = message.header.number;
        of_frame = if before == Some(number) { of_frame + 1 } else { 0 };
        before = Some(number);
        all.push(MessageMarkup::new(message, of_frame, span));
    }
    all
}

impl MessageMarkup {
    fn new(message: &ReportMessage, of_frame: usize, span: TimeSpan) -> Self {
        let header = &message.header;
        let (game, name) = (header.verdict.game.id, header.name);
        let is_found = message.usefulness == Usefulness::Finding;
        let again = if of_frame == 0 { String::new() } else { format!("-{}", of_frame + 1) };
        let found = if is_found { " data-finding" } else { "" };
        let attributes = format!(
            "id=\"m{}{again}\" class=\"message\" data-game=\"{}\" data-message=\"{}\"{found}",
            header.number,
            attribute(game),
            attribute(name)
        );
        let line = html! {
            span.number { (header.number) }
            time { (span.text(header.time)) }
            span.ends { (header.source) " → " (header.destination) }
            span.game { (game) }
            span.what {
                b { (shown(name)) } " "
                @if is_found { span.verdict.bad { "finding" } " " }
                (fit(&shown(&message.text), SUMMARY))
            }
        };
        let bytes = message.bytes.as_ref().map(|bytes| {
            html! {
                pre {
                    (lines(bytes))
                    @if message.cut.count > 0 {
                        "\n  … " (if message.cut.is_least { "at least " } else { "" })
                        (message.cut.count) " more lines: fragshark decode -v -Y 'frame.number == "
                        (header.number) "'"
                    }
                }
            }
        });
        Self {
            usefulness: message.usefulness,
            attributes,
            line: line.into_string(),
            bytes: bytes.map(Markup::into_string),
            is_cut: message.cut.count > 0,
            has_line: false,
            has_bytes: false,
        }
    }

    fn line_length(&self) -> usize {
        self.attributes.len() + self.line.len() + TAGS
    }

    fn length(&self) -> usize {
        self.line_length() + self.bytes.as_ref().map_or(0, String::len)
    }

    fn markup(&self) -> Markup {
        let Self { attributes, line, bytes, .. } = self;
        let bytes = bytes.as_ref().filter(|_| self.has_bytes);
        PreEscaped(if let Some(bytes) = bytes {
            format!("<details {attributes}><summary>{line}</summary>{bytes}</details>\n")
        } else {
            format!("<div {attributes}><div class=\"line\">{line}</div></div>\n")
        })
    }
}

/// A text as the value of an attribute in double quotes.
fn attribute(text: &str) -> String {
    html! { (shown(text)) }.into_string()
}

/// The filter of the messages.
fn filter(messages: &[ReportMessage]) -> Markup {
    let names = |name: fn(&ReportMessage) -> &str| {
        let mut all: Vec<_> = messages.iter().map(|message| shown(name(message))).collect();
        all.sort_unstable();
        all.dedup();
        all
    };
    let choices = [
        ("game", names(|message| message.header.verdict.game.id)),
        ("message", names(|message| message.header.name)),
    ];
    let has_findings = messages.iter().any(|of| of.usefulness == Usefulness::Finding);
    let marks: &[_] = if has_findings { &[("finding", "only of findings")] } else { &[] };
    let filter = FilterBox {
        of: ".message",
        text: "summary, .line",
        item: "message",
        choices: &choices,
        marks,
    };
    html! { div.filter role="search" aria-label="messages" { (filter.controls()) } }
}
