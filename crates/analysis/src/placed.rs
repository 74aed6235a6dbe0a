//! Messages in their exchanges, a batch at a time: what one thread finds and another concludes from.

use super::exchange::{EndedExchanges, EndedRange, Exchanges, Placement};
use super::message::CapturedMessage;
use super::values::MessageValues;
use flow::Flows;
use protocol::Entry;

/// The exchanges of consecutive messages, in order, and those that the messages have ended.
#[derive(Default)]
pub(super) struct PlacedBatch {
    records: Vec<PlacedRecord>,
    ended: EndedExchanges,
}

/// What is known of a message.
#[derive(Clone, Copy)]
struct PlacedRecord {
    request: Option<&'static Entry>,
    placement: Option<Placement>,
    /// How many exchanges of the batch have ended by then.
    ended: usize,
}

/// The place of a message.
pub(super) struct PlacedMessage<E> {
    /// The request that it answers, if its values depend on that.
    pub request: Option<&'static Entry>,
    /// Nothing if it is not analysed.
    pub placement: Option<Placement>,
    /// The exchanges that it has ended, in order.
    pub ended: E,
}

impl PlacedBatch {
    /// Empties the batch.
    pub fn clear(&mut self, exchanges: &mut Exchanges) {
        self.records.clear();
        exchanges.forget(&mut self.ended);
    }

    /// Adds the next message of `exchanges`.
    pub fn place(
        &mut self,
        exchanges: &mut Exchanges,
        message: &CapturedMessage<'_>,
        values: MessageValues<'_>,
        flows: &Flows,
    ) {
        let (request, placement) = exchanges.place(message, values, flows);
        exchanges.move_ended(&mut self.ended);
        self.add_placement(request, placement);
    }

    /// Adds a message that is not analysed.
    pub fn skip(&mut self) {
        self.add_placement(None, None);
    }

    fn add_placement(&mut self, request: Option<&'static Entry>, placement: Option<Placement>) {
        self.records.push(PlacedRecord { request, placement, ended: self.ended.len() });
    }

    /// The places of the messages, in order.
    pub fn iter(&self) -> impl Iterator<Item = PlacedMessage<EndedRange<'_>>> {
        self.ended.prefetch();
        let mut before = 0;
        self.records.iter().map(move |record| {
            let PlacedRecord { request, placement, ended } = *record;
            let range = before..ended;
            before = ended;
            PlacedMessage { request, placement, ended: self.ended.range(range) }
        })
    }
}
