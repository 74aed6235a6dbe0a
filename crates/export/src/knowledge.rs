//! What a run learnt of endpoints, as `--known` of a later run reads it.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;

use super::json::JsonWriter;
use super::redact::Redactor;
use super::row::row;
use super::tables::ExportError;
use analysis::{InputIndices, InputSet, SentTimes};
use flow::{EndpointRecord, FlowId, Flows};
use net::Transport;

/// What is known of a host, over both transports.
#[derive(Default)]
pub(super) struct HostKnowledge {
    pub protocols: Vec<String>,
    /// The records as an array of objects.
    pub json: Option<JsonWriter<'static>>,
}

impl HostKnowledge {
    /// Of the endpoints at an address, and when a server there sent something; nothing without
    /// flows.
    pub fn new(
        learnt: Option<LearntFlows<'_>>,
        address: SocketAddr,
        sent: Option<&SentTimes>,
    ) -> Self {
        let record = |transport| learnt?.record(transport, address);
        let mut records = [Transport::Udp, Transport::Tcp].map(record);
        if let (Some(record), Some(sent)) = (records.iter_mut().flatten().next(), sent) {
            record.heartbeats = sent.spans(true).collect();
            record.sent = sent.spans(false).collect();
        }
        Self::from(&records)
    }

    fn from(records: &[Option<EndpointRecord>]) -> Self {
        let records: Vec<_> = records.iter().flatten().collect();
        let mut protocols: Vec<String> =
            records.iter().flat_map(|record| record.protocols.iter().cloned()).collect();
        protocols.sort();
        protocols.dedup();
        let text = serde_json::to_string(&records).ok().filter(|_| !records.is_empty());
        Self { protocols, json: text.map(Into::into) }
    }
}

/// What a run has learnt.
#[derive(Clone, Copy)]
pub(super) struct LearntFlows<'a> {
    flows: &'a Flows,
    /// When the last packet was captured.
    end: i64,
}

impl<'a> LearntFlows<'a> {
    pub fn new(flows: &'a Flows) -> Self {
        Self { flows, end: flows.end() }
    }

    fn record(&self, transport: Transport, address: SocketAddr) -> Option<EndpointRecord> {
        let record = self.flows.record(transport, address)?;
        Some(EndpointRecord {
            end_ns: Some(self.end).filter(|time| text::has_time(*time)),
            ..record
        })
    }
}

row! {
    /// An endpoint with messages, and what they tell of it.
    EndpointRow {
        file: Texts in "", "as in `servers`; of the first packets of its flows";
        endpoint: Address in "", "the endpoint's address";
        endpoint_port: Port in "", "the endpoint's port";
        transport;
        roles: Texts in "", "the roles that its messages prove: `client`, `server`, `master`";
        protocols;
        knowledge;
    }
}

/// Builds the rows of endpoints.
pub(super) struct EndpointRows {
    inputs: InputSet,
}

impl EndpointRows {
    pub fn new(inputs: InputSet) -> Self {
        Self { inputs }
    }

    /// Passes a row to `write` for every endpoint of these flows of which anything is known, in the
    /// order of their first packets.
    pub fn each(
        &self,
        flows: &Flows,
        ids: impl Iterator<Item = FlowId>,
        mut redactor: Option<&mut Redactor>,
        mut write: impl FnMut(&EndpointRow<'_>) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let learnt = LearntFlows::new(flows);
        for (address, transport, inputs) in seen(flows, ids) {
            let Some(record) = learnt.record(transport, address) else { continue };
            let is_redacted = redactor.is_some();
            let address = redactor.as_mut().map_or(address, |redactor| redactor.endpoint(address));
            let roles = record.roles.iter().collect();
            let known = HostKnowledge::from(&[Some(record)]);
            write(&EndpointRow {
                file: inputs.iter().map(|input| self.inputs.file(input)).collect(),
                endpoint: address.ip(),
                endpoint_port: address.port(),
                transport: transport.name(),
                roles,
                protocols: known.protocols.iter().collect(),
                knowledge: known.json.filter(|_| !is_redacted),
            })?;
        }
        Ok(())
    }
}

/// The endpoints of flows with messages, each once, and the inputs of their flows.
fn seen(
    flows: &Flows,
    ids: impl Iterator<Item = FlowId>,
) -> Vec<(SocketAddr, Transport, InputIndices)> {
    let mut found: Vec<(SocketAddr, Transport, InputIndices)> = Vec::new();
    let mut at: HashMap<(SocketAddr, Transport), usize, RandomState> = HashMap::default();
    for id in ids {
        let Some((flow, (transport, ends))) = flows.flow(id).zip(flows.ends(id)) else { continue };
        for end in ends {
            let index = *at.entry((end, transport)).or_insert(found.len());
            match found.get_mut(index) {
                Some((.., inputs)) => inputs.add_input(flow.input),
                None => found.push((end, transport, InputIndices::from_input(flow.input))),
            }
        }
    }
    found
}
