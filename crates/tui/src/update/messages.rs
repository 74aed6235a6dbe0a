//! Work on single messages: marks, comments, the time reference, comparisons with other bytes.

use super::Update;
use crate::action::{Effect, KeyCommand, ReferenceView, Step};
use crate::keys::habit;
use crate::overlay::{Overlay, plain};
use crate::screens::messages::open::OpenMessage;
use crate::search::{SearchMode, SearchQuery};
use crate::text::{counted, grouped};
use crate::typing::{LinePurpose, Typing};
use crate::whole_list::whole_list;
use text::{escaped, fit};

/// Messages of exchanges without an answer.
const UNANSWERED: &str = "exchange.state == \"unanswered\"";
/// How many columns of a comment a hint shows.
const SHOWN: usize = 40;
/// How many bytes a comment may have, as pcapng counts them.
const LONGEST: usize = 4_096;

impl Update<'_> {
    /// The session index of the message under the cursor.
    fn selected(&mut self) -> Option<usize> {
        self.on_shown(|screen, cx| screen.origin(cx))?.message
    }

    /// Marks the message, or removes its mark.
    pub(super) fn mark(&mut self) {
        let Some(message) = self.selected() else {
            return self.hint("no message is selected");
        };
        let (compare, next) = (self.key(KeyCommand::Compare), self.next_mark_key());
        let marks = &mut self.model.view.notes.marks;
        marks.forget(self.session.gone());
        let is_marked = marks.toggle(message);
        let hint = match (is_marked, marks.len()) {
            (false, 0) => "the mark was removed".to_owned(),
            (false, left) => {
                format!("the mark was removed; {}", counted(left as u64, "mark"))
            }
            (true, 1) => format!("marked; {compare} on another message compares the two"),
            (true, n) => format!(
                "{} messages are marked; {compare} compares the last two, {next} goes through them",
                grouped(n as u64)
            ),
        };
        self.hint(hint);
    }

    fn next_mark_key(&self) -> String {
        self.key(KeyCommand::MarkAgain(Step::Forward))
    }

    /// Goes to the next marked message after the one under the cursor, or the one before it.
    pub(super) fn go_to_mark(&mut self, step: Step) {
        let here = self.selected();
        let mark = self.key(KeyCommand::Mark);
        let marks = &mut self.model.view.notes.marks;
        marks.forget(self.session.gone());
        let Some(message) = marks.after(here, step) else {
            return self.hint(format!("{mark} marks a message"));
        };
        let Some(number) = self.session.header(message).map(|header| header.number) else {
            return;
        };
        let place = self.place(false);
        let mut result = Ok(());
        let to = crate::screens::screen::TypedPosition::Number(number);
        self.on_shown(|screen, cx| result = screen.go_to(to, cx));
        match result {
            Ok(()) => self.come_from(place),
            Err(why) => self.hint(why),
        }
    }

    /// Compares the marked messages; an edited one with what was captured, if none is marked.
    pub(super) fn compare(&mut self) {
        let message = self.selected();
        let has_lost = self.model.view.notes.marks.forget(self.session.gone());
        let mark = self.key(KeyCommand::Mark);
        if has_lost {
            let text = format!("a marked message is no longer kept; {mark} marks another one");
            return self.hint(text);
        }
        let Some((first, second)) = self.model.view.notes.marks.pair(message) else {
            let compared = self.on_shown(|screen, cx| screen.compare_bytes(None, cx));
            return match compared {
                Some(compared) => {
                    let size = self.model.view.size;
                    self.model.overlay = Some(Overlay::comparison(compared, size));
                }
                None => self.hint(format!("{mark} marks a message; mark two to compare them")),
            };
        };
        self.model.comparison.clear();
        self.effect(Effect::OpenMarked(0, first));
        self.effect(Effect::OpenMarked(1, second));
    }

    /// Takes one of the messages to be compared; with both, shows their difference.
    pub(super) fn opened_marked(&mut self, at: usize, open: OpenMessage) {
        if let Some(comparison) = self.model.comparison.add_message(at, open) {
            let size = self.model.view.size;
            self.model.overlay = Some(Overlay::comparison(comparison, size));
        }
    }

    /// Opens the line for bytes to compare with.
    pub(super) fn begin_comparison(&mut self) {
        if self.selected().is_none() {
            return self.refuse("no message is selected");
        }
        self.model.view.typing = Some(Typing::line(LinePurpose::Bytes, String::new()));
    }

    /// Compares the message with the bytes in a text: hex, or a dump as people paste it.
    pub(super) fn compare_with_text(&mut self, text: &str) -> Result<(), String> {
        let read = || {
            let digits: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            if let Ok(bytes) = hex::decode(&digits) {
                return Some(vec![bytes]);
            }
            capture::hexdump::read_packets(text.as_bytes()).ok()
        };
        let packets = read().filter(|packets| packets.iter().any(|bytes| !bytes.is_empty()));
        let packet = packets.and_then(|packets| packets.into_iter().next());
        let bytes = packet.ok_or("no bytes in this text: give hex digits, or paste a hexdump")?;
        // A dump of a whole packet has its headers.
        let bytes = payload_of(&bytes).unwrap_or(bytes);
        let other = Some((bytes, "the pasted bytes".to_owned()));
        let compared = self.on_shown(|screen, cx| screen.compare_bytes(other, cx));
        let compared = compared.ok_or("show the messages (1) to compare one of them")?;
        self.model.overlay = Some(Overlay::comparison(compared, self.model.view.size));
        Ok(())
    }

    /// Asks for what the reference answers to the message, or in place of it.
    pub(super) fn compare_reference(&mut self) {
        match self.selected() {
            Some(message) => self.effect(Effect::CompareReference(message)),
            None => self.hint("no message is selected"),
        }
    }

    pub(super) fn show_reference(&mut self, result: Result<ReferenceView, String>) {
        let size = self.model.view.size;
        match result {
            Ok(ReferenceView::Compared(compared)) => {
                self.model.overlay = Some(Overlay::comparison(*compared, size));
            }
            Ok(ReferenceView::Alone(heading, text)) => {
                let lines = text.lines().map(plain).collect();
                self.open_overlay(heading, lines);
            }
            Err(why) => self.hint(why),
        }
    }

    /// Goes to the next request without an answer; the key of searches goes on.
    pub(super) fn next_unanswered(&mut self) {
        if let Ok(query) = SearchQuery::new(UNANSWERED, SearchMode::Filter) {
            self.model.view.search = query;
            self.search_again(Step::Forward);
        }
    }

    /// Says which key of ours does what this key does in other programs.
    pub(super) fn unknown_key(&mut self, key: &str) {
        let own = habit(key).and_then(|(programs, command)| {
            let own = self.model.view.keys.name(command)?;
            Some(format!("{key} of {programs} is {own} here"))
        });
        let help = self.key(KeyCommand::Help);
        self.hint(own.unwrap_or_else(|| format!("{help} shows the keys")));
    }

    /// Takes the names that the capture has by now.
    pub(super) fn take_names(&mut self) {
        self.model.view.names.take(self.session.names(), self.session.is_done());
    }

    /// Shows names in place of addresses, or addresses again.
    pub(super) fn toggle_names(&mut self) {
        let view = &mut self.model.view;
        if view.names.is_empty() {
            return self.hint(
                "no names: the capture has no DNS answers, and the configuration no hosts files",
            );
        }
        view.names.are_shown = !view.names.are_shown;
        let text = if view.names.are_shown {
            format!("names of {}", counted(view.names.len() as u64, "host"))
        } else {
            "addresses".to_owned()
        };
        self.on_all(|screen, cx| screen.reformat(cx));
        self.hint(text);
    }

    /// Shows the list of servers of the message, or the next one.
    pub(super) fn show_list(&mut self) {
        let message = self.selected().unwrap_or(self.session.gone());
        match whole_list(self.session, message) {
            Ok((heading, lines)) => self.open_overlay(heading, lines),
            Err(why) => self.hint(why),
        }
    }

    /// Opens the line for the comment of a packet, with the one that it has.
    pub(super) fn begin_comment(&mut self) {
        let number = self.selected().and_then(|at| self.session.header(at)).map(|h| h.number);
        let Some(number) = number else {
            return self.refuse("no message is selected");
        };
        let own = self.model.view.notes.comments.get(&number).cloned();
        let text = own.unwrap_or_else(|| {
            let captured = self.session.comment(number).unwrap_or_default();
            captured.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
        });
        self.model.view.typing = Some(Typing::line(LinePurpose::Comment(number), text));
    }

    /// Keeps the comment of a packet, or removes it.
    pub(super) fn set_comment(&mut self, number: u64, text: &str) -> Result<(), String> {
        if text.len() > LONGEST {
            return Err(format!("a comment has at most {LONGEST} bytes"));
        }
        let before = self.session.comment(number);
        let view = &mut self.model.view;
        let is_as_captured = before.unwrap_or_default() == text;
        let changed = if is_as_captured {
            view.notes.comments.remove(&number).is_some()
        } else {
            view.notes.comments.insert(number, text.to_owned()).as_deref() != Some(text)
        };
        if !changed {
            return Ok(());
        }
        view.notes.has_new_comments = !view.notes.comments.is_empty();
        let export = self.key(KeyCommand::Export);
        let shown = fit(&escaped(text), SHOWN);
        self.hint(match text {
            "" => format!("the comment of #{number} was removed"),
            _ => format!("#{number}: \"{shown}\"; {export} to a .pcapng keeps it"),
        });
        Ok(())
    }

    /// Counts times from the message under the cursor; again there, from the first one.
    pub(super) fn set_time_reference(&mut self) {
        let message = self.selected().and_then(|at| self.session.header(at));
        let Some(header) = message else {
            return self.hint("no message is selected");
        };
        let reference = Some((header.number, header.time));
        let view = &mut self.model.view;
        let is_set = view.notes.reference != reference;
        view.notes.reference = reference.filter(|_| is_set);
        self.on_all(|screen, cx| screen.reformat(cx));
        self.hint(if is_set {
            format!("times count from #{}", header.number)
        } else {
            "times count from the first message".to_owned()
        });
    }
}

/// The payload of a packet, if these bytes are one with its headers.
fn payload_of(bytes: &[u8]) -> Option<Vec<u8>> {
    let packet = capture::hexdump::ip_packet(bytes)?;
    let mut stack = net::Stack::default();
    match stack.read_frame(net::link::RAW, 0, 0, packet, packet.len() as u32) {
        net::Packet::Datagram(datagram) => Some(datagram.payload.to_vec()),
        _ => None,
    }
}
