//! Answers of which only a part arrived, and those that nobody gave.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use foldhash::fast::RandomState;

use super::Findings;
use super::key::{About, FindingKey};
use super::rules::{CHALLENGE_ENDLESS, FRAGMENTS_LOST, SPLIT_DAMAGED};
use crate::exchange::{ChallengeProof, Exchange, MessageTurn};
use crate::frame_ref::FrameRef;
use flow::{FlowId, Flows, Loss, LossEnds, LossKind};
use protocol::ExchangeKind;
use text::digits::counted;

/// So many challenges in a row show that none is accepted.
const CHALLENGES: usize = 3;

/// The flows with messages, by the addresses of their ends in either order.
struct GameFlows<'a> {
    flows: &'a Flows,
    by_hosts: HashMap<[IpAddr; 2], Vec<FlowId>, RandomState>,
}

impl<'a> GameFlows<'a> {
    fn new(flows: &'a Flows) -> Self {
        let mut by_hosts: HashMap<_, Vec<_>, RandomState> = HashMap::default();
        for (id, _) in flows.iter().filter(|(_, flow)| flow.messages().next().is_some()) {
            let Some([one, other]) = flows.endpoints(id) else { continue };
            let (one, other) = (one.address.ip(), other.address.ip());
            by_hosts.entry([one.min(other), one.max(other)]).or_default().push(id);
        }
        Self { flows, by_hosts }
    }

    /// The sender, the receiver and the flow of a loss; nothing if no message was seen between them,
    /// or if it may be of several flows.
    fn flow_of(&self, loss: &Loss) -> Option<(SocketAddr, SocketAddr, FlowId)> {
        let (from, to) = match loss.ends {
            LossEnds::Endpoints(from, to) => (from.ip(), to.ip()),
            LossEnds::Hosts(from, to) => (from, to),
        };
        let flows = self.by_hosts.get(&[from.min(to), from.max(to)])?;
        let mut fitting = flows.iter().filter_map(|id| {
            let ends = self.flows.endpoints(*id)?.map(|end| end.address);
            let [from, to] = directed(ends, loss.ends)?;
            Some((from, to, *id))
        });
        let found = fitting.next()?;
        fitting.next().is_none().then_some(found)
    }
}

/// The ends of a flow in the direction of a loss, if the loss is between them.
fn directed([one, other]: [SocketAddr; 2], loss: LossEnds) -> Option<[SocketAddr; 2]> {
    let fits = |from: SocketAddr, to: SocketAddr| match loss {
        LossEnds::Endpoints(lost_from, lost_to) => (lost_from, lost_to) == (from, to),
        LossEnds::Hosts(lost_from, lost_to) => (lost_from, lost_to) == (from.ip(), to.ip()),
    };
    match (fits(one, other), fits(other, one)) {
        (true, false) => Some([one, other]),
        (false, true) => Some([other, one]),
        _ => None,
    }
}

impl Findings {
    /// After the end of the capture: what did not arrive whole.
    pub(super) fn conclude_losses(&mut self, flows: &Flows) {
        if flows.losses().is_empty() {
            return;
        }
        let games = GameFlows::new(flows);
        for loss in flows.losses() {
            let Some((sender, receiver, flow)) = games.flow_of(loss) else { continue };
            let frame = FrameRef { number: loss.number, flow, input: loss.input };
            let rule = match loss.kind {
                LossKind::Fragments(..) => &FRAGMENTS_LOST,
                LossKind::Damaged => &SPLIT_DAMAGED,
            };
            let key = FindingKey::new(rule, sender).about(About::With(receiver));
            self.add_keyed(key, &[frame], || match loss.kind {
                LossKind::Fragments(came, length) => {
                    let of = length.map(|length| format!(" of {length}")).unwrap_or_default();
                    let came = counted(came.into(), "byte");
                    format!("only {came}{of} of a datagram to {receiver} came: a fragment was lost")
                }
                LossKind::Damaged => format!(
                    "all parts of a message to {receiver} came, and its length or its checksum is \
                     wrong"
                ),
            });
        }
    }

    /// Checks whether a server answers every challenge that comes back with another one.
    pub(super) fn check_challenges(&mut self, exchange: &Exchange) {
        let of_turn = |turn| exchange.steps.iter().filter(move |step| step.turn == turn);
        let answers = || of_turn(MessageTurn::Answer);
        let all_continue = answers().all(|step| step.entry.spec.continues);
        if exchange.kind != ExchangeKind::Query
            || exchange.cut
            || !all_continue
            || answers().count() < CHALLENGES
            || of_turn(MessageTurn::Request).count() < CHALLENGES
            || exchange.proof == ChallengeProof::Wrong
        {
            return;
        }
        let frames: Vec<_> = exchange.frames().collect();
        let client = exchange.requester;
        let key =
            FindingKey::new(&CHALLENGE_ENDLESS, exchange.responder).about(About::With(client));
        self.add_keyed(key, &frames, || {
            let count = answers().count();
            format!(
                "{client} brought back what it was sent, and got {count} challenges and no answer"
            )
        });
    }
}
