//! Texts over the screen: help, warnings, the comparison of two messages, and why a flow was
//! assigned to a game.

use super::Update;
use crate::action::{Effect, KeyCommand};
use crate::keys::{KeyBinding, MOUSE};
use crate::overlay::{Overlay, OverlayLead, OverlayLine, plain};
use crate::screens::links::LinkTarget;
use crate::text::counted;
use crate::widgets::style;
use flow::{FlowId, Flows};
use render::packet_lines;
use text::{escaped, width};

const HELP: &str = "keys";
/// So many ICMP errors of a flow are shown with their bytes.
const ERRORS: usize = 16;
const WARNINGS: &str = "warnings";

impl Update<'_> {
    /// Whether the overlay handles the command.
    pub(super) fn in_overlay(&mut self, command: KeyCommand) -> bool {
        let Some(overlay) = &mut self.model.overlay else {
            return false;
        };
        match command {
            KeyCommand::Move(motion) => overlay.go(motion),
            KeyCommand::Enter => {
                if let Some(overlay) = self.model.overlay.take() {
                    self.enter_overlay(overlay.into_lead());
                }
            }
            KeyCommand::Redraw | KeyCommand::Suspend | KeyCommand::Theme => return false,
            KeyCommand::Search => self.begin_search(),
            KeyCommand::SearchAgain(step) => {
                let query = self.model.view.search.clone();
                if !overlay.search(&query, Some(step)) {
                    self.hint(format!("not found: {}", query.text()));
                }
            }
            // The key of another overlay opens that one.
            KeyCommand::Help if overlay.heading() != HELP => self.show_help(),
            KeyCommand::Warnings if overlay.heading() != WARNINGS => self.show_warnings(),
            _ => self.model.overlay = None,
        }
        true
    }

    /// What Enter does in an overlay besides closing it.
    fn enter_overlay(&mut self, lead: OverlayLead) {
        match lead {
            OverlayLead::Nothing => {}
            OverlayLead::Question(question) => self.effect(Effect::Ask(question)),
            OverlayLead::Exchange => self.show_exchange(),
        }
    }

    pub(super) fn show_help(&mut self) {
        let keys = &self.model.view.keys;
        let widest = keys.bindings().map(|(_, names)| width(&names.join(" "))).max().unwrap_or(0);
        let line = |keys: String, does: &str| {
            let blanks = " ".repeat(widest.saturating_sub(width(&keys)) + 2);
            (format!("  {keys}"), style::KEY, blanks + does)
        };
        let mut sections: Vec<Vec<OverlayLine>> = Vec::new();
        let mut group = None;
        let title = |text: &str| vec![(text.to_owned(), style::BOLD, String::new())];
        for (KeyBinding { group: of, help, .. }, names) in keys.bindings() {
            if group.replace(*of) != Some(*of) {
                sections.push(title(of.name()));
            }
            if let Some(section) = sections.last_mut() {
                section.push(line(names.join(" "), help));
            }
        }
        let mut mouse = title("mouse");
        mouse.extend(MOUSE.iter().map(|(what, does)| line((*what).to_owned(), does)));
        sections.push(mouse);
        let size = self.model.view.size;
        self.model.overlay = Some(Overlay::sections(HELP.to_owned(), sections, size));
    }

    pub(super) fn show_warnings(&mut self) {
        let warnings = self.model.view.warnings();
        let mut lines: Vec<_> = warnings.map(|line| plain(line)).collect();
        if lines.is_empty() {
            lines.push((String::new(), style::DIM, "none".to_owned()));
        }
        self.open_overlay(WARNINGS.to_owned(), lines);
    }

    /// Goes to the section of the message in the page of its protocol.
    pub(super) fn show_specification(&mut self) {
        let origin = self.on_shown(|screen, cx| screen.origin(cx));
        let header = origin.and_then(|origin| self.session.header(origin.message?));
        let Some(header) = header else {
            return self.hint("no message is selected");
        };
        self.visit(LinkTarget::Page(header.entry.protocol.id, header.entry.spec.id));
    }

    /// Shows why the flow was assigned to its game.
    pub(super) fn show_reasons(&mut self) {
        let origin = self.on_shown(|screen, cx| screen.origin(cx));
        let Some(flow) = origin.and_then(|origin| origin.flow()) else {
            return self.hint("no flow is selected");
        };
        match reasons(self.session.flows(), flow) {
            Some((title, lines)) => {
                self.open_overlay(format!("flow {}: {title}", flow.0), lines);
            }
            None => self.hint("this flow has no known message"),
        }
    }

    pub(super) fn open_overlay(&mut self, heading: String, lines: Vec<OverlayLine>) {
        self.model.overlay = Some(Overlay::new(heading, lines, self.model.view.size));
    }
}

fn reasons(flows: &Flows, id: FlowId) -> Option<(&'static str, Vec<OverlayLine>)> {
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
    // The same as packets.
    for error in flow.errors().iter().take(ERRORS) {
        let (link, frame) = &error.frame;
        lines.push(head(String::new()));
        lines.push(head(format!("packet #{}", error.number)));
        lines.extend(packet_lines(*link, frame).into_iter().map(item));
    }
    Some((game.title, lines))
}
