//! Passes messages to the analyzer as the pipeline does.

use std::net::SocketAddr;

use super::Message;
use crate::analyzer::{AnalysisNeeds, Analyzer};
use crate::exchange::Exchange;
use crate::message::{CapturedMessage, MessageHeader};
use flow::{Flows, PacketMeta, Transport};

/// The exchanges of a sequence, in two passes as the pipeline makes them.
pub(super) fn exchanges(messages: &[Message<'_>]) -> Vec<Exchange> {
    analysed(messages).1
}

/// The analyzer at the end, and every exchange.
pub(super) fn analysed(messages: &[Message<'_>]) -> (Analyzer, Vec<Exchange>) {
    let (mut flows, mut analyzer) =
        (Flows::new(Vec::new()), Analyzer::new(AnalysisNeeds::Findings));
    let mut ended = Vec::new();
    for (number, (at, from, to, payload)) in (1..).zip(messages) {
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (time, transport) = (at * 1_000_000, Transport::Udp);
        flows.observe(
            PacketMeta { number, time, transport, source, destination, cut: false, input: 0 },
            payload,
        );
    }
    flows.rewind();
    for (number, (at, from, to, payload)) in (1..).zip(messages) {
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (time, transport) = (at * 1_000_000, Transport::Udp);
        let classified = flows.reclassify(
            PacketMeta { number, time, transport, source, destination, cut: false, input: 0 },
            payload,
        );
        let recognised = classified.message.unwrap();
        let (verdict, direction) = flows.resolve(classified, recognised.entry).unwrap();
        let header = MessageHeader {
            forward: classified.forward,
            byte_range: None,
            headers: None,
            number,
            input: 0,
            time,
            source,
            destination,
            transport,
            flow: classified.flow,
            connection: None,
            verdict,
            entry: recognised.entry,
            name: recognised.name,
            direction,
            length: payload.len() as u32,
            missing: 0,
            fragments: 0,
            overlap: false,
            answers: recognised.answers,
            part: recognised.part,
            validation: recognised.validation,
        };
        analyzer.analyze(&CapturedMessage { header, payload }, &flows);
        ended.extend(analyzer.ended().cloned());
    }
    analyzer.finish(&flows, |exchange| ended.push(exchange.clone()));
    (analyzer, ended)
}
