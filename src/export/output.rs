//! Where results go: standard output, or a file that appears only when it is whole.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A buffered place for results. Dropped before [`Output::finish`], it leaves no file.
pub struct Output {
    to: BufWriter<To>,
}

/// Why results did not get to their place.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    #[error("{0} is an input, and is not overwritten")]
    Input(String),
    #[error("cannot write {name}")]
    Write {
        /// Of the place.
        name: String,
        source: io::Error,
    },
}

enum To {
    Standard(Stdout),
    /// What is no regular file (a pipe, a device) is written as it is.
    Direct(File, PathBuf),
    /// A file without a name, to be linked to the target: nothing is left of it, whatever ends
    /// the program.
    Unnamed(File, PathBuf),
    /// A file beside the target, to be renamed to it, where the file system has no others.
    Beside(NamedTempFile, PathBuf),
}

impl Output {
    const BUFFER: usize = 1 << 16;

    fn new(to: To) -> Self {
        Self { to: BufWriter::with_capacity(Self::BUFFER, to) }
    }

    /// Standard output.
    pub fn standard() -> Self {
        Self::new(To::Standard(io::stdout()))
    }

    /// A file that is whole or not there, and none of `inputs`.
    pub fn file(path: &Path, inputs: &[OsString]) -> Result<Self, OutputError> {
        let name = || path.display().to_string();
        let cannot = |source| OutputError::Write { name: name(), source };
        // A link stays one: what it leads to is written.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let is_target = |input: &OsString| {
            let input = if input == "-" { OsStr::new("/dev/stdin") } else { input };
            fs::canonicalize(input).is_ok_and(|i| i == target)
        };
        if inputs.iter().any(is_target) {
            return Err(OutputError::Input(name()));
        }
        if fs::metadata(&target).is_ok_and(|metadata| !metadata.is_file()) {
            let file = OpenOptions::new().write(true).open(&target);
            return Ok(Self::new(To::Direct(file.map_err(cannot)?, target)));
        }
        let folder = folder_of(&target);
        if let Ok(file) = unnamed(&folder) {
            return Ok(Self::new(To::Unnamed(file, target)));
        }
        let temporary = beside().tempfile_in(folder).map_err(cannot)?;
        Ok(Self::new(To::Beside(temporary, target)))
    }

    /// Writes out what is buffered; a file takes its name.
    pub fn finish(self) -> Result<(), OutputError> {
        let name = self.name();
        let to = self.to.into_inner().map_err(io::IntoInnerError::into_error);
        let finished = to.and_then(|to| match to {
            To::Standard(mut out) => out.flush(),
            To::Direct(mut file, _) => file.flush(),
            To::Unnamed(file, target) => name_it(&file, &target),
            To::Beside(file, target) => file.persist(target).map(drop).map_err(|e| e.error),
        });
        finished.map_err(|source| OutputError::Write { name, source })
    }

    /// The folder in which a file takes its name at the end; what is open already needs none.
    pub fn folder(&self) -> Vec<PathBuf> {
        match self.to.get_ref() {
            To::Standard(_) | To::Direct(..) => Vec::new(),
            To::Beside(_, target) | To::Unnamed(_, target) => vec![folder_of(target)],
        }
    }

    fn name(&self) -> String {
        match self.to.get_ref() {
            To::Standard(_) => "standard output".to_owned(),
            To::Direct(_, path) | To::Unnamed(_, path) | To::Beside(_, path) => {
                path.display().to_string()
            }
        }
    }
}

/// How a file with a passing name is made.
fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    // Temporary files are nobody else's to read; this one is a result, and the umask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".fragshark-");
    builder
}

/// Opens a file in `folder` that has no name.
#[cfg(target_os = "linux")]
fn unnamed(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
    Ok(File::from(open(folder, flags, Mode::from_raw_mode(0o666))?))
}

#[cfg(not(target_os = "linux"))]
fn unnamed(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives a file its name; one that has it already is replaced, by way of a third name.
#[cfg(target_os = "linux")]
fn name_it(file: &File, target: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{AtFlags, CWD, linkat};
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    let link = |to: &Path| linkat(CWD, &open, CWD, to, AtFlags::SYMLINK_FOLLOW);
    match link(target) {
        Err(rustix::io::Errno::EXIST) => {}
        linked => return Ok(linked?),
    }
    let third = beside().make_in(folder_of(target), |path| Ok(link(path)?))?;
    third.persist(target).map_err(|e| e.error)
}

#[cfg(not(target_os = "linux"))]
fn name_it(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

impl Write for To {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Standard(out) => out.write(bytes),
            Self::Direct(file, _) | Self::Unnamed(file, _) => file.write(bytes),
            Self::Beside(file, _) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Standard(out) => out.flush(),
            Self::Direct(file, _) | Self::Unnamed(file, _) => file.flush(),
            Self::Beside(file, _) => file.flush(),
        }
    }
}
