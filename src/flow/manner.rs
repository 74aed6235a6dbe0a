//! What each message declares that flows ask of every one of them, made once and looked up by its
//! place in `proto::entries`.

use std::sync::LazyLock;

use super::evidence;
use super::recognise::Protocols;
use crate::proto::{Entry, Way, entries};

/// What is known of a message by its kind alone.
#[derive(Debug)]
pub(super) struct Manner {
    /// What it proves of its ends, whoever they are.
    pub proves: Way,
    /// What it makes likely of them.
    pub mostly: Way,
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
pub(super) fn all() -> &'static [Manner] {
    static ALL: LazyLock<Vec<Manner>> =
        LazyLock::new(|| entries().iter().copied().map(Manner::of).collect());
    &ALL
}

impl Manner {
    fn of(entry: &'static Entry) -> Self {
        let of_same = (0..).zip(entries()).filter(|(_, other)| other.protocol == entry.protocol);
        let answers = of_same.filter(|(_, asked)| entry.spec.answers.contains(&asked.spec.id));
        Self {
            proves: entry.spec.proves(Way::default()),
            mostly: entry.spec.mostly(Way::default()),
            telling: evidence::is_telling(entry),
            asked: entry.is_asked(),
            shared_with: Protocols::of(entry.spec.shared_with),
            answers: answers.map(|(place, _)| place).collect(),
        }
    }
}
