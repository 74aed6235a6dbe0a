//! Passes messages to the analyzer as the pipeline does.

use std::net::SocketAddr;

use super::Said;
use crate::analysis::analyzer::Analyzer;
use crate::analysis::exchange::Exchange;
use crate::analysis::message::{CapturedMessage, MessageHeader};
use crate::flow::{Flows, PacketMeta, Transport};

/// The exchanges of a sequence, in two passes as the pipeline makes them.
pub(super) fn exchanges(story: &[Said<'_>]) -> Vec<Exchange> {
    kept(story).1
}

/// The analyzer at the end, and every exchange.
pub(super) fn kept(story: &[Said<'_>]) -> (Analyzer, Vec<Exchange>) {
    let (mut flows, mut analyzer) = (Flows::new(Vec::new()), Analyzer::new());
    let mut over = Vec::new();
    for (number, (at, from, to, payload)) in (1..).zip(story) {
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (time, transport) = (at * 1_000_000, Transport::Udp);
        flows.observe(
            PacketMeta { number, time, transport, source, destination, cut: false },
            payload,
        );
    }
    flows.rewind();
    for (number, (at, from, to, payload)) in (1..).zip(story) {
        let [source, destination] = [from, to].map(|end| end.parse::<SocketAddr>().unwrap());
        let (time, transport) = (at * 1_000_000, Transport::Udp);
        let heard = flows.reclassify(
            PacketMeta { number, time, transport, source, destination, cut: false },
            payload,
        );
        let named = heard.message.unwrap();
        let (verdict, way) = flows.place_message(heard, named.entry).unwrap();
        let header = MessageHeader {
            forward: heard.forward,
            place: None,
            number,
            time,
            source,
            destination,
            transport,
            flow: heard.flow,
            connection: None,
            verdict,
            entry: named.entry,
            name: named.name,
            direction: way,
            length: payload.len() as u32,
            missing: 0,
            fragments: 0,
            overlap: false,
            answers: named.answers,
            part: named.part,
            validation: named.validation,
        };
        analyzer.take(&CapturedMessage { header, payload }, &flows, |exchange| over.push(exchange));
    }
    analyzer.finish(&flows, |exchange| over.push(exchange));
    (analyzer, over)
}
