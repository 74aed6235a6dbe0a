//! The columns by which rows of several runs, and of other programs, join.

use std::fmt::Write as _;
use std::net::SocketAddr;

use analysis::InputSet;
use flow::{FlowId, Transport};
use net::CommunityId;

/// How many Community IDs are kept at most, a power of two: those of the last flows, 1 MB.
const KEPT: usize = 1 << 15;
/// How long the part of an id is that the inputs give, with the dash.
const OF_INPUTS: usize = 17;

/// Writes the file and the ids of rows, with reused buffers.
pub(super) struct RowIds {
    inputs: InputSet,
    flow: String,
    exchange: String,
    communities: Vec<(FlowId, CommunityId)>,
    community: Option<CommunityId>,
}

/// The texts for one row.
#[derive(Clone, Copy, Default)]
pub(super) struct RowIdTexts<'a> {
    /// The path of the input.
    pub file: &'a str,
    pub community_id: Option<&'a str>,
    pub flow_id: &'a str,
    /// Empty without an exchange.
    pub exchange_id: &'a str,
}

/// What a row is about.
#[derive(Clone, Copy)]
pub(super) struct RowSubject {
    pub input: u16,
    pub flow: FlowId,
    /// The endpoints of the flow, as the row shows them; `None` if the row is not of one flow.
    pub ends: Option<(Transport, [SocketAddr; 2])>,
    /// The number of the exchange.
    pub exchange: Option<u64>,
}

impl RowIds {
    /// For rows of these inputs.
    pub fn new(inputs: InputSet) -> Self {
        let (flow, exchange) = (String::new(), String::new());
        Self { inputs, flow, exchange, communities: Vec::new(), community: None }
    }

    /// The texts for a row.
    pub fn ids_of(&mut self, row: RowSubject) -> RowIdTexts<'_> {
        self.community =
            row.ends.map(|(transport, ends)| self.community(row.flow, transport, ends));
        let Self { inputs, flow, exchange, community, .. } = self;
        number(flow, inputs, row.flow.0.into());
        match row.exchange {
            Some(of) => number(exchange, inputs, of),
            None => exchange.clear(),
        }
        RowIdTexts {
            file: inputs.file(row.input),
            community_id: community.as_ref().map(CommunityId::as_str),
            flow_id: flow,
            exchange_id: exchange,
        }
    }

    fn community(&mut self, flow: FlowId, over: Transport, [a, b]: [SocketAddr; 2]) -> CommunityId {
        let new = || CommunityId::new(over, a, b);
        // Flows that did not fit into the table have no number of their own.
        if flow == FlowId(0) {
            return new();
        }
        let at = flow.0 as usize % KEPT;
        if at >= self.communities.len() {
            self.communities.resize((at + 1).next_power_of_two(), (FlowId(0), new()));
        }
        match self.communities.get_mut(at) {
            Some((known, id)) if *known == flow => *id,
            Some(slot) => {
                *slot = (flow, new());
                slot.1
            }
            None => new(),
        }
    }
}

/// Writes an id: the inputs' number in sixteen hex digits, a dash, and a number of this run. The
/// inputs' part is written once.
fn number(id: &mut String, inputs: &InputSet, number: u64) {
    if id.len() < OF_INPUTS {
        id.clear();
        _ = write!(id, "{:016x}-", inputs.number());
    }
    id.truncate(OF_INPUTS);
    id.push_str(itoa::Buffer::new().format(number));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flow_has_its_ids_whatever_was_before_it() {
        let mut ids = RowIds::new(InputSet::default());
        let end = |port: u16| SocketAddr::from(([192, 0, 2, 1], port));
        let subject = |flow: u32, port: u16| RowSubject {
            input: 0,
            flow: FlowId(flow),
            ends: Some((Transport::Udp, [end(1), end(port)])),
            exchange: (flow == 7).then_some(9),
        };
        // The third takes the place of the first, and of flow 0 nothing is kept.
        for (flow, port) in [(7, 2), (7, 2), (7 + KEPT as u32, 3), (7, 2), (0, 4), (0, 5)] {
            let of = ids.ids_of(subject(flow, port));
            let id = CommunityId::new(Transport::Udp, end(1), end(port));
            assert_eq!(of.community_id, Some(id.as_str()), "flow {flow}");
            assert_eq!(of.flow_id, format!("{:016x}-{flow}", InputSet::default().number()));
            assert_eq!(of.exchange_id.ends_with("-9"), flow == 7, "{}", of.exchange_id);
        }
        let none = RowSubject { ends: None, ..subject(7, 2) };
        assert_eq!(ids.ids_of(none).community_id, None);
    }
}
