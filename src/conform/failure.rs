//! Why a case did not pass.

use std::ops::Range;

use super::endpoint::ReceivedDatagram;

/// What a case gives back.
pub type Done = Result<(), Failure>;

/// Why a case did not pass, in words and with the datagram at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// What was expected; or why it was not tried, or could not be judged.
    pub expected: String,
    /// What came instead.
    pub came: String,
    pub mark: Option<FaultyDatagram>,
}

/// What became of the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The master is at fault.
    Failed,
    /// What the case needs was not there: its setup failed.
    Blocked,
    /// It cannot be tried here.
    Skipped,
    /// Something of our own went wrong.
    Error,
}

/// The datagram at fault, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyDatagram {
    /// Its place in the case's log.
    pub said: usize,
    /// The bytes at fault; empty where the whole is.
    pub bytes: Range<usize>,
}

impl Failure {
    /// The master is at fault.
    pub fn new(expected: impl Into<String>, came: impl Into<String>) -> Self {
        let (expected, came) = (expected.into(), came.into());
        Self { kind: FailureKind::Failed, expected, came, mark: None }
    }

    /// What the case needs is not there.
    pub fn blocked(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Blocked, expected: why.into(), came: String::new(), mark: None }
    }

    /// The same in the setup of a case: no fault of what it tests.
    #[must_use]
    pub fn in_setup(self) -> Self {
        match self.kind {
            FailureKind::Failed => Self { kind: FailureKind::Blocked, ..self },
            FailureKind::Blocked | FailureKind::Skipped | FailureKind::Error => self,
        }
    }

    /// The case cannot be tried here.
    pub fn skipped(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Skipped, expected: why.into(), came: String::new(), mark: None }
    }

    /// The case could not be judged.
    pub fn error(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Error, expected: why.into(), came: String::new(), mark: None }
    }

    /// With the datagram at fault.
    #[must_use]
    pub fn at(self, heard: &ReceivedDatagram) -> Self {
        self.within(heard, 0..0)
    }

    /// With the datagram at fault, and the bytes of it.
    #[must_use]
    pub fn within(self, heard: &ReceivedDatagram, bytes: Range<usize>) -> Self {
        Self { mark: Some(FaultyDatagram { said: heard.said, bytes }), ..self }
    }

    /// With the datagram at fault, and the first field of that name in it.
    #[must_use]
    pub fn field(self, heard: &ReceivedDatagram, name: &str) -> Self {
        let bytes = heard.field(name).unwrap_or_default();
        self.within(heard, bytes)
    }

    /// All of it in one line.
    pub fn text(&self) -> String {
        match self.kind {
            FailureKind::Failed => format!("expected {}; came {}", self.expected, self.came),
            FailureKind::Blocked if !self.came.is_empty() => {
                format!("setup: expected {}; came {}", self.expected, self.came)
            }
            FailureKind::Blocked | FailureKind::Skipped | FailureKind::Error => {
                self.expected.clone()
            }
        }
    }
}
