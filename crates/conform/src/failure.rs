//! Why a case did not pass.

use std::ops::Range;

use super::datagram::ReceivedDatagram;

/// The result of a case.
pub type Done = Result<(), Failure>;

/// Why a case did not pass, in words and with the faulty datagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whether it is a failure of the target.
    pub kind: FailureKind,
    /// What was expected; or why it was skipped, or could not be judged.
    pub expected: String,
    /// What came instead.
    pub came: String,
    /// The datagram with the fault.
    pub mark: Option<FaultyDatagram>,
}

/// The outcome of the case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// The master is at fault.
    Failed,
    /// Its setup failed.
    Blocked,
    /// It cannot run here.
    Skipped,
    /// fragshark itself failed.
    Error,
}

/// The faulty datagram, and the bytes at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyDatagram {
    /// Its index in the case's log.
    pub index: usize,
    /// The bytes at fault; empty for the whole.
    pub bytes: Range<usize>,
}

impl Failure {
    /// The master is at fault.
    pub fn new(expected: impl Into<String>, came: impl Into<String>) -> Self {
        let (expected, came) = (expected.into(), came.into());
        Self { kind: FailureKind::Failed, expected, came, mark: None }
    }

    /// A requirement of the case does not hold.
    pub fn blocked(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Blocked, expected: why.into(), came: String::new(), mark: None }
    }

    /// The same failure in the setup of a case, which blocks it.
    #[must_use]
    pub fn in_setup(self) -> Self {
        match self.kind {
            FailureKind::Failed => Self { kind: FailureKind::Blocked, ..self },
            FailureKind::Blocked | FailureKind::Skipped | FailureKind::Error => self,
        }
    }

    /// The case cannot run here.
    pub fn skipped(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Skipped, expected: why.into(), came: String::new(), mark: None }
    }

    /// The case could not be judged.
    pub fn error(why: impl Into<String>) -> Self {
        Self { kind: FailureKind::Error, expected: why.into(), came: String::new(), mark: None }
    }

    /// With the faulty datagram.
    #[must_use]
    pub fn at(self, datagram: &ReceivedDatagram) -> Self {
        self.within(datagram, 0..0)
    }

    /// With the faulty datagram, and the bytes at fault.
    #[must_use]
    pub fn within(self, datagram: &ReceivedDatagram, bytes: Range<usize>) -> Self {
        Self { mark: Some(FaultyDatagram { index: datagram.index, bytes }), ..self }
    }

    /// With the faulty datagram, and the first field of that name in it.
    #[must_use]
    pub fn field(self, datagram: &ReceivedDatagram, name: &str) -> Self {
        let bytes = datagram.field(name).unwrap_or_default();
        self.within(datagram, bytes)
    }

    /// The whole text in one line.
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
