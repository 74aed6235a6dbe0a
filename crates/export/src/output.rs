//! Destinations of results: standard output, or a file that appears only when it is complete.

mod target;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read as _, Stdout, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use tempfile::NamedTempFile;

use target::OutputFile;
pub use target::{compressed, folder_of, is_input};

/// A buffered destination. Dropped before [`Output::finish`], it leaves no file.
pub struct Output {
    to: BufWriter<To>,
}

/// What happens to an existing file that is not empty and has other contents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Existing {
    /// It is replaced.
    Replaced,
    /// It stays, and writing fails with [`OutputError::Differs`].
    Kept,
}

/// Why results were not written.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The output is one of the inputs.
    #[error("{0} is an input, and is not overwritten")]
    Input(String),
    /// The name ends like that of a compressed file, and the data is not compressed.
    #[error("{name} would not be compressed; name it without .{end}, or pipe standard output")]
    Compressed {
        /// The name of the file.
        name: String,
        /// The ending of compressed files.
        end: &'static str,
    },
    /// The file has another format than its name says.
    #[error("{0} is not empty and has other contents; --force replaces it")]
    Differs(String),
    /// The reader has closed the pipe.
    #[error("cannot write standard output: it is closed")]
    Closed,
    /// It could not be written.
    #[error("cannot write {name}")]
    Write {
        /// The name of the destination.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
}

enum To {
    Standard(Stdout),
    /// A pipe, device or other special file is written directly.
    Direct(File, PathBuf),
    /// An unnamed file, later linked to the target: nothing is left of it, however the program
    /// ends.
    Unnamed(File, OutputFile),
    /// A file beside the target, later renamed to it, if the file system has no unnamed files.
    Beside(NamedTempFile, OutputFile),
    /// An existing file that must have the same contents: they are compared, nothing is written.
    Compared(BufReader<File>, PathBuf),
}

/// Whether standard output was closed when the program began.
static CLOSED: AtomicBool = AtomicBool::new(false);

impl Output {
    const BUFFER: usize = 1 << 16;

    fn new(to: To) -> Self {
        Self { to: BufWriter::with_capacity(Self::BUFFER, to) }
    }

    /// Records that the program was started with standard output closed. The runtime opens
    /// `/dev/null` instead, where results would be lost without an error.
    #[cfg(target_os = "linux")]
    pub fn standard_is_closed() {
        CLOSED.store(true, Ordering::Relaxed);
    }

    /// Standard output. Fails where it was closed when the program began.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn standard() -> Result<Self, OutputError> {
        if CLOSED.load(Ordering::Relaxed) {
            return Err(OutputError::Closed);
        }
        Ok(Self::new(To::Standard(io::stdout())))
    }

    /// A file that is complete or absent, and none of `inputs`. Symbolic links are followed, not
    /// replaced. A replaced file passes on its mode and its owner.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn file(path: &Path, inputs: &[OsString], existing: Existing) -> Result<Self, OutputError> {
        let name = || path.display().to_string();
        let cannot = |source| OutputError::Write { name: name(), source };
        if let Some(stream) = target::standard_stream(path) {
            if CLOSED.load(Ordering::Relaxed) {
                return Err(OutputError::Closed);
            }
            return Ok(Self::new(To::Direct(stream.map_err(cannot)?, path.to_owned())));
        }
        let found = fs::metadata(path).ok();
        let is_input = || inputs.iter().any(|input| target::is_input(path, input));
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            // A pipe that is both input and output returns its own data, without an end.
            if found.as_ref().is_some_and(target::is_pipe) && is_input() {
                return Err(OutputError::Input(name()));
            }
            let file = OpenOptions::new().write(true).open(path);
            return Ok(Self::new(To::Direct(file.map_err(cannot)?, path.to_owned())));
        }
        if is_input() {
            return Err(OutputError::Input(name()));
        }
        if let Some(end) = target::compressed(path) {
            return Err(OutputError::Compressed { name: name(), end });
        }
        if existing == Existing::Kept && found.is_some_and(|found| found.len() > 0) {
            let file = BufReader::with_capacity(Self::BUFFER, File::open(path).map_err(cannot)?);
            return Ok(Self::new(To::Compared(file, path.to_owned())));
        }
        let mut target = OutputFile::at_path(path, existing).map_err(cannot)?;
        if let Ok(file) = target::unnamed(&target.folder()) {
            target.copy_attributes(&file).map_err(cannot)?;
            return Ok(Self::new(To::Unnamed(file, target)));
        }
        match target::beside().tempfile_in(target.folder()) {
            Ok(temporary) => {
                target.copy_attributes(temporary.as_file()).map_err(cannot)?;
                Ok(Self::new(To::Beside(temporary, target)))
            }
            // The file may be writable although its directory is not.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied && target.overwrite() => {
                Ok(Self::new(To::Unnamed(tempfile::tempfile().map_err(cannot)?, target)))
            }
            // The error text names the temporary file.
            Err(error) => Err(cannot(error.kind().into())),
        }
    }

    /// Writes out what is buffered; an unnamed or temporary file gets its name.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn finish(self) -> Result<(), OutputError> {
        let name = self.name();
        let to = self.to.into_inner().map_err(io::IntoInnerError::into_error);
        let finished = to.and_then(|to| match to {
            To::Standard(mut out) => out.flush(),
            To::Direct(mut file, _) => file.flush(),
            To::Unnamed(file, target) => target.take_unnamed(file),
            To::Beside(file, target) => target.take_named(file),
            To::Compared(mut file, path) => match file.read(&mut [0])? {
                0 => Ok(()),
                _ => Err(differs(&path)),
            },
        });
        finished.map_err(|source| OutputError::Write { name, source })
    }

    /// The directory in which a file gets its name at the end; open files need none.
    pub fn folder(&self) -> Vec<PathBuf> {
        match self.to.get_ref() {
            To::Standard(_) | To::Direct(..) | To::Compared(..) => Vec::new(),
            To::Beside(_, target) | To::Unnamed(_, target) => vec![target.folder()],
        }
    }

    fn name(&self) -> String {
        match self.to.get_ref() {
            To::Standard(_) => "standard output".to_owned(),
            To::Direct(_, path) | To::Compared(_, path) => path.display().to_string(),
            To::Unnamed(_, target) | To::Beside(_, target) => target.name(),
        }
    }
}

