//! A number that tells the inputs of one run from those of others, by their content.
//!
//! The whole of large captures would take seconds to read, so it is computed of their lengths and
//! of their first and last bytes, when it is asked for.

use std::sync::OnceLock;

use blake3::{Hash, Hasher};

use super::Frame;
use super::payload_store::HeldInput;
use super::positioned::Positioned as _;

/// How many bytes at the beginning and at the end of an input count.
const PART: u64 = 64 << 10;

/// What identifies the inputs.
#[derive(Default)]
pub struct InputIdentity {
    inputs: Vec<InputContent>,
    number: OnceLock<u64>,
}

/// What is known of the content of one input.
pub(super) enum InputContent {
    /// A file, as it is stored, and its length in bytes.
    Held(HeldInput, u64),
    /// A pipe or a device: the hash of its first frame.
    Stream(OnceLock<Hash>),
}

impl InputIdentity {
    pub(super) fn new(inputs: Vec<InputContent>) -> Self {
        Self { inputs, number: OnceLock::new() }
    }

    /// The number: the first 64 bits of the BLAKE3 hash of the only input, or of the hashes of all.
    /// An input that cannot be read counts as far as it can.
    pub fn number(&self) -> u64 {
        *self.number.get_or_init(|| {
            let hashes: Vec<Hash> = self.inputs.iter().map(InputContent::hash).collect();
            let hash = match hashes.as_slice() {
                [only] => *only,
                several => {
                    let mut all = Hasher::new();
                    for hash in several {
                        all.update(hash.as_bytes());
                    }
                    all.finalize()
                }
            };
            hash.as_bytes().first_chunk().map_or(0, |first| u64::from_be_bytes(*first))
        })
    }

    /// Whether the first frame of an input is still needed.
    pub(super) fn needs_frame(&self, input: usize) -> bool {
        let stream = self.inputs.get(input);
        matches!(stream, Some(InputContent::Stream(hash)) if hash.get().is_none())
    }

    /// Takes the first frame of an input that is read once.
    pub(super) fn take_frame(&self, input: usize, frame: &Frame<'_>) {
        if let Some(InputContent::Stream(hash)) = self.inputs.get(input) {
            let mut hasher = Hasher::new();
            hasher.update(&frame.time.to_le_bytes());
            hasher.update(&frame.wire_length.to_le_bytes());
            hasher.update(frame.bytes);
            _ = hash.set(hasher.finalize());
        }
    }
}

impl InputContent {
    fn hash(&self) -> Hash {
        match self {
            Self::Stream(hash) => *hash.get().unwrap_or(&Hash::from_bytes([0; 32])),
            Self::Held(held, length) => {
                let mut hasher = Hasher::new();
                hasher.update(&length.to_le_bytes());
                let mut part = Vec::new();
                let first = PART.min(*length);
                for range in [0..first, first.max(length.saturating_sub(PART))..*length] {
                    part.resize((range.end - range.start) as usize, 0);
                    if held.read_exact_at(&mut part, range.start).is_ok() {
                        hasher.update(&part);
                    }
                }
                hasher.finalize()
            }
        }
    }
}
