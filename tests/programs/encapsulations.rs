//! tshark counts the datagrams and segments in the captures of encapsulations as the table of them says.

use std::process::Command;

use crate::needs;

const TABLE: &str = include_str!("../data/encapsulations.csv");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encapsulations");

#[test]
fn tshark_counts_the_datagrams_and_segments_in_encapsulations() {
    let test = "encapsulations against tshark";
    let Some([tshark]) = needs::programs(test, ["tshark"]) else { return };
    let mut compared = 0;
    for row in TABLE.lines().skip(1) {
        let cells: Vec<_> = row.splitn(8, ',').collect();
        let [name, _link, datagrams, segments, tshark_udp, tshark_tcp, unread, options] = cells[..]
        else {
            panic!("{row}")
        };
        let is_read = (tshark_udp, tshark_tcp) == (datagrams, segments);
        // What this version of tshark does not read has none; what is not read has none in both.
        if !is_read && (tshark_udp, tshark_tcp) == ("0", "0") {
            continue;
        }
        let counted = ["udp", "tcp"].map(|transport| {
            let ran = Command::new(&tshark)
                .args(["-r", &format!("{FOLDER}/{name}.pcap")])
                .args(options.split_whitespace())
                .args(["-Y", &format!("{transport}.port == 27960")])
                .output()
                .unwrap();
            String::from_utf8(ran.stdout).unwrap().lines().count().to_string()
        });
        assert_eq!(counted, [datagrams, segments], "{name}");
        compared += usize::from(unread.is_empty());
    }
    assert!(compared > 60, "{compared}");
}
