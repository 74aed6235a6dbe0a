//! Settings of the recorded master, to configure another one alike.

use super::account::{RecordedReply, RecordedRequest, Transcript};
use super::fields::{items, value};
use crate::codec::FieldRole;
use crate::protocol::{ExchangeKind, Reading, Role};

/// A setting and its value.
pub type Hint = (&'static str, String);

impl Transcript {
    /// Settings of the recorded master, as far as its responses show them: the message of the day,
    /// if it was always the same, and whether it allowed or refused players whose key it had not
    /// seen in the replayed messages.
    pub fn hints(&self, plays: impl Fn(&RecordedRequest) -> bool) -> Vec<Hint> {
        let mut reading = Reading::default();
        let answered = |affair: ExchangeKind| {
            let of_affair = move |asked: &&RecordedRequest| asked.entry.exchange() == affair;
            let asked = self.asked.iter().filter(of_affair).filter(|asked| plays(asked));
            asked.flat_map(|asked| asked.replies.iter().map(move |reply| (asked, reply)))
        };
        let mut greetings: Vec<String> = Vec::new();
        for (_, reply) in answered(ExchangeKind::Motd) {
            let said = items(&mut reading, reply.entry, &reply.bytes);
            let text = said.iter().find(|item| item.name() == "motd");
            let text = text.and_then(|item| std::str::from_utf8(&item.text).ok());
            greetings.extend(text.map(str::to_owned));
        }
        greetings.dedup();
        let mut hints = Vec::new();
        if let [greeting] = greetings.as_slice() {
            hints.push(("motd", greeting.clone()));
        }
        let (mut refused, mut admitted) = (false, false);
        for (asked, reply) in answered(ExchangeKind::Authorization) {
            if refuses(&mut reading, reply) {
                refused = true;
            } else {
                admitted |= !self.has_shown(&mut reading, asked, &plays);
            }
        }
        match (refused, admitted) {
            (true, false) => hints.push(("authorize", "nobody".to_owned())),
            (false, true) => hints.push(("authorize", "all".to_owned())),
            _ => {}
        }
        hints
    }

    /// Whether the player that a server asks about has sent its key before.
    fn has_shown(
        &self,
        reading: &mut Reading,
        asked: &RecordedRequest,
        plays: &impl Fn(&RecordedRequest) -> bool,
    ) -> bool {
        let said = items(reading, asked.entry, &asked.bytes);
        let player =
            value(&said, FieldRole::Address).and_then(|text| std::str::from_utf8(text).ok());
        let player = player.and_then(|text| text.parse().ok());
        self.asked.iter().take_while(|other| other.number < asked.number).any(|other| {
            plays(other)
                && other.party == Role::Client
                && other.entry.exchange() == ExchangeKind::Authorization
                && Some(other.from.ip()) == player
        })
    }
}

fn refuses(reading: &mut Reading, reply: &RecordedReply) -> bool {
    let said = items(reading, reply.entry, &reply.bytes);
    let verdict = value(&said, FieldRole::Verdict).unwrap_or_default();
    reply.entry.spec.refusal.is(verdict)
}
