//! The row of a flow.

use std::collections::HashMap;
use std::net::SocketAddr;

use super::redact::Redactor;
use super::row::row;
use super::row_ids::{RowIds, RowSubject};
use analysis::{InputSet, MessageHeader};
use flow::{Endpoint, FlowId, Flows, Judgement, Traffic, Verdict};
use protocol::Role;

row! {
    /// A flow between two endpoints, and its classification at the end of the capture.
    FlowRow {
        file;
        flow;
        flow_id;
        community_id;
        transport;
        source;
        source_port;
        source_role;
        destination;
        destination_port;
        destination_role;
        game;
        protocol: Text in "", "the protocol that most of its messages are of; empty where there are none";
        certainty;
        reasons: Texts in "", "what speaks for the game; empty where names are replaced";
        start_time;
        end_time;
        duration_ns: Duration or none in "nanoseconds", "from the first packet to the last";
        bidirectional: Flag in "", "whether packets went both ways";
        packets: Number in "", "UDP datagrams or TCP segments from `source` to `destination`";
        bytes;
        packets_back: Number in "", "datagrams or segments the other way";
        bytes_back;
        messages;
        in_game: Number in "", "datagrams of the running game, which are not decoded";
        icmp_errors: Number in "", "ICMP errors about its packets, of which sixteen are counted";
    }
}

/// Builds the rows of flows.
pub struct FlowRows {
    ids: RowIds,
    /// For input that is read once: the classification of each flow's last message, and how many
    /// there were. A message that a later one confirmed is none of them.
    noted: HashMap<FlowId, (Verdict, &'static str, u64)>,
}

impl FlowRows {
    /// Rows of flows of these inputs.
    pub fn new(inputs: InputSet) -> Self {
        Self { ids: RowIds::new(inputs), noted: HashMap::new() }
    }

    /// Stores the classification of a message, for input that is read once. Rows of its flow show
    /// the same, because later data no longer changes any message.
    pub fn note(&mut self, header: &MessageHeader) {
        let protocol = header.entry.protocol.id;
        let noted = self.noted.entry(header.flow).or_insert((header.verdict, protocol, 0));
        *noted = (header.verdict, protocol, noted.2 + 1);
    }

    /// The id of the game of a flow, as its row has it.
    pub(super) fn game(&self, flows: &Flows, id: FlowId) -> &'static str {
        let noted = self.noted.get(&id).map(|(verdict, ..)| *verdict);
        let known = noted.or_else(|| flows.verdict(id)).or_else(|| flows.in_game_of(id));
        known.map_or("", |verdict| verdict.game.id)
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
        let noted = self.noted.get(&id).copied();
        let classified = noted.map(|(verdict, protocol, _)| (verdict, protocol)).or(known);
        let protocol = classified.map_or("", |(_, protocol)| protocol);
        let verdict = classified.map(|(verdict, _)| verdict).or(in_game);
        let ends = flows.endpoints(id)?;
        let role = |end: &Endpoint| verdict.and_then(|v| end.role(v.game)).map_or("", Role::name);
        let [source_role, destination_role] = ends.map(role);
        // Reasons name endpoints and quote payloads.
        let reasons = judged.iter().filter(|_| !is_redacted);
        let later = judged.as_ref().filter(|j| verdict.is_some_and(|v| v.game != j.verdict.game));
        let later = later.map(|Judgement { verdict: Verdict { game, confidence }, .. }| {
            format!("read once: with what came later it would be {} ({confidence})", game.id)
        });
        let later = later.filter(|_| !is_redacted);
        let reasons = later.iter().chain(reasons.flat_map(|j| &j.reasons)).collect();
        let [there, back]: [Traffic; 2] = flow.traffic;
        let ids = self.ids.ids_of(RowSubject {
            input: flow.input,
            flow: id,
            ends: Some((transport, [source, destination])),
            exchange: None,
        });
        Some(FlowRow {
            file: ids.file.into(),
            flow: id.0.into(),
            flow_id: ids.flow_id,
            community_id: ids.community_id,
            transport: transport.name(),
            source: source.ip(),
            source_port: source.port(),
            source_role,
            destination: destination.ip(),
            destination_port: destination.port(),
            destination_role,
            game: verdict.map_or("", |v| v.game.id),
            protocol: protocol.into(),
            certainty: verdict.map_or("", |v| v.confidence.name()).into(),
            reasons,
            start_time: flow.first,
            end_time: flow.last,
            duration_ns: text::since(flow.first, flow.last),
            bidirectional: there.packets > 0 && back.packets > 0,
            packets: there.packets,
            bytes: there.bytes,
            packets_back: back.packets,
            bytes_back: back.bytes,
            messages: noted.map_or_else(|| flow.messages().map(|(.., n)| n).sum(), |n| n.2),
            in_game: in_game.map_or(0, |_| flows.unshown_of(id)),
            icmp_errors: flow.errors().len() as u64,
        })
    }
}
