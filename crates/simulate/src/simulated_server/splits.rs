//! Long answers of a simulated server with Source's queries, in several datagrams.

use crate::families::source::messages::with_message;
use crate::written;
use codec::RawBytes as _;
use protocols::source::{RuleList, S2aRules, Source, SplitForm, SplitReply};

/// The bytes of a part: the header tells it, and servers may set it.
const PART: u16 = 400;
/// How many settings a server has beside those of every server.
const SETTINGS: u16 = 40;
/// The id of every answer in parts.
const ID: u32 = 7;

/// The settings in an answer, and as many more as a server of today has; `None` for another answer.
pub(super) fn with_settings(answer: &[u8]) -> Option<Vec<u8>> {
    with_message(answer, |message| match message {
        Source::S2aRules(rules) => {
            let more = (1..=SETTINGS).flat_map(|n| format!("sv_setting_{n}\0on\0").into_bytes());
            let raw: Vec<u8> = rules.rules.raw().iter().copied().chain(more).collect();
            let (count, list) = (rules.count + SETTINGS, RuleList::new(&raw));
            Some(written(S2aRules { count, rules: list, ..S2aRules::default() }))
        }
        _ => None,
    })
}

/// An answer in parts; as it is, if it fits into one.
pub(super) fn parts(answer: Vec<u8>) -> Vec<Vec<u8>> {
    let bodies: Vec<_> = answer.chunks(PART.into()).collect();
    let total = u8::try_from(bodies.len()).unwrap_or(u8::MAX);
    if total < 2 {
        return vec![answer];
    }
    let part = |(number, body): (u8, &&[u8])| {
        let header = SplitReply {
            form: SplitForm::Source,
            id: ID,
            total,
            number,
            size: PART,
            ..SplitReply::default()
        };
        // The first part begins with the mark and the letter of the answer.
        match body.split_first_chunk() {
            Some((reply, body)) if number == 0 => {
                written(SplitReply { reply: *reply, body, ..header })
            }
            _ => written(SplitReply { body, ..header }),
        }
    };
    (0..total).zip(&bodies).map(part).collect()
}
