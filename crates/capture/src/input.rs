//! Inputs: how they are opened and recognised.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use super::compression::Compression;
use super::format::FormatReader;
use super::hexdump;
use super::identity::InputContent;
use super::known_file::KnownFile;
use super::live::LiveCapture;
use super::payload_store::HeldInput;
use super::positioned::ReadAt;
use super::source::{File as FileSource, FrameSource};
use super::warning::reason;
use super::window::Window;

/// A source of frames.
#[derive(Debug, Clone)]
pub enum Input {
    /// A file, or a named pipe.
    File(PathBuf),
    /// Standard input.
    Stdin,
    /// A capture in memory: the built-in tour, or a test's.
    Memory {
        /// Its name in warnings.
        name: String,
        /// The whole capture file.
        bytes: Arc<[u8]>,
    },
    /// An open file, which stays the same if another takes its name; or an open pipe.
    Held {
        /// Its name in warnings.
        name: String,
        /// Open for reading; a regular file is read by position, without its cursor.
        file: Arc<File>,
    },
    /// Devices of a live capture; their frames can be read once.
    Live(LiveCapture),
    /// An input that may be a hexdump: payloads without headers are datagrams between these ports.
    /// All inputs may be hexdumps; of others both ports are 0.
    Ports(Box<Input>, [u16; 2]),
}

/// Why an input has no frames at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// The operating system refuses to open it.
    #[error("cannot open {input}: {reason}")]
    Open {
        /// Name of the input.
        input: String,
        /// The system's error message.
        reason: String,
    },
    /// Its first bytes cannot be read or uncompressed.
    #[error("cannot read {input}: {reason}")]
    Read {
        /// Name of the input.
        input: String,
        /// The system's error message, or the decoder's.
        reason: String,
    },
    /// It has no bytes.
    #[error("{0} is empty")]
    Empty(String),
    /// It is not a capture.
    #[error("{input} is no capture: {}{}it begins with {begins}, not with a pcap or pcapng header",
        .known.map_or(String::new(), |known| format!("{}; ", known.text(input))),
        if *.compressed { "uncompressed, " } else { "" })]
    NotACapture {
        /// Name of the input.
        input: String,
        /// What it is, as far as its first bytes say.
        known: Option<&'static KnownFile>,
        /// Its first bytes, escaped and in quotes.
        begins: String,
        /// Whether these bytes were found inside a compressed stream.
        compressed: bool,
    },
    /// More inputs than a [`ByteRange`](super::ByteRange) can refer to.
    #[error("{0} inputs are too many to open at once")]
    TooMany(usize),
}

impl OpenError {
    /// The name of the input; nothing where it is about all of them.
    pub fn input(&self) -> Option<&str> {
        match self {
            Self::Open { input, .. }
            | Self::Read { input, .. }
            | Self::Empty(input)
            | Self::NotACapture { input, .. } => Some(input),
            Self::TooMany(_) => None,
        }
    }
}

/// An input, opened and recognised.
pub(super) struct OpenInput {
    pub source: FrameSource,
    /// The source for byte ranges, if it can be read again.
    pub held: Option<HeldInput>,
    /// Its size in bytes, compressed or not; unknown for pipes.
    pub size: Option<u64>,
    pub content: InputContent,
    /// Whether it is text with packets.
    pub is_hexdump: bool,
}

/// An input's bytes before the format is known.
struct Raw {
    stream: Box<dyn Read + Send>,
    held: Option<HeldInput>,
    size: Option<u64>,
}

impl Input {
    /// The input for a command-line argument: `-` is standard input, everything else a file.
    pub fn from_argument(argument: &OsStr) -> Self {
        if argument == "-" { Self::Stdin } else { Self::File(argument.into()) }
    }

    /// Its name as an argument: the path as it was given, `-` for standard input; of a device, its
    /// name.
    pub fn argument(&self) -> String {
        match self {
            Self::Stdin => "-".to_owned(),
            Self::Ports(input, _) => input.argument(),
            // A copy of it.
            Self::Held { name, .. } if *name == Self::Stdin.name() => "-".to_owned(),
            _ => self.name(),
        }
    }

