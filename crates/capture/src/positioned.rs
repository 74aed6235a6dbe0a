//! Reads and writes at a position, without a shared cursor.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

/// Something that can be read anywhere, by several threads at once.
pub(super) trait Positioned {
    /// Reads bytes from `offset` on; 0 at the end.
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize>;

    /// Fills `into` or fails.
    fn read_exact_at(&self, into: &mut [u8], offset: u64) -> io::Result<()> {
        match self.read_up_to(into, offset)? {
            read if read < into.len() => Err(ErrorKind::UnexpectedEof.into()),
            _ => Ok(()),
        }
    }

    /// Fills `into` as far as there are bytes, and returns their number.
    fn read_up_to(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut filled = 0;
        while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            match self.read_at(rest, offset + filled as u64) {
                Ok(0) => break,
                Ok(read) => filled += read,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(filled)
    }
}

impl Positioned for File {
    #[cfg(unix)]
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, into, offset)
    }

    #[cfg(windows)]
    fn read_at(&self, into: &mut [u8], offset: u64) -> io::Result<usize> {
        std::os::windows::fs::FileExt::seek_read(self, into, offset)
    }
}

impl Positioned for [u8] {
    fn read_at(&self, mut into: &mut [u8], offset: u64) -> io::Result<usize> {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = self.get(offset..).unwrap_or_default();
        let length = rest.len().min(into.len());
        io::Write::write(&mut into, rest.get(..length).unwrap_or_default())
    }
}

/// Writes all of `bytes` at `offset`.
#[cfg(unix)]
pub(super) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Writes all of `bytes` at `offset`.
#[cfg(windows)]
pub(super) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => {
                bytes = bytes.get(written..).unwrap_or_default();
                offset += written as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// A stream from the beginning of something positioned.
pub(super) struct ReadAt<P> {
    from: P,
    offset: u64,
}

impl<P: Positioned> ReadAt<P> {
    pub fn new(from: P) -> Self {
        Self { from, offset: 0 }
    }
}

impl<P: Positioned> Read for ReadAt<P> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read_at(into, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}
