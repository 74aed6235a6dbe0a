//! Files that people give to this program and that are no captures, or captures in other formats: what
//! they are by their first bytes, and the command that helps.

/// A kind of file.
#[derive(Debug, PartialEq, Eq)]
pub struct KnownFile {
    /// What it begins with, without case where it is text.
    begins: &'static [&'static [u8]],
    /// What it is.
    is: &'static str,
    /// The command that makes a capture of it, with the name of the file for `FILE`.
    command: &'static str,
}

/// Converts captures of other formats; it belongs to Wireshark.
const EDITCAP: &str = "editcap -F pcapng FILE capture.pcapng";

static KNOWN: &[KnownFile] = &[
    KnownFile::new(
        &[b"\xfd7zXZ\0"],
        "it is compressed with xz",
        "xz -dc FILE | fragshark decode -",
    ),
    KnownFile::new(&[b"BZh"], "it is compressed with bzip2", "bzip2 -dc FILE | fragshark decode -"),
    KnownFile::new(
        &[b"\x1f\x9d"],
        "it is compressed with compress",
        "zcat FILE | fragshark decode -",
    ),
    KnownFile::new(&[b"LZIP"], "it is compressed with lzip", "lzip -dc FILE | fragshark decode -"),
    KnownFile::new(
        &[b"\x5d\0\0"],
        "it may be compressed with lzma",
        "xz --format=lzma -dc FILE | fragshark decode -",
    ),
    KnownFile::new(&[b"7z\xbc\xaf\x27\x1c"], "it is a 7z archive", "7z x FILE"),
    KnownFile::new(&[b"PK\x03\x04"], "it is a zip archive", "unzip -p FILE | fragshark decode -"),
    KnownFile::new(&[b"Rar!"], "it is a rar archive", "unrar p -inul FILE | fragshark decode -"),
    KnownFile::new(&[b"snoop\0"], "it is a capture in the snoop format of Solaris", EDITCAP),
    KnownFile::new(&[b"GMBU", b"RTSS"], "it is a capture of Microsoft's Network Monitor", EDITCAP),
    KnownFile::new(&[b"TRSNIFF data"], "it is a capture of the Sniffer", EDITCAP),
    KnownFile::new(&[b"XCP\0"], "it is a capture of the Windows Sniffer or NetXRay", EDITCAP),
    KnownFile::new(&[b"\x7fver"], "it is a capture of EtherPeek", EDITCAP),
    KnownFile::new(&[b"iptrace "], "it is a capture in the iptrace format of AIX", EDITCAP),
    KnownFile::new(&[b"\x54\x52\0\x64"], "it is a capture in the nettl format of HP-UX", EDITCAP),
    KnownFile::new(&[b"\x7fELF"], "it is a program (ELF)", ""),
    KnownFile::new(&[b"MZ"], "it is a program of Windows", ""),
    KnownFile::new(&[b"\x89PNG", b"\xff\xd8\xff", b"GIF8"], "it is a picture", ""),
    KnownFile::new(&[b"%PDF"], "it is a PDF document", ""),
    KnownFile::new(&[b"SQLite format 3\0"], "it is an SQLite database", ""),
    KnownFile::new(&[b"PAR1"], "it is a Parquet file", ""),
    KnownFile::new(
        &[b"<!doctype html", b"<html"],
        "it is a page of HTML, perhaps that of a failed download",
        "",
    ),
    KnownFile::new(&[b"<?xml"], "it is XML", ""),
    KnownFile::new(
        &[b"version https://git-lfs"],
        "it is a pointer of Git LFS, not the file itself",
        "git lfs pull",
    ),
];

/// Text without packets.
static TEXT: KnownFile =
    KnownFile::new(&[], "it is text, and has no packets in a form that is read", "");

impl KnownFile {
    const fn new(
        begins: &'static [&'static [u8]],
        is: &'static str,
        command: &'static str,
    ) -> Self {
        Self { begins, is, command }
    }

    /// What a file with this beginning is.
    pub(super) fn from_beginning(beginning: &[u8]) -> Option<&'static Self> {
        let begins = |mark: &&[u8]| {
            beginning.get(..mark.len()).is_some_and(|head| head.eq_ignore_ascii_case(mark))
        };
        let known = KNOWN.iter().find(|file| file.begins.iter().any(begins));
        let is_text = || {
            let text = beginning.get(..512).unwrap_or(beginning);
            text.iter().all(|byte| byte.is_ascii_graphic() || b" \t\r\n".contains(byte))
        };
        known.or_else(|| is_text().then_some(&TEXT))
    }

    /// What it is, and what helps, for the file with this name.
    pub(super) fn text(&self, name: &str) -> String {
        if self.command.is_empty() {
            return self.is.to_owned();
        }
        format!("{} (`{}`)", self.is, self.command.replace("FILE", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (beginning, text) in [
            (
                &b"\xfd7zXZ\0\0\x04"[..],
                Some("it is compressed with xz (`xz -dc a | fragshark decode -`)"),
            ),
            (
                b"snoop\0\0\0\0\0\0\x02",
                Some(
                    "it is a capture in the snoop format of Solaris (`editcap -F pcapng a capture.pcapng`)",
                ),
            ),
            (b"<!DOCTYPE HTML>", Some("it is a page of HTML, perhaps that of a failed download")),
            (b"hello", Some("it is text, and has no packets in a form that is read")),
            (b"\x01\x02\x03", None),
        ] {
            let known = KnownFile::from_beginning(beginning).map(|known| known.text("a"));
            assert_eq!(known.as_deref(), text, "{}", beginning.escape_ascii());
        }
    }
}