    /// Its name in messages.
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path_text(path),
            Self::Stdin => "standard input".to_owned(),
            Self::Memory { name, .. } | Self::Held { name, .. } => name.clone(),
            Self::Live(live) => live.name(),
            Self::Ports(input, _) => input.name(),
        }
    }

    /// The same, opened but not read: it can be read later, and a regular file again, without the
    /// permission to open it. If opening fails it stays unchanged. For a named pipe, waits until
    /// another process opens the other end.
    #[must_use]
    pub fn held(self) -> Self {
        match self {
            Self::Ports(input, ports) => Self::Ports(Box::new(input.held()), ports),
            Self::File(ref path) => match File::open(path) {
                Ok(file) => Self::Held { name: self.name(), file: Arc::new(file) },
                Err(_) => self,
            },
            _ => self,
        }
    }

    /// Opens it, decompresses it and recognises its format. `read` counts the bytes that are read
    /// from it.
    pub(super) fn open(&self, read: &Arc<AtomicU64>) -> Result<OpenInput, OpenError> {
        self.open_between([0; 2], read)
    }

    fn open_between(&self, ports: [u16; 2], read: &Arc<AtomicU64>) -> Result<OpenInput, OpenError> {
        let input = self.name();
        let raw = match self {
            Self::Live(live) => {
                return Ok(OpenInput {
                    source: FrameSource::Live(live.source()),
                    held: None,
                    size: None,
                    content: InputContent::Stream(OnceLock::new()),
                    is_hexdump: false,
                });
            }
            Self::Ports(input, ports) => return input.open_between(*ports, read),
            Self::File(path) => File::open(path).map(Arc::new).and_then(Raw::of_file),
            Self::Held { file, .. } => Raw::of_file(Arc::clone(file)),
            Self::Stdin => Ok(Raw { stream: Box::new(io::stdin()), held: None, size: None }),
            Self::Memory { bytes, .. } => {
                Ok(Raw::new(HeldInput::Memory(Arc::clone(bytes)), bytes.len() as u64))
            }
        };
        let raw = match raw {
            Ok(raw) => raw,
            Err(error) => return Err(OpenError::Open { input, reason: reason(&error) }),
        };
        let counted = CountingInput { stream: raw.stream, read: Arc::clone(read) };
        let undone = Compression::undo(counted).and_then(|(compression, stream)| {
            let (is_hexdump, stream) = hexdump::converted(stream, ports)?;
            Ok((compression, is_hexdump, stream))
        });
        let (compression, is_hexdump, stream) = match undone {
            Ok(undone) => undone,
            Err(error) => return Err(OpenError::Read { input, reason: reason(&error) }),
        };
        let compressed = compression != Compression::None;
        let mut window = Window::new(stream);
        window.hold(FormatReader::RECOGNISED_BY);
        let Some(format) = FormatReader::from_beginning(window.bytes()) else {
            let begins = window.bytes();
            let begins = begins.get(..FormatReader::RECOGNISED_BY).unwrap_or(begins);
            return Err(match window.failure() {
                Some(reason) => OpenError::Read { input, reason: reason.to_owned() },
                None if begins.is_empty() => OpenError::Empty(input),
                None => {
                    let known = KnownFile::from_beginning(window.bytes());
                    let begins = format!("\"{}\"", begins.escape_ascii());
                    OpenError::NotACapture { input, known, begins, compressed }
                }
            });
        };
        let content = match (&raw.held, raw.size) {
            (Some(held), Some(size)) => InputContent::Held(held.clone(), size),
            _ => InputContent::Stream(OnceLock::new()),
        };
        let held = raw.held.filter(|_| !compressed && !is_hexdump);
        let source = FileSource::new(input, window, format, held.is_some());
        let source = FrameSource::File(Box::new(source));
        Ok(OpenInput { source, held, size: raw.size, content, is_hexdump })
    }
}

/// A path as text; one that is not UTF-8 is read as Latin-1, so that no two are equal.
fn path_text(path: &Path) -> String {
    let latin = || path.as_os_str().as_encoded_bytes().iter().copied().map(char::from).collect();
    path.to_str().map_or_else(latin, str::to_owned)
}

impl Raw {
    /// Bytes that can be read at any position, and again.
    fn new(held: HeldInput, size: u64) -> Self {
        Self { stream: Box::new(held.stream()), held: Some(held), size: Some(size) }
    }

    /// A file, or a named pipe.
    fn of_file(file: Arc<File>) -> io::Result<Self> {
        let metadata = file.metadata()?;
        if metadata.is_file() {
            return Ok(Self::new(HeldInput::File(file), metadata.len()));
        }
        Ok(Self { stream: Box::new(file), held: None, size: None })
    }
}

impl HeldInput {
    /// A stream with a cursor of its own.
    fn stream(&self) -> ReadAt<Self> {
        ReadAt::new(self.clone())
    }
}

/// Counts the bytes that are read.
struct CountingInput {
    stream: Box<dyn Read + Send>,
    read: Arc<AtomicU64>,
}

impl Read for CountingInput {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.stream.read(into)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
