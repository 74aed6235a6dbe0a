//! The file for results: its path, what it passes on to the file that replaces it, and how that
//! file gets its name.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Seek as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use super::{Existing, differs};

/// The maximum number of symbolic links to one file, as in Linux.
const LINKS: usize = 40;

/// A regular file, existing or not.
pub(super) struct OutputFile {
    /// Its own path: no symbolic link.
    path: PathBuf,
    existing: Existing,
    /// The file to replace.
    old: Option<Old>,
}

/// The file that is replaced.
struct Old {
    metadata: Metadata,
    /// Open for writing.
    file: File,
    /// Whether it must be overwritten: no other file can have its owner, or all its names.
    stays: bool,
}

impl OutputFile {
    /// The file that `path` names or links to. Fails if it must not be written.
    pub fn at_path(path: &Path, existing: Existing) -> io::Result<Self> {
        let path = followed(path)?;
        let old = match OpenOptions::new().write(true).open(&path) {
            Ok(file) => Some(Old { metadata: file.metadata()?, file, stays: false }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        Ok(Self { path, existing, old })
    }

    pub fn folder(&self) -> PathBuf {
        folder_of(&self.path)
    }

    pub fn name(&self) -> String {
        self.path.display().to_string()
    }

    /// Gives a new file the owner and the mode of what it replaces.
    pub fn copy_attributes(&mut self, new: &File) -> io::Result<()> {
        let Some(old) = &mut self.old else {
            return Ok(());
        };
        old.stays = !take_owner(new, &old.metadata)? || has_other_names(&old.metadata);
        // Last, because a change of owner clears bits of the mode.
        new.set_permissions(old.metadata.permissions())
    }

    /// Marks an existing file to be overwritten, not replaced; false if none exists.
    pub fn overwrite(&mut self) -> bool {
        self.old.as_mut().map(|old| old.stays = true).is_some()
    }

    /// Links an unnamed file to the target.
    pub fn take_unnamed(self, file: File) -> io::Result<()> {
        if let Some(old) = self.old.as_ref().filter(|old| old.stays) {
            return old.write(file);
        }
        match link(&file, &self.path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            linked => return linked,
        }
        if self.is_there(&file)? {
            return Ok(());
        }
        // Only a named file can replace another: it gets a temporary name first.
        let third = beside().make_in(self.folder(), |path| link(&file, path))?;
        third.persist(&self.path).map_err(|error| error.error)
    }

    /// Renames a file beside the target to the target.
    pub fn take_named(self, file: NamedTempFile) -> io::Result<()> {
        if let Some(old) = self.old.as_ref().filter(|old| old.stays) {
            return old.write(file.reopen()?);
        }
        if self.path.exists() && self.is_there(file.as_file())? {
            return Ok(());
        }
        file.persist(&self.path).map(drop).map_err(|error| error.error)
    }

    /// Whether a file appeared since writing began that has the same contents: another process has
    /// written them. Fails if it has others, and existing files are kept.
    fn is_there(&self, new: &File) -> io::Result<bool> {
        if self.existing == Existing::Replaced || self.old.is_some() {
            return Ok(false);
        }
        if has_same_contents(&mut &*new, &mut File::open(&self.path)?)? {
            return Ok(true);
        }
        Err(differs(&self.path))
    }
}

impl Old {
    /// Overwrites it with the contents of `new`.
    fn write(&self, mut new: File) -> io::Result<()> {
        new.rewind()?;
        self.file.set_len(0)?;
        io::copy(&mut new, &mut &self.file).map(drop)
    }
}

/// Compares two files from their beginnings.
fn has_same_contents(one: &mut &File, other: &mut File) -> io::Result<bool> {
    if one.metadata()?.len() != other.metadata()?.len() {
        return Ok(false);
    }
    one.rewind()?;
    let mut other = BufReader::with_capacity(1 << 16, other);
    let mut one = BufReader::with_capacity(1 << 16, one);
    loop {
        let (left, right) = (one.fill_buf()?, other.fill_buf()?);
        let length = left.len().min(right.len());
        if left.get(..length) != right.get(..length) {
            return Ok(false);
        }
        if length == 0 {
            return Ok(left.len() == right.len());
        }
        one.consume(length);
        other.consume(length);
    }
}

/// Gives a file the owner and group of `old`; returns whether that succeeded.
#[cfg(unix)]
fn take_owner(new: &File, old: &Metadata) -> io::Result<bool> {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let is = new.metadata()?;
    if (is.uid(), is.gid()) == (old.uid(), old.gid()) {
        return Ok(true);
    }
    match fchown(new, Some(old.uid()), Some(old.gid())) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(false),
        given => given.map(|()| true),
    }
}

/// Whether other hard links lead to a file.
#[cfg(unix)]
fn has_other_names(of: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(of) > 1
}

#[cfg(not(unix))]
fn has_other_names(_: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn take_owner(_: &File, _: &Metadata) -> io::Result<bool> {
    Ok(true)
}

/// The path after all symbolic links, whether or not a file exists at the end.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        // Without it, a path would lose the `/` that makes it a directory's.
        if path.as_os_str().as_encoded_bytes().ends_with(b"/") {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let Ok(to) = fs::read_link(&path) else {
            // No link, or nothing there.
            let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
            return Ok(fs::canonicalize(folder_of(&path))?.join(name));
        };
        path = folder_of(&path).join(to);
    }
    Err(io::ErrorKind::TooManyLinks.into())
}

/// Standard output or standard error, if `path` names it: opened again, a file would be written
/// from its beginning, and a socket cannot be opened at all.
#[cfg(unix)]
pub(super) fn standard_stream(path: &Path) -> Option<io::Result<File>> {
    use std::os::fd::AsFd as _;
    let stream = match path.to_str()? {
        "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => {
            io::stdout().as_fd().try_clone_to_owned()
        }
        "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => {
            io::stderr().as_fd().try_clone_to_owned()
        }
        _ => return None,
    };
    Some(stream.map(File::from))
}

