//! What earlier runs learnt of endpoints, in a form that tables can hold.
//!
//! Every part is merged without regard to order: roles and protocols are sets, and of the messages
//! with evidence the first by time count, whichever capture they are from. So what several runs learnt
//! is what one run over all their captures would have learnt.

use std::collections::HashMap;
use std::net::SocketAddr;

use foldhash::fast::RandomState;
use serde::{Deserialize, Serialize};

use super::Transport;
use super::endpoint::Endpoint;
use super::evidence::Reason;
use protocol::{Confidence, Game, GameSet, ProtocolSet, Registry, Role, harmless_len};
use text::Secrets;

/// How many endpoints of earlier runs are kept.
const KEPT: usize = 1 << 18;

/// The endpoints of earlier runs, and the files that they come from.
#[derive(Default)]
pub struct KnownEndpoints {
    endpoints: HashMap<(Transport, SocketAddr), Endpoint, RandomState>,
    /// When they sent something: the first and the last time of messages close together, and whether
    /// they are heartbeats.
    spans: HashMap<SocketAddr, Vec<([i64; 2], bool)>, RandomState>,
    /// When the last packet was captured.
    end: Option<i64>,
    files: Vec<String>,
    left_out: u64,
}

/// What is known of one endpoint.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct EndpointRecord {
    /// `udp` or `tcp`.
    pub transport: String,
    /// The roles that its messages prove, and those that they make likely.
    pub roles: Vec<String>,
    /// See `roles`.
    pub likely: Vec<String>,
    /// The protocols of messages that it sent as a server or master and that only one protocol has.
    pub protocols: Vec<String>,
    /// The protocols chosen for messages that several protocols share.
    pub shared: Vec<String>,
    /// Its first messages with evidence for a game.
    pub evidence: Vec<EvidenceRecord>,
    /// Of a server: when it sent heartbeats, as the times of the first and the last of those close
    /// together. Two of them may be a shutdown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heartbeats: Vec<[i64; 2]>,
    /// The same of its other messages.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sent: Vec<[i64; 2]>,
    /// When the last packet of the run was captured, whoever sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_ns: Option<i64>,
}

/// A message with evidence, or where evidence was looked for.
#[derive(Debug, Serialize, Deserialize)]
pub struct EvidenceRecord {
    /// Nanoseconds since the Unix epoch; nothing if its frame has no time.
    pub time_ns: Option<i64>,
    /// Its own name among all messages.
    pub message: String,
    /// The evidence.
    pub reasons: Vec<ReasonRecord>,
}

/// Evidence for a game.
#[derive(Debug, Serialize, Deserialize)]
pub struct ReasonRecord {
    /// The game's id.
    pub game: String,
    /// How strong it is.
    pub certainty: String,
    /// The field; nothing if the kind of the message is the evidence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The field's value in hex digits, up to a secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

/// Why a record is wrong.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum RecordError {
    /// Another version may know it.
    #[error("there is no {kind} {name:?}")]
    Unknown {
        /// What it should be.
        kind: &'static str,
        /// What stands there.
        name: String,
    },
}

impl EndpointRecord {
    /// What a run learnt of an endpoint; values end before a secret, unless secrets are shown.
    pub(super) fn from_endpoint(
        endpoint: &Endpoint,
        registry: &Registry,
        secrets: Secrets,
    ) -> Self {
        let protocols = |set| registry.names_of(set).map(str::to_owned).collect();
        let [roles, likely] =
            endpoint.roles().map(|all| all.map(|r| r.name().to_owned()).collect());
        let evidence = endpoint.evidence.reads().map(|(time_ns, entry, reasons)| EvidenceRecord {
            time_ns: Some(time_ns).filter(|time| text::has_time(*time)),
            message: format!("{}.{}", entry.protocol.id, entry.spec.id),
            reasons: reasons.flat_map(|reason| ReasonRecord::all_of(reason, secrets)).collect(),
        });
        Self {
            transport: endpoint.transport.name().to_owned(),
            roles,
            likely,
            protocols: protocols(endpoint.spoken),
            shared: protocols(endpoint.shared),
            evidence: evidence.collect(),
            ..Self::default()
        }
    }

    /// Whether it says anything.
    pub(super) fn is_empty(&self) -> bool {
        let Self { roles, likely, protocols, shared, evidence, .. } = self;
        evidence.is_empty() && [roles, likely, protocols, shared].iter().all(|all| all.is_empty())
    }
}

impl ReasonRecord {
    /// One for each game that a reason indicates.
    fn all_of(reason: &Reason, secrets: Secrets) -> impl Iterator<Item = Self> {
        reason.games.iter().map(move |game| Self::from_reason(game, reason, secrets))
    }

    fn from_reason(game: &Game, reason: &Reason, secrets: Secrets) -> Self {
        let shown = |value: &[u8]| match secrets {
            Secrets::Masked => hex::encode(value.get(..harmless_len(value)).unwrap_or(value)),
            Secrets::Shown => hex::encode(value),
        };
        Self {
            game: game.id.to_owned(),
            certainty: reason.confidence.name().to_owned(),
            field: reason.field.as_ref().map(|(name, _)| (*name).to_owned()),
            value: reason.field.as_ref().map(|(_, value)| shown(value)),
        }
    }
}

impl KnownEndpoints {
    /// Begins a file, by its escaped name; records that are added then come from it.
    pub fn begin_file(&mut self, name: &str) {
        self.files.push(name.to_owned());
    }

