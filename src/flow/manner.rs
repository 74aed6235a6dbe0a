//! What each message declares that flows ask of every one of them, made once and looked up by its
//! place in `protocol::entries`.

use std::sync::LazyLock;

use super::evidence;
use super::recognise::Protocols;
use crate::protocol::{Direction, Entry, entries};

/// What is known of a message by its kind alone.
#[derive(Debug)]
pub(super) struct MessageTraits {
    /// What it proves of its ends, whoever they are.
    pub proves: Direction,
    /// What it makes likely of them.
    pub mostly: Direction,
    /// Whether it may say something of its game.
    pub telling: bool,
    /// Whether others answer it.
    pub asked: bool,
    /// The protocols whose games have its word too.
    pub shared_with: Protocols,
    /// The places of those that it answers.
    pub answers: Vec<u16>,
}

/// Those of all messages, in their order.
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
