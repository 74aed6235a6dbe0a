//! The live sender's own values in a recorded answer.

use super::played::PlayedRequest;
use super::values::{LiveRequest, RequestValue};
use codec::{FieldRole, Kind, Leaf, New, Scratch, Shape, Value};
use protocol::{Entry, ExchangeKind};

/// The values of a recorded request that its answer may repeat, with those of the live request.
pub(super) struct EchoedValues {
    pairs: Vec<EchoedValue>,
}

/// A value that differs in the live request.
struct EchoedValue {
    role: FieldRole,
    /// Without a role: the field in the answer has the same name.
    name: String,
    recorded: Vec<u8>,
    live: Vec<u8>,
}

impl EchoedValues {
    /// The n-th value of a name is compared with the n-th.
    pub fn new(recorded: &PlayedRequest, live: &LiveRequest) -> Self {
        let kind = live.entry.exchange();
        let mut rest: Vec<&RequestValue> = live.values.iter().collect();
        let mut pairs = Vec::new();
        for was in recorded.values.iter().filter(|value| is_echoed(value.role, kind)) {
            let same = |is: &&RequestValue| is.name == was.name && is.role == was.role;
            let Some(at) = rest.iter().position(same) else { continue };
            let is = rest.remove(at);
            if is.text != was.text {
                let (role, name) = (was.role, was.name.clone());
                let (recorded, live) = (was.text.clone(), is.text.clone());
                pairs.push(EchoedValue { role, name, recorded, live });
            }
        }
        Self { pairs }
    }

    /// An answer with the values of the live request. Without any it has the recorded bytes, and so
    /// has one that cannot hold a value.
    pub fn apply(&self, entry: &Entry, bytes: &[u8], scratch: &mut Scratch) -> Vec<u8> {
        let mut out = Vec::new();
        let mut change = |leaf: &Leaf<'_>| self.change(leaf);
        if self.pairs.is_empty() || entry.edit(bytes, scratch, &mut change, &mut out).is_err() {
            bytes.clone_into(&mut out);
        }
        out
    }

    fn change(&self, leaf: &Leaf<'_>) -> Option<New> {
        if matches!(leaf.field.kind, Kind::Key | Kind::Separator | Kind::Mark) {
            return None;
        }
        let text = leaf.shape.text(leaf.bytes);
        let is_name = |name: &str| {
            if leaf.key.is_empty() { leaf.field.name == name } else { leaf.key == name.as_bytes() }
        };
        let mut pairs = self.pairs.iter().filter(|pair| {
            pair.role == leaf.field.role && (pair.role != FieldRole::None || is_name(&pair.name))
        });
        pairs.find_map(|pair| {
            if pair.recorded == *text {
                return Some(New::Bytes(pair.live.clone()));
            }
            // A number that the request has in hex digits.
            let is_hex = pair.role == FieldRole::Challenge
                && Shape::HexNumber.value_of(&pair.recorded) == leaf.value();
            match Shape::HexNumber.value_of(&pair.live) {
                Value::Int(live) if is_hex => Some(New::Int(live)),
                _ => None,
            }
        })
    }
}

/// Whether an answer may repeat a request's value of this role: what the sender chose, and what it
/// says of a third party. Addresses in a list are those of servers.
fn is_echoed(role: FieldRole, kind: ExchangeKind) -> bool {
    match role {
        FieldRole::Challenge | FieldRole::Token => true,
        FieldRole::None | FieldRole::Address | FieldRole::Port | FieldRole::Secret => {
            kind != ExchangeKind::List
        }
        _ => false,
    }
}
