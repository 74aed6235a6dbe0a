//! The exchange of each message of an index.

use std::ops::Range;

use super::record::{ExchangeRecord, NumberedTurn};
use crate::exchange::{MessageTurn, STEPS};
use crate::frame_index::MESSAGES;

/// For how many messages the frames are asked for at a time.
const FRAMES: usize = 1 << 12;

/// The messages of an index in their order: the number of the exchange of each, and what it does
/// there. There are millions of these.
#[derive(Default)]
pub(super) struct MessagePlaces {
    all: Vec<NumberedTurn>,
    left_out: u64,
}

impl MessagePlaces {
    /// Room for so many messages. Memory that is not used is not taken from the system, and nothing
    /// has to be moved.
    pub fn for_messages(count: usize) -> Self {
        Self { all: Vec::with_capacity(count.min(MESSAGES)), left_out: 0 }
    }

    /// How many messages there was no room for.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds the message at an index, which is after those before it, and the number of its exchange.
    pub fn add_message(&mut self, index: usize, exchange: u64, turn: MessageTurn) {
        let place = usize::try_from(exchange).ok().and_then(|id| NumberedTurn::new(id, turn));
        match place.filter(|_| index < MESSAGES) {
            Some(place) => {
                self.all.resize(index, NumberedTurn::NONE);
                self.all.push(place);
            }
            None => self.left_out += 1,
        }
    }

    /// The steps of the exchanges, one exchange after the other, and the frame of each step with the
    /// index of its exchange. Of a long exchange only the first messages are steps. Each exchange
    /// gets the position of its first one; until then it has the number of its steps there, or the
    /// position of the next. `frames` has the frames of the messages in a range.
    pub fn into_steps(
        self,
        exchanges: &mut [ExchangeRecord],
        frames: &impl Fn(Range<usize>) -> Vec<Option<u64>>,
    ) -> (Vec<NumberedTurn>, Vec<(u32, u32)>) {
        let Self { mut all, .. } = self;
        let positions = ExchangePositions::new(exchanges);
        for place in &mut all {
            let at = positions.find(*place);
            let counted = at.and_then(|at| {
                let exchange = exchanges.get_mut(at)?;
                let count = exchange.steps() + 1;
                exchange.set_steps(count.min(STEPS as u32));
                NumberedTurn::new(at, place.turn()).filter(|_| count <= STEPS as u32)
            });
            *place = counted.unwrap_or(NumberedTurn::NONE);
        }
        let mut end = 0;
        for exchange in exchanges.iter_mut() {
            let begin = end;
            end += exchange.steps();
            exchange.set_steps(begin);
        }
        let mut steps = vec![NumberedTurn::NONE; end as usize];
        for (message, place) in all.iter().enumerate() {
            let Some(exchange) = place.number().and_then(|at| exchanges.get_mut(at)) else {
                continue;
            };
            let next = exchange.steps();
            let step = NumberedTurn::new(message, place.turn());
            if let (Some(slot), Some(step)) = (steps.get_mut(next as usize), step) {
                *slot = step;
            }
            exchange.set_steps(next + 1);
        }
        let mut begin = 0;
        for exchange in exchanges {
            let end = exchange.steps();
            exchange.set_steps(begin);
            begin = end;
        }
        let mut members = Vec::with_capacity(steps.len());
        for (begin, places) in (0..).step_by(FRAMES).zip(all.chunks(FRAMES)) {
            let frames = frames(begin..begin + places.len());
            members.extend(places.iter().zip(frames).filter_map(|(place, frame)| {
                Some((u32::try_from(frame?).ok()?, place.number()? as u32))
            }));
        }
        (steps, members)
    }
}

/// The indices of exchanges by their numbers; nothing if they have the numbers from 1 in order.
struct ExchangePositions(Option<Vec<u32>>);

impl ExchangePositions {
    fn new(exchanges: &[ExchangeRecord]) -> Self {
        if exchanges.iter().map(ExchangeRecord::id).eq(1..=exchanges.len() as u64) {
            return Self(None);
        }
        let last = exchanges.iter().map(ExchangeRecord::id).max().unwrap_or(0) as usize;
        let mut positions = vec![u32::MAX; last + 1];
        for (at, exchange) in (0..).zip(exchanges) {
            if let Some(position) = positions.get_mut(exchange.id() as usize) {
                *position = at;
            }
        }
        Self(Some(positions))
    }

    /// The index of the exchange of a message, if it has one.
    fn find(&self, place: NumberedTurn) -> Option<usize> {
        let id = place.number()?;
        match &self.0 {
            None => id.checked_sub(1),
            Some(positions) => {
                positions.get(id).filter(|at| **at != u32::MAX).map(|at| *at as usize)
            }
        }
    }
}
