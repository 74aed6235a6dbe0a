//! What is opened before rights are given up.

use std::fs::File;

use crate::capture::Input;

/// Inputs that are open, and nothing of them read; and a temporary file for later, when none can be
/// made.
pub struct Prepared {
    pub(super) inputs: Vec<Input>,
    pub(super) scratch: Option<File>,
    pub(super) keeps_going: bool,
}

impl Prepared {
    /// Opens what can be opened; what cannot is told by whoever reads it.
    pub fn new(inputs: Vec<Input>) -> Self {
        let inputs = inputs.into_iter().map(Input::held).collect();
        Self { inputs, scratch: tempfile::tempfile().ok(), keeps_going: false }
    }

    /// The same; inputs that cannot be read are left out, unless all are.
    #[must_use]
    pub fn keeps_going(self, keeps_going: bool) -> Self {
        Self { keeps_going, ..self }
    }
}
