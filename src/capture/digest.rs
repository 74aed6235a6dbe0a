//! The identity of an input: its length and its hash.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

use super::payload_store::HeldInput;
use super::positioned::ReadAt;
use super::warning::reason;
use super::{Input, OpenError};

/// How much is hashed at once.
const BUFFER: usize = 1 << 18;

/// The length and the hash of the contents of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InputDigest {
    /// Its length in bytes.
    pub bytes: u64,
    /// The BLAKE3 hash of all bytes, compressed if the file is.
    pub hash: [u8; 32],
}

impl InputDigest {
    /// Of several inputs: the sum of the lengths, and the hash of the hashes in their order. Of one
    /// input, its own.
    pub fn of_all(digests: &[Self]) -> Self {
        if let [only] = digests {
            return *only;
        }
        let mut hasher = blake3::Hasher::new();
        for digest in digests {
            hasher.update(&digest.hash);
        }
        let bytes = digests.iter().map(|digest| digest.bytes).sum();
        Self { bytes, hash: *hasher.finalize().as_bytes() }
    }

    fn of(bytes: &[u8]) -> Self {
        Self { bytes: bytes.len() as u64, hash: *blake3::hash(bytes).as_bytes() }
    }

    /// The hash as 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        hex::encode(self.hash)
    }
}

impl Input {
    /// Reads a whole file for its digest; nothing for input that can be read only once. A file must
    /// be [held](Input::held), so that the same one is read later.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read.
    pub fn digest(&self) -> Result<Option<InputDigest>, OpenError> {
        let input = self.name();
        match self {
            Self::Memory { bytes, .. } => Ok(Some(InputDigest::of(bytes.as_ref()))),
            Self::Held { file, .. } => {
                if !file.metadata().is_ok_and(|file| file.is_file()) {
                    return Ok(None);
                }
                let digest = read(ReadAt::new(HeldInput::File(Arc::clone(file))));
                digest.map(Some).map_err(|error| OpenError::Read { input, reason: reason(&error) })
            }
            Self::File(path) => match File::open(path) {
                Ok(_) => Ok(None),
                Err(error) => Err(OpenError::Open { input, reason: reason(&error) }),
            },
            Self::Stdin | Self::Live(_) => Ok(None),
        }
    }
}

fn read(mut from: impl Read) -> io::Result<InputDigest> {
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; BUFFER]);
    let mut bytes = 0;
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(buffer.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
    Ok(InputDigest { bytes, hash: *hasher.finalize().as_bytes() })
}
