//! Commands on the messages, other than movements, searches and filters.

use super::Messages;
use super::open::{OpenMessage, Pane};
use crate::action::{KeyCommand, MessageRow, Step};
use crate::export::SinglePacket;
use crate::format::MessageView;
use crate::screens::related::RelatedMessages;
use crate::screens::screen::{CopyTexts, ScreenContext};
use crate::text::counted;
use crate::view_state::ViewState;
use analysis::{MessageHeader, MessageTurn, Session};
use codec::Kind;
use export::ladder::exchange_of;
use render::{ByteForm, HexCell, Separators};
use text::MASK;

/// The first message that answers this one: what brings it back, else what the other side of its
/// exchange sends next, as a master that asks a server back for its heartbeat.
fn answer_to(request: &MessageHeader, session: &Session) -> Option<u64> {
    let exchange = exchange_of(session, request)?;
    let answers = |number: &u64| {
        let header = session.find(*number).and_then(|at| session.header(at));
        header.is_some_and(|header| header.answers == Some(request.number))
    };
    exchange.numbers().find(answers).or_else(|| {
        let asks = |turn| !matches!(turn, MessageTurn::Answer | MessageTurn::Refusal);
        let mut steps = exchange.steps.iter().skip_while(|step| step.number != request.number);
        steps.next().filter(|step| asks(step.turn))?;
        steps.find(|step| step.source != request.source).map(|step| step.number)
    })
}

pub(super) fn masked(view: &ViewState) -> String {
    let show = view.keys.name(KeyCommand::Secrets).unwrap_or("--show-secrets");
    format!("this is masked; {show} shows secrets")
}

/// Whether the message was sent by the one who asks.
fn is_request(header: &MessageHeader, session: &Session) -> bool {
    exchange_of(session, header).is_some_and(|exchange| exchange.requester == header.source)
}

impl Messages {
    pub(super) fn enter_item(&mut self, view: &ViewState) {
        let focus = self.focus;
        let has_fields = view.format.message != MessageView::Bytes;
        let Some(open) = &mut self.open else {
            return;
        };
        let to = match focus {
            Pane::List if has_fields => Pane::Fields,
            Pane::List => Pane::Bytes,
            _ if open.is_on_coded(focus) => Pane::Coded,
            Pane::Fields => match open.fold(open.line) {
                Some(closed) => return open.set_closed(open.line, !closed),
                None => Pane::of_layer(open.layer),
            },
            Pane::Bytes | Pane::Coded if has_fields => Pane::Fields,
            Pane::Bytes | Pane::Coded => return,
        };
        self.set_focus(to);
    }

    /// Closes what is open; false if nothing is.
    pub(super) fn close(&mut self) -> bool {
        if self.zoom {
            self.zoom = false;
        } else if self.focus != Pane::List {
            self.set_focus(Pane::List);
        } else {
            self.related = RelatedMessages::default();
            return false;
        }
        true
    }

    pub(super) fn focus_next(&mut self, step: Step, view: &ViewState) {
        let has_coded = self.open.as_ref().is_some_and(OpenMessage::has_coded);
        let is_there = |pane: &Pane| match pane {
            Pane::List | Pane::Bytes => true,
            Pane::Fields => view.format.message != MessageView::Bytes,
            Pane::Coded => has_coded,
        };
        let panes: Vec<Pane> = Pane::ALL.into_iter().filter(is_there).collect();
        let now = panes.iter().position(|pane| *pane == self.focus).unwrap_or(0);
        let next = panes.get(step.around(now, 0, panes.len()));
        self.set_focus(next.copied().unwrap_or_default());
    }

    /// Shows the selected message in another way.
    pub(super) fn show_next_view(&mut self, cx: &mut ScreenContext<'_>) {
        let next = cx.view.format.message.next();
        cx.view.format.message = next;
        if next == MessageView::Bytes && self.focus == Pane::Fields {
            self.set_focus(Pane::Bytes);
        }
        if let Some(open) = &mut self.open {
            // Rows and lines are counted in different ways.
            open.top = 0;
        }
        cx.hint(match next {
            MessageView::Annotated => "annotated bytes",
            MessageView::Tree => "the tree of fields beside the bytes",
            MessageView::Bytes => "bytes alone",
        });
    }

