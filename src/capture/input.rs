//! Inputs: what can be opened, and what its first bytes say that it is.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::compression::Compression;
use super::format::Format;
use super::positioned::ReadAt;
use super::shelf::Held;
use super::source::Source;
use super::warning::reason;
use super::window::Window;

/// Something that frames are read from.
#[derive(Debug, Clone)]
pub enum Input {
    /// A file, or a pipe that has a name.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A capture that is in memory already: the built-in tour, or a test's.
    Memory {
        /// What warnings call it.
        name: String,
        /// The whole capture file.
        bytes: Arc<[u8]>,
    },
}

/// Why an input gives no frames at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The operating system refuses to open it.
    #[error("cannot open {input}: {reason}")]
    Open {
        /// Name of the input.
        input: String,
        /// The system's words.
        reason: String,
    },
    /// Its first bytes cannot be read or uncompressed.
    #[error("cannot read {input}: {reason}")]
    Read {
        /// Name of the input.
        input: String,
        /// The system's words, or the decoder's.
        reason: String,
    },
    /// It has no bytes.
    #[error("{0} is empty")]
    Empty(String),
    /// It is something else.
    #[error("{input} is no capture: {}it begins with {begins}, not with a pcap or pcapng header",
        if *.compressed { "uncompressed, " } else { "" })]
    NotACapture {
        /// Name of the input.
        input: String,
        /// Its first bytes, escaped and in quotes.
        begins: String,
        /// Whether these bytes were found inside a compressed stream.
        compressed: bool,
    },
    /// More inputs than places can tell apart.
    #[error("{0} inputs are too many to open at once")]
    TooMany(usize),
}

/// An input, opened and recognised.
pub(super) struct Opened {
    pub source: Source,
    /// What its places refer to, if it can be read again.
    pub held: Option<Held>,
    /// How many bytes it has, compressed as it may be; not known of pipes.
    pub size: Option<u64>,
}

/// An input's bytes before anything is known of them.
struct Raw {
    stream: Box<dyn Read + Send>,
    held: Option<Held>,
    size: Option<u64>,
}

impl Input {
    /// The input that a command line means: `-` is standard input, everything else a file.
    pub fn from_argument(argument: &OsStr) -> Self {
        if argument == "-" { Self::Stdin } else { Self::File(argument.into()) }
    }

    /// What messages call it.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
            Self::Memory { name, .. } => name.clone(),
        }
    }

    /// Opens it, uncompresses it and recognises its format. `read` counts the bytes that are read
    /// from it.
    pub(super) fn open(&self, read: &Arc<AtomicU64>) -> Result<Opened, OpenError> {
        let input = self.name();
        let raw = match self.raw() {
            Ok(raw) => raw,
            Err(error) => return Err(OpenError::Open { input, reason: reason(&error) }),
        };
        let counted = Counted { stream: raw.stream, read: Arc::clone(read) };
        let (compression, stream) = match Compression::undo(counted) {
            Ok(undone) => undone,
            Err(error) => return Err(OpenError::Read { input, reason: reason(&error) }),
        };
        let compressed = compression != Compression::None;
        let mut window = Window::new(stream);
        window.hold(Format::RECOGNISED_BY);
        let Some(format) = Format::of(window.bytes()) else {
            let begins = window.bytes();
            let begins = begins.get(..Format::RECOGNISED_BY).unwrap_or(begins);
            return Err(match window.failure() {
                Some(reason) => OpenError::Read { input, reason: reason.to_owned() },
                None if begins.is_empty() => OpenError::Empty(input),
                None => {
                    let begins = format!("\"{}\"", begins.escape_ascii());
                    OpenError::NotACapture { input, begins, compressed }
                }
            });
        };
        let held = raw.held.filter(|_| !compressed);
        let source = Source::new(input, window, format, held.is_some());
        Ok(Opened { source, held, size: raw.size })
    }

    fn raw(&self) -> io::Result<Raw> {
        match self {
            Self::Stdin => Ok(Raw { stream: Box::new(io::stdin()), held: None, size: None }),
            Self::Memory { bytes, .. } => {
                let held = Held::Memory(Arc::clone(bytes));
                let size = bytes.len() as u64;
                Ok(Raw { stream: Box::new(held.stream()), held: Some(held), size: Some(size) })
            }
            Self::File(path) => {
                let file = File::open(path)?;
                let metadata = file.metadata()?;
                if !metadata.is_file() {
                    return Ok(Raw { stream: Box::new(file), held: None, size: None });
                }
                let held = Held::File(Arc::new(file));
                let size = Some(metadata.len());
                Ok(Raw { stream: Box::new(held.stream()), held: Some(held), size })
            }
        }
    }
}

impl Held {
    /// A stream over it that shares no cursor with anybody.
    fn stream(&self) -> ReadAt<Self> {
        ReadAt::new(self.clone())
    }
}

/// Counts the bytes that pass through.
struct Counted {
    stream: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for Counted {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
