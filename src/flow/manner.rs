//! Traits of each message type that flows need for every message, computed once and looked up by
//! the index in `protocol::entries`.

use std::sync::LazyLock;

use super::evidence;
use super::recognise::Protocols;
use crate::protocol::{Direction, Entry, entries};

/// What is known of a message from its type alone.
#[derive(Debug)]
pub(super) struct MessageTraits {
    /// The roles of its endpoints that it proves.
    pub proves: Direction,
    /// The roles of its endpoints that it makes likely.
    pub mostly: Direction,
    /// Whether it may have evidence for its game.
    pub telling: bool,
    /// Whether other messages answer it.
    pub asked: bool,
    /// The other protocols that share its command.
    pub shared_with: Protocols,
    /// The indices of the messages that it answers.
    pub answers: Vec<u16>,
}

/// The traits of all messages, in their order.
pub(super) fn all() -> &'static [MessageTraits] {
    static ALL: LazyLock<Vec<MessageTraits>> =
        LazyLock::new(|| entries().iter().copied().map(MessageTraits::of).collect());
    &ALL
}

impl MessageTraits {
    fn of(entry: &'static Entry) -> Self {
        let of_same = (0..).zip(entries()).filter(|(_, other)| other.protocol == entry.protocol);
        let answers = of_same.filter(|(_, asked)| entry.spec.answers.contains(&asked.spec.id));
        Self {
            proves: entry.spec.proves(Direction::default()),
            mostly: entry.spec.mostly(Direction::default()),
            telling: evidence::is_telling(entry),
            asked: entry.is_asked(),
            shared_with: Protocols::of(entry.spec.shared_with),
            answers: answers.map(|(place, _)| place).collect(),
        }
    }
}