    /// Focuses a pane; its cursor is then within its contents.
    pub(super) fn set_focus(&mut self, pane: Pane) {
        let Some(open) = &mut self.open else {
            self.focus = Pane::List;
            return;
        };
        self.focus = pane;
        if matches!(pane, Pane::Bytes | Pane::Coded) && open.layer != open.layer_in(pane) {
            let coded = |cell: &HexCell| cell.kind == Kind::Coded;
            let byte = open.cells(pane.layer()).iter().position(coded).unwrap_or(0);
            open.go_to_byte(pane.layer(), byte);
        }
    }

    pub(super) fn toggle_follow(&mut self, cx: &mut ScreenContext<'_>) {
        let is_done = cx.view.known.is_done;
        let follows = !self.follow && !is_done;
        self.follow = follows;
        if follows {
            self.select(usize::MAX, cx);
        } else if is_done {
            cx.hint("everything has been read");
        }
    }

    pub(super) fn toggle_separators(&mut self, cx: &mut ScreenContext<'_>) {
        let (separators, now) = match cx.view.format.separators {
            Separators::Hidden => (Separators::Shown, "shown"),
            Separators::Shown => (Separators::Hidden, "hidden"),
        };
        cx.view.format.separators = separators;
        if let Some(open) = &mut self.open {
            open.build_tree(separators);
        }
        cx.hint(format!("separators {now}"));
    }

    pub(super) fn go_to_request(&mut self, cx: &mut ScreenContext<'_>) {
        let Some(header) = self.open.as_ref().map(|open| open.header) else {
            return;
        };
        let number = match (header.answers, answer_to(&header, cx.session)) {
            (Some(request), _) => request,
            (None, Some(answer)) => {
                cx.hint(format!("the answer to #{}", header.number));
                answer
            }
            (None, None) => {
                return cx.hint(if is_request(&header, cx.session) {
                    "this message is the request; no answer was captured"
                } else {
                    "no request was captured for this message"
                });
            }
        };
        let Some(message) = cx.session.find(number) else {
            return cx.hint(format!("message #{number} is no longer kept"));
        };
        match self.list(cx.view).row_of(message) {
            Some(row) => {
                self.anchor = None;
                self.select(row, cx);
            }
            None => cx.hint(format!("the filter hides message #{number}")),
        }
    }

    /// The messages of the exchange of the open message.
    pub(super) fn related_messages(&self, cx: &mut ScreenContext<'_>) -> Option<RelatedMessages> {
        let open = self.open.as_ref()?;
        if cx.session.index().is_none() {
            cx.hint_no_index();
            return None;
        }
        if let Some(exchange) = exchange_of(cx.session, &open.header) {
            let selected = Some(open.header.number);
            return Some(RelatedMessages { selected, ..RelatedMessages::of_exchange(&exchange) });
        }
        let index = cx.view.known.index;
        if !index.is_final && index.reach.is_some_and(|reach| reach <= open.index) {
            cx.hint_no_index();
        } else {
            cx.hint("this message belongs to no exchange");
        }
        None
    }

    /// To the next message of the row that led here, or the previous one; without one, of the
    /// exchange of this message.
    pub(super) fn step_related(&mut self, step: Step, cx: &mut ScreenContext<'_>) {
        let Some(number) = self.open.as_ref().map(|open| open.header.number) else {
            return;
        };
        if !self.related.has(number) {
            let Some(related) = self.related_messages(cx) else {
                return;
            };
            self.related = related;
        }
        let numbers = &self.related.numbers;
        let here = numbers.partition_point(|related| *related < number);
        let next = match step {
            Step::Forward => numbers.get(here..).and_then(|n| n.iter().find(|n| **n > number)),
            Step::Back => here.checked_sub(1).and_then(|before| numbers.get(before)),
        };
        if let Some(message) = next.and_then(|number| cx.session.find(*number)) {
            return self.go_to_message(message, cx);
        }
        let end = if step == Step::Forward { "last" } else { "first" };
        cx.hint(format!("the {end} message of {}", self.related.of));
    }

