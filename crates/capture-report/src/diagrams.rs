//! Sequence diagrams: of each server with its masters and clients, those with findings first.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::SocketAddr;

use maud::{Markup, PreEscaped, html};

use super::choice::Usefulness;
use super::counts::HOSTS;
use super::left_out::LeftOut;
use super::survey::{ReportMessage, Survey};
use analysis::MessageHeader;
use export::ladder::arrow;
use protocol::Role;
use render::ladder::Diagram;
use report::html::scrolled;
use text::{counted, grouped};

/// How many diagrams the page has, and how many messages each.
const DIAGRAMS: usize = 6;
const MESSAGES: usize = 40;
/// How many messages a diagram has before the first one with a finding.
const BEFORE: usize = 8;

/// The messages of a host.
struct HostMessages<'a> {
    host: SocketAddr,
    game: &'static str,
    best: Usefulness,
    messages: Vec<&'a ReportMessage>,
}

/// The diagrams of the messages of the page.
pub(super) fn diagrams(survey: &Survey, left_out: &mut LeftOut) -> Markup {
    let mut hosts = hosts(&survey.messages);
    hosts.sort_by_key(|of| (of.best, Reverse(of.messages.len())));
    // Those of messages that the page lacks too.
    let count = survey.hosts.max(hosts.len());
    let first = hosts.iter().take(DIAGRAMS);
    let omitted = count - first.len();
    if omitted > 0 {
        left_out.add_line(format!(
            "diagrams of {}{} servers or masters; drawn are those with findings, then those with failed \
             exchanges, then those with the most messages",
            if survey.hosts >= HOSTS { "at least " } else { "" },
            grouped(omitted as u64)
        ));
    }
    if survey.outcomes.left_out() > 0 {
        let many = counted(survey.outcomes.left_out(), "message");
        left_out.add_line(format!("in diagrams, whether {many} had an answer"));
    }
    html! { @for host in first { (host.figure(survey)) } }
}

/// The messages of each server; those without a server are those of their master.
fn hosts(messages: &[ReportMessage]) -> Vec<HostMessages<'_>> {
    let (mut hosts, mut indices) = (Vec::<HostMessages<'_>>::new(), HashMap::new());
    for message in messages {
        let host = host_of(&message.header);
        let at = *indices.entry(host).or_insert(hosts.len());
        if at == hosts.len() {
            let game = message.header.verdict.game.id;
            hosts.push(HostMessages { host, game, best: Usefulness::Other, messages: Vec::new() });
        }
        if let Some(of) = hosts.get_mut(at) {
            of.best = of.best.min(message.usefulness);
            of.messages.push(message);
        }
    }
    hosts
}

/// The server of a message; without one, its master.
pub(super) fn host_of(header: &MessageHeader) -> SocketAddr {
    let ends = [(header.direction.from, header.source), (header.direction.to, header.destination)];
    let with = |role| ends.into_iter().find(|(of, _)| *of == Some(role)).map(|(_, end)| end);
    with(Role::Server).or_else(|| with(Role::Master)).unwrap_or(header.destination)
}

impl HostMessages<'_> {
    fn figure(&self, survey: &Survey) -> Markup {
        let all = self.messages.len();
        let found = self.messages.iter().position(|of| of.usefulness == Usefulness::Finding);
        let from = found.unwrap_or(0).saturating_sub(BEFORE).min(all.saturating_sub(MESSAGES));
        let shown = self.messages.iter().skip(from).take(MESSAGES);
        let mut diagram = Diagram::default();
        for message in shown.clone() {
            let outcome = survey.outcomes.of_frame(message.header.number);
            let arrow = arrow(&message.header, &message.text, outcome);
            if diagram.takes(&arrow) {
                diagram.push(&arrow);
            }
        }
        let title = format!("{}, {}", self.host, self.game);
        let of = match shown.len() {
            few if few < all => format!("{few} of {}", counted(all as u64, "message")),
            _ => counted(all as u64, "message"),
        };
        html! {
            figure.diagram {
                figcaption { strong { (title) } ": " (of) }
                (scrolled(&format!("sequence diagram of {title}"),
                    &PreEscaped(diagram.draw_in_page(&title))))
            }
        }
    }
}
