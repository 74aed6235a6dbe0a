//! What programs print, and what is refused.

use super::headers::with_headers;
use super::*;

fn packets(text: &str) -> Vec<Vec<u8>> {
    parser::packets(text).unwrap()
}

const MESSAGE: &[u8] = b"\xff\xff\xff\xffgetinfo 4c4c ab\n";

#[test]
fn what_programs_print_is_read() {
    for (program, text) in [
        (
            "xxd",
            "00000000: ffff ffff 6765 7469 6e66 6f20 3463 3463  ....getinfo 4c4c\n00000010: 2061 620a                                 ab.\n",
        ),
        ("xxd -p", "ffffffff676574696e666f203463346320\n61620a\n"),
        (
            "hexdump -C",
            "00000000  ff ff ff ff 67 65 74 69  6e 66 6f 20 34 63 34 63  |....getinfo 4c4c|\n00000010  20 61 62 0a                                       | ab.|\n00000014\n",
        ),
        (
            "hexdump",
            "0000000 ffff ffff 6567 6974 666e 206f 6334 6334\n0000010 6120 0a62                              \n0000014\n",
        ),
        (
            "Wireshark",
            "0000   ff ff ff ff 67 65 74 69 6e 66 6f 20 34 63 34 63   ....getinfo 4c4c\n0010   20 61 62 0a                                        ab.\n",
        ),
        (
            "fragshark decode -v",
            "#1  quake3 getinfo  2003-12-01T20:00:00Z\n  20 bytes, document 001\n  0000  ff ff ff ff                                     │....            │ mark: ff ff ff ff\n  0004  67 65 74 69 6e 66 6f                            │getinfo         │ command: getinfo\n  000b  20 34 63 34 63 20 61 62                         │ 4c4c ab        │ challenge: 4c4c ab\n  0013  0a                                              │.               │\n",
        ),
        ("bare digits", "ff ff ff ff 67 65 74 69 6e 66 6f 20\n34 63 34 63 20 61 62 0a\n"),
        (
            "a source text",
            "\"\\xff\\xff\\xff\\xff\\x67\\x65\\x74\\x69\\x6e\\x66\\x6f\\x20\"\n\"\\x34\\x63\\x34\\x63\\x20\\x61\\x62\\x0a\"\n",
        ),
        (
            "an array",
            "{ 0xff, 0xff, 0xff, 0xff, 0x67, 0x65, 0x74, 0x69, 0x6e, 0x66, 0x6f, 0x20,\n  0x34, 0x63, 0x34, 0x63, 0x20, 0x61, 0x62, 0x0a }\n",
        ),
    ] {
        assert_eq!(packets(text), [MESSAGE], "{program}");
        let twice = format!("{text}\n{text}");
        assert_eq!(packets(&twice), [MESSAGE, MESSAGE], "{program}, twice");
    }
}

#[test]
fn lines_that_repeat_may_be_left_out() {
    let text = "00000000  41 41 41 41 41 41 41 41  41 41 41 41 41 41 41 41  |AAAAAAAAAAAAAAAA|\n*\n00000030  0a 0a                                             |..|\n00000032\n";
    assert_eq!(packets(text), [[vec![b'A'; 48], vec![b'\n'; 2]].concat()]);
}

#[test]
fn headers_of_packets_are_found_and_made_where_there_are_none() {
    let made = with_headers(MESSAGE, [27960, 7]).into_owned();
    assert!(
        ip_packet(&made) == Some(&made)
            && made.ends_with(MESSAGE)
            && made[20..24] == [0x6d, 0x38, 0, 7]
    );
    assert_eq!(*with_headers(&made, [1, 2]), *made, "tcpdump -x prints IP packets");
    for header in [&[0; 12][..], &[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x81, 0, 0, 7]] {
        let mut frame = header.to_vec();
        frame.extend([8, 0]);
        frame.extend(&made);
        assert_eq!(*with_headers(&frame, [1, 2]), *made, "Wireshark copies frames");
    }
}