    /// Adds what an earlier run learnt of an endpoint.
    ///
    /// # Errors
    ///
    /// If the record names something that does not exist.
    pub fn add_endpoint(
        &mut self,
        address: SocketAddr,
        record: &EndpointRecord,
        registry: &Registry,
    ) -> Result<(), RecordError> {
        let transport = named(
            "transport",
            &record.transport,
            &[Transport::Udp, Transport::Tcp],
            Transport::name,
        )?;
        let key = (transport, address);
        self.end = self.end.max(record.end_ns);
        if self.endpoints.len() >= KEPT && !self.endpoints.contains_key(&key) {
            self.left_out += 1;
            return Ok(());
        }
        let spans = record.heartbeats.iter().map(|times| (*times, true));
        let mut spans = spans.chain(record.sent.iter().map(|times| (*times, false))).peekable();
        if spans.peek().is_some() {
            self.spans.entry(address).or_default().extend(spans);
        }
        let file = self.files.len() as u16;
        let endpoint =
            self.endpoints.entry(key).or_insert_with(|| Endpoint::known(address, transport, file));
        for role in &record.roles {
            endpoint.know(role_of(role)?);
        }
        for role in &record.likely {
            endpoint.make_likely(role_of(role)?);
        }
        endpoint.spoken = endpoint.spoken.and(set_of(&record.protocols, registry)?);
        endpoint.shared = endpoint.shared.and(set_of(&record.shared, registry)?);
        for read in &record.evidence {
            let entry = registry.entries().iter().find(|entry| {
                let id = read.message.split_once('.');
                id == Some((entry.protocol.id, entry.spec.id))
            });
            let message = entry.and_then(|entry| registry.message_of(entry));
            let message = message.ok_or_else(|| unknown("message", &read.message))?;
            let reasons =
                read.reasons.iter().map(|reason| reason.to_reason(message.entry, registry));
            let reasons = reasons.collect::<Result<Vec<_>, _>>()?;
            endpoint.evidence.add_reasons(
                message,
                read.time_ns.unwrap_or(text::NO_TIME),
                &reasons,
                file,
            );
        }
        Ok(())
    }

    /// How many endpoints were dropped because there are too many.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        self.endpoints.is_empty()
    }

    pub(super) fn get(&self, transport: Transport, address: SocketAddr) -> Option<&Endpoint> {
        self.endpoints.get(&(transport, address))
    }

    /// When the last packet was captured; the beginning of time if nothing is known.
    pub(super) fn end(&self) -> i64 {
        self.end.unwrap_or(i64::MIN)
    }

    /// When an endpoint sent something.
    pub(super) fn spans_of(&self, address: SocketAddr) -> impl Iterator<Item = ([i64; 2], bool)> {
        self.spans.get(&address).into_iter().flatten().copied()
    }

    /// The name of a file by its number, from 1.
    pub(super) fn file(&self, number: u16) -> Option<&str> {
        self.files.get(usize::from(number).checked_sub(1)?).map(String::as_str)
    }
}

impl ReasonRecord {
    fn to_reason(
        &self,
        entry: &'static protocol::Entry,
        registry: &Registry,
    ) -> Result<Reason, RecordError> {
        let game = registry.game(&self.game);
        let games = game.and_then(|game| GameSet::of_game(entry.protocol, game));
        let games = games.ok_or_else(|| unknown("game", &self.game))?;
        let confidence = named("certainty", &self.certainty, &Confidence::ALL, Confidence::name)?;
        let field = match (&self.field, &self.value) {
            (Some(name), Some(value)) => {
                let outline = registry.message_of(entry).map(|m| m.signature_fields.as_slice());
                let mut names = outline.unwrap_or_default().iter().map(|field| field.name);
                let field = names.find(|field| field == name);
                let field = field.ok_or_else(|| unknown("field", name))?;
                let value = hex::decode(value).map_err(|_| unknown("value", value))?;
                Some((field, value.into_boxed_slice()))
            }
            _ => None,
        };
        Ok(Reason { games, confidence, entry, field })
    }
}

fn role_of(name: &str) -> Result<Role, RecordError> {
    named("role", name, &[Role::Client, Role::Server, Role::Master], Role::name)
}

fn set_of(names: &[String], registry: &Registry) -> Result<ProtocolSet, RecordError> {
    names.iter().try_fold(ProtocolSet::default(), |set, name| {
        registry.set_of(name).map(|one| set.and(one)).ok_or_else(|| unknown("protocol", name))
    })
}

fn named<T: Copy>(
    kind: &'static str,
    name: &str,
    all: &[T],
    name_of: impl Fn(T) -> &'static str,
) -> Result<T, RecordError> {
    all.iter().copied().find(|one| name_of(*one) == name).ok_or_else(|| unknown(kind, name))
}

fn unknown(kind: &'static str, name: &str) -> RecordError {
    RecordError::Unknown { kind, name: name.to_owned() }
}

#[cfg(test)]
mod tests {
    use codec::FieldRole;
    use protocol::Reading;
    use protocols::registry;

    #[test]
    fn no_evidence_is_a_secret_or_names_people() {
        let (mut reading, mut seen) = (Reading::default(), 0);
        for message in registry().entries().iter().filter_map(|of| registry().message_of(of)) {
            reading.walk(message.entry, message.entry.spec.example);
            let is_evidence = |name| message.signature_fields.iter().any(|of| of.name == name);
            for span in reading.spans().all.iter().filter(|span| is_evidence(span.field.name)) {
                let role = span.field.role;
                let names = [FieldRole::Secret, FieldRole::Person, FieldRole::Address];
                assert!(!names.contains(&role), "{}: {}", message.entry.spec.id, span.field.name);
                seen += 1;
            }
        }
        assert!(seen > 30, "{seen}");
    }
}
