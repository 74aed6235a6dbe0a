//! Which spans of a message are shown as stars, for every view.

use codec::{Node, Span};
use protocol::Reading;
use text::Secrets;

/// What is hidden in one message: the spans that decoding has marked as secret ([`Span::secret`]),
/// unless secrets are shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mask {
    on: bool,
    /// A key is secret.
    keys: bool,
    /// No spans were marked, so everything may be secret.
    all: bool,
}

impl Mask {
    /// What is hidden in a decoded message under the setting `secrets`.
    pub fn new(reading: &Reading, secrets: Secrets) -> Self {
        if secrets == Secrets::Shown {
            return Self::default();
        }
        let all = !reading.is_marked();
        Self { on: true, keys: all || reading.has_secret_key(), all }
    }

    /// Whether keys of the message are shown as stars.
    pub fn hides_keys(self) -> bool {
        self.on && self.keys
    }

    /// Whether a leaf is shown as stars; an empty one has nothing to hide, a group shows its parts.
    pub fn hides(self, span: &Span) -> bool {
        self.on && (span.secret || self.all) && span.node == Node::Leaf && span.start < span.end
    }
}