/// A file in `folder` with a temporary name; dropped, it is removed.
pub(super) fn temporary(folder: &Path) -> io::Result<NamedTempFile> {
    target::beside().tempfile_in(folder)
}

/// The error for an existing file that is kept.
fn differs(path: &Path) -> io::Error {
    let differs = OutputError::Differs(path.display().to_string());
    io::Error::new(io::ErrorKind::AlreadyExists, differs)
}

/// Compares `bytes` with the next ones of a file.
fn compare(file: &mut BufReader<File>, path: &Path, bytes: &[u8]) -> io::Result<usize> {
    let mut there = vec![0; bytes.len()];
    match file.read_exact(&mut there) {
        Ok(()) if there == bytes => Ok(bytes.len()),
        Ok(()) => Err(differs(path)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(differs(path)),
        Err(error) => Err(error),
    }
}

/// Errors name the destination: as text they are those of [`OutputError`].
impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes).map_err(|error| named(error, || self.name()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush().map_err(|error| named(error, || self.name()))
    }
}

/// The same error with the name of the destination, unless it has one.
fn named(error: io::Error, name: impl Fn() -> String) -> io::Error {
    if let Some(inner) = error.get_ref()
        && inner.is::<OutputError>()
    {
        return error;
    }
    io::Error::new(error.kind(), OutputError::Write { name: name(), source: error })
}

/// A file that is there while it is written, as recordings are. Errors name it, as those of
/// [`Output`].
pub struct NamedFile {
    file: BufWriter<File>,
    path: PathBuf,
}

impl NamedFile {
    /// Creates the file, or overwrites it.
    ///
    /// # Errors
    /// Why it cannot be written.
    pub fn create(path: &Path) -> Result<Self, OutputError> {
        let cannot = |source| OutputError::Write { name: path.display().to_string(), source };
        let file = BufWriter::new(File::create(path).map_err(cannot)?);
        Ok(Self { file, path: path.to_owned() })
    }
}

impl Write for NamedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes).map_err(|error| named(error, || self.path.display().to_string()))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush().map_err(|error| named(error, || self.path.display().to_string()))
    }
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Direct(file, _) | Self::Unnamed(file, _) => file.write(bytes),
            Self::Beside(file, _) => file.write(bytes),
            Self::Compared(file, path) => compare(file, path, bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Direct(file, _) | Self::Unnamed(file, _) => file.flush(),
            Self::Beside(file, _) => file.flush(),
            Self::Compared(..) => Ok(()),
        }
    }
}
