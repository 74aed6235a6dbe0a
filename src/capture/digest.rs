//! The identity of an input: its length and its hash.

use std::fs::File;
use std::io::{self, Read, Write};
use std::sync::Arc;

use super::payload_store::HeldInput;
use super::positioned::ReadAt;
use super::warning::reason;
use super::{Input, OpenError};

/// How much is read at once.
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

    /// The hash as 64 hexadecimal digits.
    pub fn hex(&self) -> String {
        hex::encode(self.hash)
    }
}

impl Input {
    /// Reads the whole input for its digest, and returns it opened: the same bytes are read later.
    /// What can be read only once is copied to `scratch`, an empty temporary file.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or not be copied.
    pub fn hashed(self, scratch: Option<File>) -> Result<(Self, InputDigest), OpenError> {
        let input = self.name();
        let hashed = match &self {
            Self::File(path) => {
                let open = |error| OpenError::Open { input: input.clone(), reason: reason(&error) };
                let (name, file) = (self.name(), Arc::new(File::open(path).map_err(open)?));
                return Self::Held { name, file }.hashed(scratch);
            }
            Self::Memory { bytes, .. } => digest(bytes.as_ref(), io::sink()),
            Self::Held { file, .. } if file.metadata().is_ok_and(|file| file.is_file()) => {
                digest(ReadAt::new(HeldInput::File(Arc::clone(file))), io::sink())
            }
            Self::Held { file, .. } => return copied(input, file.as_ref(), scratch),
            Self::Stdin => return copied(input, io::stdin().lock(), scratch),
            Self::Live(_) => Err(io::ErrorKind::Unsupported.into()),
        };
        match hashed {
            Ok(digest) => Ok((self, digest)),
            Err(error) => Err(OpenError::Read { input, reason: reason(&error) }),
        }
    }
}

/// Copies an input to a temporary file, which stands for it.
fn copied(
    name: String,
    from: impl Read,
    scratch: Option<File>,
) -> Result<(Input, InputDigest), OpenError> {
    let copy = || {
        let file = scratch.map_or_else(tempfile::tempfile, Ok)?;
        let digest = digest(from, &file)?;
        Ok((Arc::new(file), digest))
    };
    match copy() {
        Ok((file, digest)) => Ok((Input::Held { name, file }, digest)),
        Err(error) => {
            let error: io::Error = error;
            Err(OpenError::Read { input: name, reason: reason(&error) })
        }
    }
}

/// Reads everything, and copies it to `to`.
fn digest(mut from: impl Read, mut to: impl Write) -> io::Result<InputDigest> {
    let (mut hasher, mut buffer) = (blake3::Hasher::new(), vec![0; BUFFER]);
    let mut bytes = 0;
    loop {
        let read = match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => buffer.get(..read).unwrap_or_default(),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        hasher.update(read);
        to.write_all(read)?;
        bytes += read.len() as u64;
    }
    Ok(InputDigest { bytes, hash: *hasher.finalize().as_bytes() })
}