#[cfg(not(unix))]
pub(super) fn standard_stream(_: &Path) -> Option<io::Result<File>> {
    None
}

/// Whether `path` and an input are one file, by any names.
pub fn is_input(path: &Path, input: &OsString) -> bool {
    let input = Path::new(if input == "-" { OsStr::new("/dev/stdin") } else { input });
    is_same(path, input).unwrap_or(false)
}

#[cfg(unix)]
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;
    let (one, other) = (fs::metadata(one)?, fs::metadata(other)?);
    Ok((one.dev(), one.ino()) == (other.dev(), other.ino()))
}

#[cfg(not(unix))]
fn is_same(one: &Path, other: &Path) -> io::Result<bool> {
    Ok(fs::canonicalize(one)? == fs::canonicalize(other)?)
}

/// Whether it is a pipe.
#[cfg(unix)]
pub(super) fn is_pipe(file: &Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&file.file_type())
}

#[cfg(not(unix))]
pub(super) fn is_pipe(_: &Metadata) -> bool {
    false
}

/// The extension of a name that stands for compressed contents.
pub fn compressed(path: &Path) -> Option<&'static str> {
    let end = path.extension()?;
    ["gz", "zst", "lz4", "xz", "bz2"].into_iter().find(|known| end.eq_ignore_ascii_case(known))
}

/// How a temporary file is made.
pub(super) fn beside() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    // Temporary files are private; this one is a result, so the umask applies.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.prefix(".fragshark-");
    builder
}

/// Opens an unnamed file in `folder`.
#[cfg(target_os = "linux")]
pub(super) fn unnamed(folder: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    Ok(File::from(open(folder, flags, Mode::from_raw_mode(0o666))?))
}

#[cfg(not(target_os = "linux"))]
pub(super) fn unnamed(_: &Path) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Gives an unnamed file a name that no other file has.
#[cfg(target_os = "linux")]
fn link(file: &File, to: &Path) -> io::Result<()> {
    use std::os::fd::AsRawFd as _;

    use rustix::fs::{AtFlags, CWD, linkat};
    let open = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, &open, CWD, to, AtFlags::SYMLINK_FOLLOW)?)
}

#[cfg(not(target_os = "linux"))]
fn link(_: &File, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The folder that a file is in.
pub fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new(".")).to_owned()
}
