//! Inputs that are opened before the sandbox is entered.

use std::fs::File;
use std::sync::Arc;

use capture::Input;
use flow::KnownEndpoints;
use text::Secrets;

/// Open inputs, not yet read; and a temporary file, because none can be created later.
pub struct Prepared {
    pub(super) inputs: Vec<Input>,
    pub(super) scratch: Option<File>,
    pub(super) keeps_going: bool,
    pub(super) secrets: Secrets,
    pub(super) threads: usize,
    pub(super) known: Arc<KnownEndpoints>,
    /// How many packets are read.
    pub(super) limit: u64,
}

impl Prepared {
    /// Opens the inputs; errors are reported by the reader.
    pub fn new(inputs: Vec<Input>) -> Self {
        Self::with_scratch(inputs, tempfile::tempfile().ok())
    }

    /// The same with this temporary file, which must be empty.
    pub fn with_scratch(inputs: Vec<Input>, scratch: Option<File>) -> Self {
        let inputs = inputs.into_iter().map(Input::held).collect();
        let (known, secrets) = (Arc::default(), Secrets::Masked);
        Self { inputs, scratch, keeps_going: false, secrets, threads: 1, known, limit: u64::MAX }
    }

    /// The same; inputs that cannot be read are left out, unless all are.
    #[must_use]
    pub fn keeps_going(self, keeps_going: bool) -> Self {
        Self { keeps_going, ..self }
    }

    /// The same with what earlier runs learnt.
    #[must_use]
    pub fn knowing(self, known: Arc<KnownEndpoints>) -> Self {
        Self { known, ..self }
    }

    /// The same; findings, registrations and the reasons of verdicts show secrets, or mask them.
    #[must_use]
    pub fn shows(self, secrets: Secrets) -> Self {
        Self { secrets, ..self }
    }

    /// The same; only the first packets are read, so many.
    #[must_use]
    pub fn limited(self, packets: u64) -> Self {
        Self { limit: packets, ..self }
    }

    /// The same; so many threads may work on it, at least one. The results are the same.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }
}
