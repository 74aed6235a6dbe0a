//! The inputs of a run, as rows name them.

use std::fmt;
use std::sync::Arc;

use capture::{Input, InputIdentity};
use text::escaped;

/// The names of the inputs in their order, and the number that identifies them.
#[derive(Clone, Default)]
pub struct InputSet {
    files: Arc<[String]>,
    identity: Arc<InputIdentity>,
}

impl fmt::Debug for InputSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InputSet").field(&self.files).finish()
    }
}

impl InputSet {
    pub(super) fn new(inputs: &[Input], identity: Arc<InputIdentity>) -> Self {
        let files = inputs.iter().map(|input| escaped(&input.argument()).into_owned()).collect();
        Self { files, identity }
    }

    /// The same inputs under other names.
    #[must_use]
    pub fn renamed(&self, name: impl Fn(&str) -> String) -> Self {
        let files = self.files.iter().map(|file| name(file)).collect();
        Self { files, identity: Arc::clone(&self.identity) }
    }

    /// The same inputs and one more.
    #[must_use]
    pub(super) fn with(&self, input: &Input) -> Self {
        let name = escaped(&input.argument()).into_owned();
        let files = self.files.iter().cloned().chain([name]).collect();
        Self { files, identity: Arc::clone(&self.identity) }
    }

    /// How many inputs there are.
    pub(super) fn count(&self) -> u16 {
        u16::try_from(self.files.len()).unwrap_or(u16::MAX)
    }

    /// The path of an input as it was given, escaped; `-` for standard input.
    pub fn file(&self, input: u16) -> &str {
        self.files.get(usize::from(input)).map_or("", String::as_str)
    }

    /// A number that runs over other inputs do not have. Of a pipe or a device it is known when the
    /// first frame has come; the first call fixes it.
    pub fn number(&self) -> u64 {
        self.identity.number()
    }
}
