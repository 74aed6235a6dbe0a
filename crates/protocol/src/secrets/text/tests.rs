use super::*;

/// Each text with its secrets in braces.
const MARKED: [&str; 35] = [
    "\"rconpassword\" is:\"{HUNTER2^7}\" default:\"\"\n",
    "\"rconPassword\" is:\"{HUNTER2^7}\", the default\n",
    "\"sv_privatePassword\" is:\"{a b}\" default:\"{c}\"\nlatched: \"{d}\"\n\"fraglimit\" is:\"20^7\"\n",
    "\"rcon_password\" is \"{HUNTER2}\"\n",
    "rcon_password is \"{HUNTER2}\" [\"{old}\"]\n",
    "^3rcon_password^7 is ^1\"{HUNTER2}\"",
    "\"rcon_password\" = \"{HUNTER2}\" ( def. \"\" )\n - remote console password.",
    "\"net_serverRemoteConsolePassword\" is:\"{x y}\" default:\"\"",
    " S  R    rconPassword \"{HUNTER2}\"\n        sv_fps \"20\"\n",
    "rcon_password            : {HUNTER2} : , \"sv\"\n",
    "rcon_password       {HUNTER2}\nhostname            x\n",
    "rcon_password\t{HUNTER2}",
    "rcon_password {HUNTER2}",
    "set rconpassword {HUNTER2}",
    "seta \"rconpassword\" \"{HUNTER2}\"",
    "echo; set g_password {x;} map q3dm17",
    "\\rcon_password\\{HUNTER2}\\hostname\\x",
    "\\hostname\\x\\password\\{a b}",
    "https://x.example/?user=a&password={b}&token={c}",
    "password={HUNTER2}",
    "INVALID_CDKEY\0{password}\0{HUNTER2}\0x",
    "full empty\0rcon_password\0{HUNTER 2}\0hostname\0x",
    "the password is {HUNTER2}",
    "Password: {HUNTER2}",
    "rcon {HUNTER2} status",
    "]/rcon {HUNTER2} set rconpassword {new}",
    "\"rconpassword\" is:\"{cut off}",
    "Player GUID Computed {0123456789abcdef0123456789abcdef}(-) (slot #1) x",
    "Bad rcon_password.\n",
    "Bad rconpassword.\n",
    "No rconpassword set on the server.\n",
    "the password is wrong",
    "Server is password protected\n",
    "\"g_needpass\" is:\"1^7\" default:\"0^7\"",
    "password: 1",
];

#[test]
fn what_a_text_tells_is_found_and_sentences_are_left() {
    for marked in MARKED {
        let text = marked.replace(['{', '}'], "");
        assert_eq!(in_braces(&text), marked);
    }
}

#[test]
fn names_of_one_line_share_what_follows_them() {
    for (text, marked) in [
        // Each of the first two has the quoted texts behind it; the quotes of the second one are
        // the others.
        (
            "\"rconpassword\" is:\"a\" default:\"b\" password \"c",
            "\"rconpassword\" is:\"{a}\" default:\"{b}\" password \"{c}",
        ),
        ("password=x password=y", "password={x} password={y}"),
        ("password=rcon=token=x", "password={rcon=token=x}"),
        ("a\rrcon x", "a\rrcon x"),
        ("a\nrcon x y", "a\nrcon {x} y"),
    ] {
        assert_eq!(in_braces(text), marked);
    }
}

#[test]
fn long_texts_of_names_are_read_once() {
    // With a search for each name over all that follows it, one of these takes minutes.
    for part in [
        "\"rconpassword\" is:\"a\" default:\"b\" password= token= ",
        "rcon=",
        "rcon ",
        "]rcon a ",
        "set password \"",
        "password\0",
        "xpass\\",
        "latched: \"rcon\" \"\n",
    ] {
        let text = part.repeat(1 << 20 >> part.len().ilog2());
        let ranges = secret_ranges(text.as_bytes());
        assert!(ranges.is_sorted_by_key(|range| range.start), "{part}");
    }
}

/// A text with its secrets in braces.
fn in_braces(text: &str) -> String {
    let mut shown = String::new();
    let mut at = 0;
    for range in secret_ranges(text.as_bytes()) {
        shown.extend([&text[at..range.start], "{", &text[range.clone()], "}"]);
        at = range.end;
    }
    shown + &text[at..]
}
