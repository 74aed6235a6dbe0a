//! Two messages of one kind, compared value by value.

use super::recorded_messages::{RecordedReply, RecordedRequest};
use super::ruling::{Difference, Ruling};
use codec::{FieldRole, Kind};
use protocol::Reading;
use render::{FieldValue, field_values};
use text::Secrets;

/// The maximum number of shown characters of a value.
const SHOWN: usize = 60;

/// The differences between the recorded response and that of the run; lists are compared elsewhere.
pub(super) fn compare(
    reading: &mut Reading,
    (recorded, was): (&RecordedRequest, &RecordedReply),
    (live, is): (&RecordedRequest, &RecordedReply),
    secrets: Secrets,
    differences: &mut Vec<Difference>,
) {
    let shown = |item: &FieldValue| shown(item, secrets);
    if was.cut {
        let name = was.entry.spec.name;
        let text = format!("the recording has only the beginning of {name}");
        differences.push(Difference::new("cut", Ruling::NotCompared(CUT.to_owned()), text));
        return;
    }
    let values = |reading: &mut Reading, reply: &RecordedReply| -> Vec<FieldValue> {
        let all = field_values(reading, reply.entry, &reply.bytes).into_iter();
        let counts = |i: &FieldValue| i.field.is_data() || i.field.kind == Kind::Mark;
        all.filter(|i| counts(i) && !i.listed && i.field.role != FieldRole::End).collect()
    };
    let (was, mut is) = (values(reading, was), values(reading, is));
    let request = field_values(reading, recorded.entry, &recorded.bytes);
    let sent = field_values(reading, live.entry, &live.bytes);
    for then in was {
        let name = then.name().into_owned();
        let Some(at) = is.iter().position(|now| now.name() == name) else {
            let text = format!("{name} is missing");
            differences.push(Difference::new(&name, Ruling::allowed(reason(&then)), text));
            continue;
        };
        let now = is.remove(at);
        // A value that echoes the request's is that of the sent request.
        let echoes = |item: &&FieldValue| {
            !then.text.is_empty() && item.field.role == then.field.role && item.text == then.text
        };
        let echoed =
            request.iter().position(|item| echoes(&item) && item.field.role != FieldRole::None);
        let expected = echoed.and_then(|at| sent.get(at));
        if expected.map_or(now.text == then.text, |expected| expected.text == now.text) {
            continue;
        }
        let why = if expected.is_some() { None } else { reason(&then) };
        let text = format!("recorded {}, now {}", shown(&then), shown(&now));
        differences.push(Difference::new(&name, Ruling::allowed(why), text));
    }
    for now in is {
        let name = now.name().into_owned();
        let text = format!("{name} is new: {}", shown(&now));
        differences.push(Difference::new(&name, Ruling::allowed(reason(&now)), text));
    }
}

/// Why a response that the capture has only a part of is not compared.
pub(super) const CUT: &str = "the recording was cut";

/// Why a value may differ: the master chooses it.
fn reason(item: &FieldValue) -> Option<&'static str> {
    match item.field.role {
        FieldRole::Challenge | FieldRole::Token => Some("a challenge of the master's own"),
        FieldRole::Packet => Some("another form of the list"),
        FieldRole::Time => Some("the master's clock"),
        _ if item.secret => Some("a secret of the master's own"),
        FieldRole::Free
        | FieldRole::Host
        | FieldRole::Name
        | FieldRole::Person
        | FieldRole::Location => Some("a text that the operator of the master chooses"),
        _ => None,
    }
}

/// A value as shown in a report.
fn shown(item: &FieldValue, secrets: Secrets) -> String {
    if item.secret && secrets == Secrets::Masked {
        return text::MASK.to_owned();
    }
    let text = item.text.get(..SHOWN).unwrap_or(&item.text);
    let more = if item.text.len() > SHOWN { "…" } else { "" };
    format!("{}{more}", text.escape_ascii())
}
