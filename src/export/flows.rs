//! The row of a flow.

use std::collections::HashMap;
use std::net::SocketAddr;

use super::json;
use super::redact::Redactor;
use super::row::row;
use crate::analysis::MessageHeader;
use crate::flow::{FlowId, Flows, Judgement, Traffic, Verdict};
use crate::net::Transport;
use crate::protocol::Role;

row! {
    /// A flow between two endpoints, and its classification at the end of the capture.
    FlowRow {
        flow: Number in "", "the conversation's number, from 1, in the order of the first packets";
        transport: Word in "", "`udp` or `tcp`";
        source: Address in "", "the address of whoever sent the first packet";
        source_port: Number in "", "the port of that end";
        source_role: Word in "", "`client`, `server`, `master`, or empty where nothing tells";
        destination: Address in "", "the address of the other end";
        destination_port: Number in "", "the port of that end";
        destination_role: Word in "", "the same as `source_role`, of the other end";
        game: Word in "", "the game that is spoken; empty where no message was recognised and no end is a known server";
        protocol: Text in "", "the protocol that most of its messages are of; empty where there are none";
        certainty: Text in "", "how sure the game is: `guess`, `by port`, `by form`, `by protocol number`, `likely`, `certain` or `told`";
        reasons: Json in "", "what speaks for the game, an array of texts; empty where names are replaced";
        first: Time in "UTC", "when its first packet was captured";
        last: Time in "UTC", "when its last packet was captured";
        lasted: Duration in "nanoseconds", "from the first packet to the last";
        both_ways: Flag in "", "whether packets went both ways";
        packets: Number in "", "UDP datagrams or TCP segments from `source` to `destination`";
        bytes: Number in "bytes", "their payload";
        packets_back: Number in "", "datagrams or segments the other way";
        bytes_back: Number in "bytes", "their payload";
        messages: Number in "", "recognised messages, both ways";
        in_game: Number in "", "datagrams of the running game, which are not decoded";
        icmp_errors: Number in "", "ICMP errors about its packets, of which sixteen are counted";
    }
}

/// Builds the rows of flows, with reused buffers.
#[derive(Default)]
pub struct FlowRows {
    /// For input that is read once: the classification of each flow's last message.
    last: HashMap<FlowId, (Verdict, &'static str)>,
    certainty: String,
    roles: [String; 2],
    reasons: String,
}

impl FlowRows {
    /// Stores the classification of a message, for input that is read once. Rows of its flow show
    /// the same, because later data no longer changes any message.
    pub fn note(&mut self, header: &MessageHeader) {
        self.last.insert(header.flow, (header.verdict, header.entry.protocol.id));
    }

    /// The row of a flow; `None` if there is no such flow.
    pub fn row(
        &mut self,
        flows: &Flows,
        id: FlowId,
        redactor: Option<&mut Redactor>,
    ) -> Option<FlowRow<'_>> {
        let flow = flows.flow(id)?;
        let (transport, [source, destination]): (_, [SocketAddr; 2]) = flows.ends(id)?;
        let is_redacted = redactor.is_some();
        let [source, destination] = match redactor {
            Some(redactor) => [source, destination].map(|end| redactor.endpoint(end)),
            None => [source, destination],
        };
        let judged = flows.judge(id);
        let in_game = flows.in_game_of(id);
        let known = judged.as_ref().map(|j| (j.verdict, j.protocol));
        let said = self.last.get(&id).copied().or(known);
        let protocol = said.map_or("", |(_, protocol)| protocol);
        let verdict = said.map(|(verdict, _)| verdict).or(in_game);
        let party = |party: Option<Role>| party.map(|p| p.to_string()).unwrap_or_default();
        let ends = flows.endpoints(id)?;
        self.roles = ends.map(|end| party(verdict.and_then(|v| end.party(v.game))));
        self.certainty = verdict.map(|v| v.sure.to_string()).unwrap_or_default();
        // Reasons name endpoints and quote payloads.
        let told = judged.iter().filter(|_| !is_redacted);
        let later = judged.as_ref().filter(|j| verdict.is_some_and(|v| v.game != j.verdict.game));
        let later = later.map(|Judgement { verdict: Verdict { game, sure }, .. }| {
            format!("read once: with what came later it would be {} ({sure})", game.id)
        });
        let later = later.filter(|_| !is_redacted);
        self.reasons = json::array(later.iter().chain(told.flat_map(|j| &j.reasons)));
        let [there, back]: [Traffic; 2] = flow.traffic;
        let [source_role, destination_role] = &self.roles;
        Some(FlowRow {
            flow: id.0.into(),
            transport: match transport {
                Transport::Udp => "udp",
                Transport::Tcp => "tcp",
            },
            source: source.ip(),
            source_port: source.port().into(),
            source_role,
            destination: destination.ip(),
            destination_port: destination.port().into(),
            destination_role,
            game: verdict.map_or("", |v| v.game.id),
            protocol,
            certainty: &self.certainty,
            reasons: self.reasons.as_str().into(),
            first: flow.first,
            last: flow.last,
            lasted: flow.last.saturating_sub(flow.first),
            both_ways: there.packets > 0 && back.packets > 0,
            packets: there.packets,
            bytes: there.bytes,
            packets_back: back.packets,
            bytes_back: back.bytes,
            messages: flow.messages().map(|(.., n)| n).sum(),
            in_game: if in_game.is_some() { flow.others } else { 0 },
            icmp_errors: flow.errors().len() as u64,
        })
    }
}
