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
    pub(super) packets: PacketSelection,
    pub(super) shows_unknown: bool,
}

/// Which packets of the inputs are read.
#[derive(Debug, Clone, Copy)]
pub(super) struct PacketSelection {
    /// How many, from the first.
    pub limit: u64,
    /// Whether packets that look like copies of others are read too.
    pub with_copies: bool,
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
        let packets = PacketSelection { limit: u64::MAX, with_copies: false };
        Self {
            inputs,
            scratch,
            keeps_going: false,
            secrets,
            threads: 1,
            known,
            packets,
            shows_unknown: false,
        }
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
        Self { packets: PacketSelection { limit: packets, ..self.packets }, ..self }
    }

    /// The same; packets that look as if they had been captured twice count as two.
    #[must_use]
    pub fn keeps_copies(self, with_copies: bool) -> Self {
        Self { packets: PacketSelection { with_copies, ..self.packets }, ..self }
    }

    /// The same; datagrams of flows of which nothing is known are messages too.
    #[must_use]
    pub fn shows_unknown(self, shows_unknown: bool) -> Self {
        Self { shows_unknown, ..self }
    }

    /// The same with these packets.
    #[must_use]
    pub(super) fn selecting(self, packets: PacketSelection) -> Self {
        Self { packets, ..self }
    }

    /// The same; so many threads may work on it, at least one. The results are the same.
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }
}
