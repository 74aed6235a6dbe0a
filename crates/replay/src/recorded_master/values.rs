//! The values of a request, and which of them decide what answers it.

use std::borrow::Cow;

use codec::{FieldRole, Kind, NumberParts};
use protocol::{Entry, ExchangeKind, Reading};
use render::quoted;
use render::{FieldValue, challenge_of, field_values};
use text::MASK;

/// A value of a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RequestValue {
    pub name: String,
    pub role: FieldRole,
    /// The value as text.
    pub text: Vec<u8>,
    /// The version that a number stands for: `1.33, Doom 3`.
    version: Option<String>,
    /// Whether reports must mask it.
    secret: bool,
    /// Whether only a request with the same value has the same answer.
    pub decides: bool,
}

impl RequestValue {
    fn from_field(item: &FieldValue, kind: ExchangeKind) -> Self {
        let name = item.name().into_owned();
        let (role, text) = (item.field.role, item.text.clone());
        let is_version = matches!(item.field.inside, NumberParts::Version);
        let meaning = item.field.meaning(&text).filter(|_| is_version);
        let (version, secret) = (meaning.map(Cow::into_owned), item.secret);
        Self { name, role, text, version, secret, decides: decides(role, kind) }
    }

    /// The value as shown in a report.
    pub fn shown(&self, most: usize) -> String {
        let shown = if self.secret { MASK.to_owned() } else { quoted(&self.text, most) };
        match &self.version {
            Some(version) => format!("{shown} ({version})"),
            None => shown,
        }
    }
}

/// Whether a value of this role decides what answers a request of this kind. A list depends on
/// everything that the client chose; other answers only on the game and its protocol, for what
/// servers and players say of themselves is different each time.
fn decides(role: FieldRole, kind: ExchangeKind) -> bool {
    match role {
        FieldRole::Challenge | FieldRole::Token | FieldRole::Time => false,
        FieldRole::Protocol | FieldRole::Game => true,
        _ => kind == ExchangeKind::List,
    }
}

/// The values of a request, in order; empty ones count as missing.
pub(super) fn request_values(
    reading: &mut Reading,
    entry: &Entry,
    payload: &[u8],
) -> Vec<RequestValue> {
    let kind = entry.exchange();
    let counts = |item: &&FieldValue| item.field.is_data() || item.field.kind == Kind::Command;
    let items = field_values(reading, entry, payload);
    let values = items.iter().filter(counts).filter(|item| !item.text.is_empty());
    let mut values: Vec<_> = values.map(|item| RequestValue::from_field(item, kind)).collect();
    // A challenge that only the declaration of its message finds.
    let has_role = values.iter().any(|value| value.role == FieldRole::Challenge);
    if !has_role && let Some(text) = challenge_of(reading, entry, payload) {
        let (name, role) = ("challenge".to_owned(), FieldRole::Challenge);
        let (version, secret, decides) = (None, false, false);
        values.push(RequestValue { name, role, text, version, secret, decides });
    }
    values
}

/// A message of a live server or client.
pub(super) struct LiveRequest {
    pub entry: &'static Entry,
    pub bytes: Vec<u8>,
    pub values: Vec<RequestValue>,
    /// The port that it names for queries to the server.
    pub named_port: Option<u16>,
}

impl LiveRequest {
    pub fn read_payload(reading: &mut Reading, entry: &'static Entry, payload: &[u8]) -> Self {
        let values = request_values(reading, entry, payload);
        let port = values.iter().find(|value| value.role == FieldRole::Port);
        let port = port.and_then(|value| std::str::from_utf8(&value.text).ok()?.parse().ok());
        let named_port = port.filter(|_| entry.spec.has_query_port);
        Self { entry, bytes: payload.to_vec(), values, named_port }
    }

    /// Whether something has to come back to it.
    pub fn wants_answer(&self) -> bool {
        self.entry.spec.answers.is_empty() && !self.entry.spec.one_way
    }

    /// Its name in the documents.
    pub fn name(&self) -> &'static str {
        self.entry.spec.name_of(&self.bytes, None)
    }
}
