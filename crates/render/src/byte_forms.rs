//! Bytes as text that other programs read: hex digits, arrays of C and Rust, bytes of Python, a
//! command of the shell.

use std::fmt::Write as _;
use std::net::SocketAddr;

use text::named;

named! {
    /// How bytes are written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ByteForm {
        Hex = "hex digits",
        C = "C array",
        Rust = "Rust array",
        Python = "Python bytes",
        /// `printf` and `nc`, which sends the bytes as a datagram.
        Shell = "shell command that sends them",
    }
}

/// How many bytes a row of an array has.
const ROW: usize = 12;

impl ByteForm {
    /// The bytes as text; only a command has a receiver.
    pub fn write(self, bytes: &[u8], to: SocketAddr) -> String {
        let len = bytes.len();
        match self {
            Self::Hex => hex::encode(bytes),
            Self::C => format!("static const unsigned char payload[{len}] = {{{}}};", array(bytes)),
            Self::Rust => format!("let payload: [u8; {len}] = [{}];", array(bytes)),
            Self::Python => {
                let mut text = String::from("payload = b\"");
                for byte in bytes {
                    match byte {
                        b'"' | b'\\' => _ = write!(text, "\\{}", char::from(*byte)),
                        b' '..=b'~' => text.push(char::from(*byte)),
                        _ => _ = write!(text, "\\x{byte:02x}"),
                    }
                }
                text + "\""
            }
            Self::Shell => {
                let mut text = String::from("printf '");
                for byte in bytes {
                    match byte {
                        b'%' => text.push_str("%%"),
                        b'\\' => text.push_str("\\\\"),
                        // Three octal digits: what follows may be a digit.
                        b'\'' => text.push_str("\\047"),
                        b' '..=b'~' => text.push(char::from(*byte)),
                        _ => _ = write!(text, "\\{byte:03o}"),
                    }
                }
                _ = write!(text, "' | nc -u -w 1 {} {}", to.ip(), to.port());
                text
            }
        }
    }
}

/// `0xff, 0x01`; many bytes in rows.
fn array(bytes: &[u8]) -> String {
    let row =
        |row: &[u8]| row.iter().map(|byte| format!("0x{byte:02x}")).collect::<Vec<_>>().join(", ");
    if bytes.len() <= ROW {
        return row(bytes);
    }
    let rows = bytes.chunks(ROW).map(|bytes| format!("\n    {},", row(bytes)));
    rows.collect::<String>() + "\n"
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    fn to() -> SocketAddr {
        "192.0.2.1:27960".parse().unwrap()
    }

    #[test]
    fn each_form_has_every_byte() {
        let bytes = b"\xff\"\\%'a\n";
        for (form, text) in [
            (ByteForm::Hex, "ff225c2527610a"),
            (
                ByteForm::C,
                "static const unsigned char payload[7] = {0xff, 0x22, 0x5c, 0x25, 0x27, 0x61, 0x0a};",
            ),
            (ByteForm::Rust, "let payload: [u8; 7] = [0xff, 0x22, 0x5c, 0x25, 0x27, 0x61, 0x0a];"),
            (ByteForm::Python, r#"payload = b"\xff\"\\%'a\x0a""#),
            (ByteForm::Shell, r#"printf '\377"\\%%\047a\012' | nc -u -w 1 192.0.2.1 27960"#),
        ] {
            assert_eq!(form.write(bytes, to()), text);
        }
        assert!(ByteForm::C.write(&[0; 13], to()).contains("{\n    0x00, "));
    }

    #[test]
    #[cfg(unix)]
    fn the_shell_prints_the_same_bytes() {
        let bytes: Vec<u8> = (0..=255).chain(*b"%s%d'\\n9").collect();
        let command = ByteForm::Shell.write(&bytes, to());
        let (printf, _) = command.split_once(" | nc").unwrap();
        let out = Command::new("sh").args(["-c", printf]).output().unwrap();
        assert_eq!(out.stdout, bytes);
    }
}
