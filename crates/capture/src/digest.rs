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
    /// What can be read only once is copied to `scratch`, an empty temporary file, and takes it.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or read, or not be copied.
    pub fn hashed(self, scratch: &mut Option<File>) -> Result<(Self, InputDigest), OpenError> {
        let input = self.name();
        if let Self::Ports(input, ports) = self {
            let (input, digest) = input.hashed(scratch)?;
            return Ok((Self::Ports(Box::new(input), ports), digest));
        }
        if let Self::File(path) = &self {
            let cannot = |error| OpenError::Open { input: input.clone(), reason: reason(&error) };
            let file = Arc::new(File::open(path).map_err(cannot)?);
            return Self::Held { name: input, file }.hashed(scratch);
        }
        if let Some(digest) = self.digest()? {
            return Ok((self, digest));
        }
        match self {
            Self::Held { file, .. } => copied(input, file.as_ref(), scratch),
            Self::Stdin => copied(input, io::stdin().lock(), scratch),
            _ => Err(OpenError::Read { input, reason: "it has no end".to_owned() }),
        }
    }

    /// Reads an open file for its digest; nothing for input that can be read only once.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    pub fn digest(&self) -> Result<Option<InputDigest>, OpenError> {
        let digest = match self {
            Self::Ports(input, _) => return input.digest(),
            Self::Memory { bytes, .. } => digest(bytes.as_ref(), io::sink()),
            Self::Held { file, .. } if file.metadata().is_ok_and(|file| file.is_file()) => {
                digest(ReadAt::new(HeldInput::File(Arc::clone(file))), io::sink())
            }
            _ => return Ok(None),
        };
        let cannot = |error| OpenError::Read { input: self.name(), reason: reason(&error) };
        digest.map(Some).map_err(cannot)
    }
}

/// Copies an input to a temporary file, which stands for it.
fn copied(
    name: String,
    from: impl Read,
    scratch: &mut Option<File>,
) -> Result<(Input, InputDigest), OpenError> {
    let copy = || {
        let file = scratch.take().map_or_else(tempfile::tempfile, Ok)?;
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