#[test]
fn other_bytes_stay_as_they_are() {
    for bytes in [&b""[..], b"\n\r\r\n....", b"\xd4\xc3\xb2\xa1", b"just text, no packet\n", b"x"] {
        let (is_hexdump, mut stream) =
            converted(Box::new(Cursor::new(bytes.to_vec())), [0; 2]).unwrap();
        let mut read = Vec::new();
        stream.read_to_end(&mut read).unwrap();
        assert!(!is_hexdump && read == bytes, "{bytes:?}");
    }
}

#[test]
fn lines_without_offsets_are_messages_if_they_do_not_break_at_one_width() {
    let mark = [0xff; 4];
    let request = [&mark[..], b"getinfo xxx"].concat();
    let reply = [&mark[..], b"infoResponse\n\\a\\b"].concat();
    let line = |bytes: &[u8]| hex::encode(bytes) + "\n";
    for (text, expected) in [
        (line(&request) + &line(&reply), vec![request.clone(), reply.clone()]),
        // Equal lines with the mark, as of the same request twice.
        (line(&request).repeat(2), vec![request.clone(); 2]),
        // Without the mark.
        (line(b"\\status\\") + &line(b"\\basic\\\\info\\"), {
            vec![b"\\status\\".to_vec(), b"\\basic\\\\info\\".to_vec()]
        }),
        // Wrapped at one width.
        (line(&reply[..8]) + &line(&reply[8..16]) + &line(&reply[16..]), vec![reply.clone()]),
        // Wireshark's copy as a string.
        (
            "\"\\xff\\xff\\xff\\xff\\x67\\x65\\x74\" \\\n\"\\x69\\x6e\\x66\\x6f\"\n".to_owned(),
            vec![[&mark[..], b"getinfo"].concat()],
        ),
    ] {
        assert_eq!(packets(&text), expected, "{text}");
    }
}

#[test]
fn offsets_of_a_stream_continue_from_message_to_message() {
    let text = "00000000  ff ff ff ff 61 62 63                              ....abc\n\
                    00000000  ff ff ff ff 64                                    ....d\n\
                00000007  ff ff ff ff 65 66 67 68  69 6a 6b 6c 6d 6e 6f 70  ....efgh ijklmnop\n\
                00000017  ff ff ff ff 71                                    ....q\n";
    let indented = text.replace("\n00000000", "\n    00000000");
    let expected: [&[u8]; 4] = [
        b"\xff\xff\xff\xffabc",
        b"\xff\xff\xff\xffd",
        b"\xff\xff\xff\xffefghijklmnop",
        b"\xff\xff\xff\xffq",
    ];
    assert_eq!(packets(&indented), expected);
}

#[test]
fn link_headers_of_any_device_and_cut_packets_are_found() {
    let made = with_headers(MESSAGE, [27960, 7]).into_owned();
    let sll: &[u8] = &[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 8, 0];
    let sll2: &[u8] = &[8, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0];
    let pppoe: &[u8] =
        &[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 0x88, 0x64, 0x11, 0, 0, 7, 0, 45, 0, 0x21];
    for header in [sll, sll2, pppoe, &[2, 0, 0, 0], &[0, 0, 0, 2]] {
        let frame = [header, &made].concat();
        assert_eq!(ip_packet(&frame), Some(&*made), "{header:?}");
    }
    let cut = &made[..made.len() - 9];
    assert_eq!(ip_packet(cut), Some(cut));
    assert_eq!(headers::wire_length(cut) as usize, made.len());
    // Text that begins like a header of IPv4.
    assert_eq!(ip_packet(b"EXTENDED) QUERY of a server"), None);
}

#[test]
fn tags_and_rows_that_were_left_out_are_bounded() {
    let tags = [&[0; 12][..], &[0x81, 0, 0, 1].repeat(1 << 20)].concat();
    assert_eq!(ip_packet(&tags), None);
    let dump = "00000000  ff ff ff ff 67 65 74 69  6e 66 6f 20 61 61 61 61\n*\n00010000  61 61\n\n";
    assert_eq!(packets(dump)[0].len(), 0x10002);
    assert_eq!(parser::packets(&dump.repeat(1_100)), Err(HexdumpError::TooLong));
}
