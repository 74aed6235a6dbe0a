//! The answer to a question.

use std::time::Duration;

use protocol::Entry;

/// What came of a question.
#[derive(Debug, Default)]
pub struct QuestionAnswer {
    /// The messages of the answer, joined where they were split, in the order in which they came.
    pub messages: Vec<AnswerMessage>,
    /// From the question, as it was sent last, to the first datagram of the answer.
    pub latency: Option<Duration>,
    /// How it ended; `None` while it is awaited.
    pub end: Option<AnswerEnd>,
    /// How many datagrams were sent.
    pub sent: u32,
    /// How many of them repeated one that was not answered.
    pub repeated: u32,
    /// How many datagrams came.
    pub received: u32,
    /// How many of them were no part of the answer.
    pub unrelated: u32,
}

/// A message of an answer.
#[derive(Debug, Clone)]
pub struct AnswerMessage {
    /// What it is.
    pub entry: &'static Entry,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Whether its grammar covers all of them.
    pub is_sound: bool,
}

/// How an answer ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerEnd {
    /// It is whole.
    Whole,
    /// It began, and a part of it did not come in time.
    Incomplete,
    /// All parts of a split message came, and its length or checksum is wrong.
    Damaged,
    /// The target answers each question with a challenge, the right one too.
    Challenged,
    /// It goes on beyond what any answer has.
    TooLong,
    /// Something came, and nothing that answers it.
    Unrelated,
    /// Nothing came that answers it.
    Missing,
    /// An ICMP error says that nothing listens at the port, or that the host cannot be reached.
    Unreachable,
    /// The message has no answer.
    OneWay,
}

impl AnswerEnd {
    /// In a few words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Whole => "answered",
            Self::Incomplete => "a part of the answer did not come",
            Self::Damaged => "the length or the checksum of a split answer is wrong",
            Self::Challenged => "it answers its own challenge with another one",
            Self::TooLong => "the answer is longer than any answer may be",
            Self::Unrelated => "it sends something that is no answer",
            Self::Missing => "no answer",
            Self::Unreachable => "nothing listens there",
            Self::OneWay => "sent; this message has no answer",
        }
    }

    /// Whether something came that answers the question.
    pub fn is_answer(self) -> bool {
        !matches!(self, Self::Unrelated | Self::Missing | Self::Unreachable | Self::OneWay)
    }
}

impl QuestionAnswer {
    /// Whether it is whole, and each of its messages is as its grammar says.
    pub fn is_sound(&self) -> bool {
        self.end == Some(AnswerEnd::Whole) && self.messages.iter().all(|message| message.is_sound)
    }
}
