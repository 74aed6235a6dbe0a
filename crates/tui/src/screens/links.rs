//! What a row is, and where it leads: to its flow, exchange, server, master and findings.

use std::net::SocketAddr;

use super::related::RelatedMessages;
use analysis::{ExchangeRecord, MessageHeader, Session};
use export::ladder::exchange_of;
use flow::{FlowId, Flows};
use protocol::Role;

/// Something to go to.
#[derive(Debug, Clone)]
pub enum LinkTarget {
    /// A row of the table of this name, by its index in the session.
    Row(&'static str, usize),
    /// These messages.
    Messages(RelatedMessages),
    /// The ladder of these messages.
    Ladder(RelatedMessages),
    /// The section of a message, by its id, in the page of a protocol.
    Page(&'static str, &'static str),
}

/// An entry of the menu of what a row leads to.
#[derive(Debug, Clone)]
pub struct Link {
    pub key: char,
    pub label: String,
    pub target: LinkTarget,
}

/// What a row is, and what it belongs to.
#[derive(Debug, Clone, Default)]
pub struct RowOrigin {
    /// In words: `message #12`.
    pub title: String,
    /// The session index of its message.
    pub message: Option<usize>,
    /// Its flows, the most important one first.
    pub flows: Vec<FlowId>,
    /// Indices in the analysis index.
    pub exchanges: Vec<usize>,
    pub findings: Vec<usize>,
    pub servers: Vec<SocketAddr>,
    pub masters: Vec<SocketAddr>,
    /// The bytes of an edited copy of its message.
    pub edited: Option<Vec<u8>>,
    /// The server or the master that it is.
    pub host: Option<(Role, SocketAddr)>,
    /// The display filter that selects its messages.
    pub term: Option<String>,
}

/// How many rows of another table are offered.
const MOST: usize = 8;

impl RowOrigin {
    /// A message.
    pub fn of_message(index: usize, header: &MessageHeader, session: &Session) -> Self {
        let at = session.index().and_then(|found| {
            let own = found.exchange_of(header.number);
            own.or_else(|| found.exchange_of(header.answers?))
        });
        let exchange = exchange_of(session, header);
        let ends =
            [(header.direction.from, header.source), (header.direction.to, header.destination)];
        let in_role = |role| ends.into_iter().filter(move |(of, _)| *of == Some(role));
        let mut servers: Vec<_> = in_role(Role::Server).map(|(_, end)| end).collect();
        servers.extend(exchange.as_ref().and_then(|exchange| exchange.server));
        servers.dedup();
        let mut masters: Vec<_> = in_role(Role::Master).map(|(_, end)| end).collect();
        masters.extend(exchange.as_ref().and_then(analysis::Exchange::master));
        masters.dedup();
        let findings = session.index().map(|index| index.findings_of(header.number).collect());
        Self {
            title: format!("message #{}", header.number),
            message: Some(index),
            flows: vec![header.flow],
            exchanges: at.into_iter().collect(),
            findings: findings.unwrap_or_default(),
            servers,
            masters,
            edited: None,
            host: None,
            term: Some(format!("{}.{}", header.entry.protocol.id, header.entry.spec.id)),
        }
    }

    /// The same with the edits of its message, the last one last.
    #[must_use]
    pub fn with_edits(self, edits: Option<&Vec<Vec<u8>>>) -> Self {
        Self { edited: edits.and_then(|edits| edits.last().cloned()), ..self }
    }

    /// Its first flow.
    pub fn flow(&self) -> Option<FlowId> {
        self.known_flows().next()
    }

    /// The flows that have a number.
    fn known_flows(&self) -> impl Iterator<Item = FlowId> {
        self.flows.iter().copied().filter(|flow| flow.0 > 0)
    }

    /// The display filter that selects its flows; of many flows, its messages.
    pub fn flow_term(&self) -> Option<String> {
        let terms: Vec<_> = self.known_flows().map(|flow| format!("flow == {}", flow.0)).collect();
        match terms.len() {
            0 => None,
            1..=MOST => Some(terms.join(" or ")),
            _ => self.term.clone(),
        }
    }

    /// Adds the flows in which an endpoint takes part, and the exchanges that `are_its`.
    #[must_use]
    pub fn with_all_of(
        mut self,
        end: SocketAddr,
        are_its: impl Fn(&ExchangeRecord) -> bool,
        session: &Session,
    ) -> Self {
        let flows = session.flows();
        let has_end = |id: &FlowId| flows.ends(*id).is_some_and(|(_, ends)| ends.contains(&end));
        self.flows.extend(flows.iter().map(|(id, _)| id).filter(has_end));
        let exchanges = session.index().map(|index| index.exchanges()).unwrap_or_default();
        let its = exchanges.iter().enumerate().filter(|(_, exchange)| are_its(exchange));
        self.exchanges.extend(its.map(|(at, _)| at));
        self
    }

    /// Adds the endpoints of a flow by their roles.
    #[must_use]
    pub fn with_ends_of(mut self, flow: FlowId, flows: &Flows) -> Self {
        let game = flows.verdict(flow).map(|verdict| verdict.game);
        for end in flows.endpoints(flow).into_iter().flatten() {
            match game.and_then(|game| end.role(game)) {
                Some(Role::Server) => self.servers.push(end.address),
                Some(Role::Master) => self.masters.push(end.address),
                Some(Role::Client) | None => {}
            }
        }
        self
    }

    /// Where it leads. `own` is the name of its screen, which it does not lead to.
    pub fn links(
        &self,
        own: &str,
        related: Option<&RelatedMessages>,
        session: &Session,
    ) -> Vec<Link> {
        let mut links = Vec::new();
        let mut add = |key, label: String, target| links.push(Link { key, label, target });
        if let Some(related) = related.filter(|related| !related.numbers.is_empty()) {
            if own != "messages" {
                let count = related.numbers.len() as u64;
                add('m', text::counted(count, "message"), LinkTarget::Messages(related.clone()));
            }
            add('l', "sequence diagram".to_owned(), LinkTarget::Ladder(related.clone()));
        }
        for flow in self.known_flows().filter(|_| own != "flows").take(MOST) {
            let row = flow.0 as usize - 1;
            add('f', format!("flow {}", flow.0), LinkTarget::Row("flows", row));
        }
        let Some(index) = session.index() else {
            return links;
        };
        for at in self.exchanges.iter().filter(|_| own != "exchanges").take(MOST) {
            if let Some(exchange) = session.exchange(*at) {
                let label =
                    format!("{} #{} ({})", exchange.kind, exchange.number(), exchange.state);
                add('e', label, LinkTarget::Row("exchanges", *at));
            }
        }
        for server in self.servers.iter().filter(|_| own != "servers").take(MOST) {
            if let Some(at) = index.server_at(*server) {
                add('s', format!("server {server}"), LinkTarget::Row("servers", at));
            }
        }
        for master in self.masters.iter().filter(|_| own != "masters").take(MOST) {
            if let Some(at) = index.master_at(*master) {
                add('a', format!("master {master}"), LinkTarget::Row("masters", at));
            }
        }
        for at in self.findings.iter().filter(|_| own != "findings").take(MOST) {
            if let Some(finding) = index.findings().get(*at) {
                let label = format!("{} {}: {finding}", finding.rule.severity, finding.rule.id);
                add('i', label, LinkTarget::Row("findings", *at));
            }
        }
        if let Some(header) = self.message.and_then(|message| session.header(message)) {
            let (protocol, id) = (header.entry.protocol.id, header.entry.spec.id);
            add('c', format!("specification of {}", header.name), LinkTarget::Page(protocol, id));
        }
        links
    }
}
