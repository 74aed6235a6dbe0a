//! Settings of the recorded master, to configure another one alike.

use super::recorded_messages::{RecordedReply, RecordedRequest};
use super::transcript::Transcript;
use codec::FieldRole;
use protocol::{ExchangeKind, Reading, Role};
use render::{field_values, value_with_role};

impl Transcript {
    /// Settings of the recorded master with their values, as far as its responses show them: the message of the day,
    /// if it was always the same, and whether it allowed or refused players whose key it had not
    /// seen in the replayed messages.
    pub fn recorded_settings(
        &self,
        is_replayed: impl Fn(&RecordedRequest) -> bool,
    ) -> Vec<(&'static str, String)> {
        let mut reading = Reading::default();
        let answered = |kind: ExchangeKind| {
            let of_kind = move |request: &&RecordedRequest| request.entry.exchange() == kind;
            let request =
                self.requests.iter().filter(of_kind).filter(|request| is_replayed(request));
            request.flat_map(|request| request.replies.iter().map(move |reply| (request, reply)))
        };
        let mut motds: Vec<String> = Vec::new();
        for (_, reply) in answered(ExchangeKind::Motd) {
            let values = field_values(&mut reading, reply.entry, &reply.bytes);
            let text = values.iter().find(|item| item.name() == "motd");
            let text = text.and_then(|item| std::str::from_utf8(&item.text).ok());
            motds.extend(text.map(str::to_owned));
        }
        motds.dedup();
        let mut recorded_settings = Vec::new();
        if let [motd] = motds.as_slice() {
            recorded_settings.push(("motd", motd.clone()));
        }
        let (mut refused, mut admitted) = (false, false);
        for (request, reply) in answered(ExchangeKind::Authorization) {
            if refuses(&mut reading, reply) {
                refused = true;
            } else {
                admitted |= !self.has_sent_key(&mut reading, request, &is_replayed);
            }
        }
        match (refused, admitted) {
            (true, false) => recorded_settings.push(("authorize", "nobody".to_owned())),
            (false, true) => recorded_settings.push(("authorize", "all".to_owned())),
            _ => {}
        }
        recorded_settings
    }

    /// Whether the player that a server asks about has sent its key before.
    fn has_sent_key(
        &self,
        reading: &mut Reading,
        request: &RecordedRequest,
        is_replayed: &impl Fn(&RecordedRequest) -> bool,
    ) -> bool {
        let values = field_values(reading, request.entry, &request.bytes);
        let player = value_with_role(&values, FieldRole::Address)
            .and_then(|text| std::str::from_utf8(text).ok());
        let player = player.and_then(|text| text.parse().ok());
        self.requests.iter().take_while(|other| other.number < request.number).any(|other| {
            is_replayed(other)
                && other.role == Role::Client
                && other.entry.exchange() == ExchangeKind::Authorization
                && Some(other.from.ip()) == player
        })
    }
}

fn refuses(reading: &mut Reading, reply: &RecordedReply) -> bool {
    let values = field_values(reading, reply.entry, &reply.bytes);
    let verdict = value_with_role(&values, FieldRole::Verdict).unwrap_or_default();
    reply.entry.spec.refusal.is(verdict)
}
