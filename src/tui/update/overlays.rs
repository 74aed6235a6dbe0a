//! Texts over the screen: help, warnings, the specification of a message, and why its flow was
//! assigned to a game.

use super::Update;
use crate::flow::{FlowId, Flows};
use crate::text::{escaped, width};
use crate::tui::action::KeyCommand;
use crate::tui::keys;
use crate::tui::overlay::{Overlay, OverlayLine, plain};
use crate::tui::text::counted;
use crate::tui::widgets::style;

const HELP: &str = "keys";
const WARNINGS: &str = "warnings";

impl Update<'_> {
    /// Whether the overlay handles the command.
    pub(super) fn in_overlay(&mut self, command: KeyCommand) -> bool {
        let Some(overlay) = &mut self.model.overlay else {
            return false;
        };
        match command {
            KeyCommand::Move(motion) => overlay.go(motion),
            KeyCommand::Redraw => return false,
            // The key of another overlay opens that one.
            KeyCommand::Help if overlay.heading() != HELP => self.show_help(),
            KeyCommand::Warnings if overlay.heading() != WARNINGS => self.show_warnings(),
            _ => self.model.overlay = None,
        }
        true
    }

    pub(super) fn show_help(&mut self) {
        let all: Vec<_> = keys::help().collect();
        let widest = all.iter().map(|(keys, _)| width(keys)).max().unwrap_or(0);
        let line = |(keys, does): (String, &str)| {
            let blanks = " ".repeat(widest - width(&keys) + 2);
            (keys, style::KEY, blanks + does)
        };
        self.open_overlay(HELP.to_owned(), all.into_iter().map(line).collect());
    }

    pub(super) fn show_warnings(&mut self) {
        let warnings = &self.model.view.known.warnings;
        let mut lines: Vec<_> = warnings.iter().map(|line| plain(line)).collect();
        if lines.is_empty() {
            lines.push((String::new(), style::DIM, "none".to_owned()));
        }
        self.open_overlay(WARNINGS.to_owned(), lines);
    }

    /// Opens the page of the message's protocol at the section of the message.
    pub(super) fn show_specification(&mut self, message: usize) {
        let Some(header) = self.session.header(message) else {
            return;
        };
        let (protocol, id) = (header.entry.protocol.id, header.entry.spec.id);
        match Overlay::specification(protocol, id, self.model.view.size) {
            Some(overlay) => self.model.overlay = Some(overlay),
            None => self.hint(format!("there is no specification of {protocol}")),
        }
    }

    /// Shows why the message's flow was assigned to its game.
    pub(super) fn show_reasons(&mut self, message: usize) {
        let Some(header) = self.session.header(message) else {
            return;
        };
        match reasons(self.session.flows(), header.flow) {
            Some(lines) => {
                let heading = format!("flow {}: {}", header.flow.0, header.verdict.game.title);
                self.open_overlay(heading, lines);
            }
            None => self.hint("this flow is no longer kept"),
        }
    }

    fn open_overlay(&mut self, heading: String, lines: Vec<OverlayLine>) {
        self.model.overlay = Some(Overlay::new(heading, lines, self.model.view.size));
    }
}

fn reasons(flows: &Flows, id: FlowId) -> Option<Vec<OverlayLine>> {
    let head = |text: String| (text, style::BOLD, String::new());
    let item = |text: String| ("  ".to_owned(), style::PLAIN, text);
    let (flow, judged) = (flows.flow(id)?, flows.judge(id)?);
    let game = judged.verdict.game;
    let mut lines = vec![head(format!("{} ({})", game.id, judged.verdict.confidence))];
    lines.extend(judged.reasons.iter().map(|reason| item(format!("because {}", escaped(reason)))));
    lines.push(head(String::new()));
    let (transport, _) = flows.ends(id)?;
    for (end, traffic) in flows.endpoints(id)?.into_iter().zip(&flow.traffic) {
        let (packets, bytes) = (counted(traffic.packets, "packet"), counted(traffic.bytes, "byte"));
        let role = match end.role(game) {
            Some(role) if end.is_proven(role) => format!("{role}, by its messages"),
            Some(role) => format!("{role}, by its port"),
            None => "role unknown".to_owned(),
        };
        lines.push(head(format!("{} {transport}: {role}", end.address)));
        lines.push(item(format!("sent {packets}, {bytes}")));
    }
    lines.push(head(String::new()));
    lines.extend(flow.messages().map(|(_, name, n)| head(format!("{name} ×{n}"))));
    lines.extend(flow.errors().iter().map(|error| {
        head(format!("#{}: {}, from {}", error.number, escaped(&error.what), error.from))
    }));
    Some(lines)
}