    /// Selects a message in the list. If the filter hides it, the nearest one before it.
    pub(super) fn go_to_message(&mut self, message: usize, cx: &mut ScreenContext<'_>) {
        self.follow = false;
        let list = self.list(cx.view);
        let row = list.row_of(message);
        let near = row.unwrap_or_else(|| list.row_near(message));
        let is_tested = cx.view.filter.as_ref().is_none_or(|active| active.tested > message);
        self.anchor = Some(message).filter(|_| !is_tested);
        if row.is_none() && is_tested && cx.view.filter.is_some() {
            let remove = cx.view.keys.name(KeyCommand::RemoveFilter).unwrap_or_default().to_owned();
            cx.hint(format!("the filter hides this message; {remove} removes the filter"));
        }
        self.select(near, cx);
    }

    pub(super) fn copy(&self, cx: &mut ScreenContext<'_>) {
        let Some(open) = &self.open else {
            return;
        };
        let digits = open.marked(self.focus).map(|marked| open.hex(&marked)).unwrap_or_default();
        let value = open.lines.get(open.line).map(|line| line.value.clone());
        let text = match self.focus {
            Pane::List => self.row_text().unwrap_or_default(),
            Pane::Fields => value.filter(|value| !value.is_empty()).unwrap_or(digits),
            _ => digits,
        };
        if text == MASK || self.focus != Pane::List && text.contains("**") {
            return cx.hint(masked(cx.view));
        }
        if text.is_empty() {
            return cx.hint("nothing to copy");
        }
        cx.hint(format!("copied {}", counted(text.chars().count() as u64, "character")));
        cx.copy(text);
    }

    /// The selected field or bytes, or the whole message from the list, in every form.
    pub(super) fn copy_texts(&self, view: &ViewState) -> Result<(String, CopyTexts), String> {
        let Some(open) = &self.open else {
            return Err("no message is open".to_owned());
        };
        let marked = open.marked(self.focus).filter(|_| self.focus != Pane::List);
        let layer = marked.as_ref().map_or(0, |marked| marked.layer);
        let all = open.cells(layer);
        let cells =
            marked.as_ref().map_or(all, |marked| all.get(marked.bytes.clone()).unwrap_or_default());
        let bytes: Option<Vec<u8>> = cells.iter().map(|cell| cell.byte()).collect();
        let bytes = bytes.ok_or_else(|| masked(view))?;
        let to = open.header.destination;
        let mut texts: CopyTexts = ['h', 'c', 'r', 'p', 's']
            .into_iter()
            .zip(ByteForm::ALL)
            .map(|(key, form)| (key, form.name(), form.write(&bytes, to)))
            .collect();
        if marked.is_none() {
            texts.push(('a', "annotated text", open.annotated_text()));
            texts.extend(self.row_text().map(|row| ('l', "line of the list", row)));
        }
        let term = match self.focus {
            Pane::List => {
                let entry = open.header.entry;
                Some(format!("{}.{}", entry.protocol.id, entry.spec.id))
            }
            pane => open.term(pane),
        };
        texts.extend(term.map(|term| ('f', "display filter", term)));
        let what = match &marked {
            Some(_) => counted(bytes.len() as u64, "byte"),
            None => format!("message #{}", open.header.number),
        };
        Ok((what, texts))
    }

    /// The open message as a datagram, as it was edited; only of a whole message, with its secrets.
    pub(super) fn single_packet(&self, view: &ViewState) -> Option<SinglePacket> {
        let open = self.open.as_ref().filter(|_| self.focus == Pane::List)?;
        let header = &open.header;
        let own = view.notes.comments.get(&header.number).cloned();
        Some(SinglePacket {
            number: header.number,
            time: header.time,
            source: header.source,
            destination: header.destination,
            payload: open.payload().to_vec(),
            comment: own.or_else(|| open.comment.clone()).unwrap_or_default(),
        })
    }

    /// The row under the cursor as text.
    fn row_text(&self) -> Option<String> {
        let row = self.rows.get(self.scroll.cursor.checked_sub(self.requested.start)?)?;
        let MessageRow { header, summary, .. } = row;
        let (game, name) = (header.verdict.game.id, header.name);
        let time = text::utc(header.time);
        let (from, to) = (header.source, header.destination);
        Some(format!("#{} {time} {from} {to} {game} {name} {summary}", header.number))
    }
}
