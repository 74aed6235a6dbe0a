//! Which spans of a message are never shown: the one place that decides it, for every view.

use std::sync::LazyLock;

use super::Secrets;
use crate::proto::{Entry, Party, Reading, entries};
use crate::wire::{Field, Kind, Node, Role, Span, What};

/// What is hidden of one message.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four things that are hidden or not")]
pub struct Mask {
    on: bool,
    strays: bool,
    coded: bool,
    /// Everything that is said, for a secret stands out of its place.
    all: bool,
}

impl Mask {
    /// What `secrets` hides of `entry`'s message, as it was read.
    ///
    /// Beside the fields that are secrets: a coded range whose inside holds one, for anybody can
    /// decode it; bytes that no field claims in a client's message that has a secret; and all keys
    /// and values of a message that is torn so that a secret stands anywhere in it.
    pub fn of(entry: &Entry, reading: &Reading, secrets: Secrets) -> Self {
        if secrets == Secrets::Shown {
            return Self::default();
        }
        let all = &reading.spans().all;
        let strays = guards(entry) && all.iter().any(|s| s.field.kind == Kind::Stray);
        let mask = Self { on: true, strays, coded: false, all: reading.spills() };
        let is_coded = reading.plain().is_some();
        let coded = is_coded && all.iter().any(|s| s.layer > 0 && mask.hides(s));
        Self { coded, ..mask }
    }

    /// Whether the keys of the message are shown as stars.
    pub fn hides_keys(self) -> bool {
        self.on && self.all
    }

    /// Whether a leaf is shown as stars; an empty one has nothing to hide, a group shows its parts.
    pub fn hides(self, span: &Span) -> bool {
        self.on
            && span.node == Node::Leaf
            && span.start < span.end
            && match span.field.kind {
                Kind::Coded => self.coded,
                Kind::Stray => self.strays || self.all,
                Kind::Key => self.all,
                _ if self.all => span.field.is_data(),
                _ => span.field.role == Role::Secret,
            }
    }
}

/// Whether a client sends secrets in this message.
fn guards(entry: &Entry) -> bool {
    static GUARDED: LazyLock<Vec<&'static Entry>> = LazyLock::new(|| {
        let sent = |e: &Entry| e.spec.ways.iter().any(|(from, _)| *from == Party::Client);
        entries().iter().copied().filter(|e| sent(e) && has_secret(e)).collect()
    });
    GUARDED.contains(&entry)
}

fn has_secret(entry: &Entry) -> bool {
    let secret = |field: &&Field| field.role == Role::Secret;
    (entry.outline)().lines.iter().any(|line| match &line.what {
        What::Literal(field, _) | What::OneOf(field, _) | What::Field(field) => secret(field),
        What::View(_, inside) => inside.iter().any(secret),
        What::Branch(_) => false,
    })
}
