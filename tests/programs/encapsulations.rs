//! tshark counts the datagrams in the captures of encapsulations as the table of them says.

use std::process::Command;

use crate::needs;

const TABLE: &str = include_str!("../data/encapsulations.csv");
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encapsulations");

#[test]
fn tshark_counts_the_datagrams_in_encapsulations() {
    let test = "encapsulations against tshark";
    let Some([tshark]) = needs::programs(test, ["tshark"]) else { return };
    let mut compared = 0;
    for row in TABLE.lines().skip(1) {
        let cells: Vec<_> = row.split(',').collect();
        let [name, _link, messages, counted] = cells[..] else { panic!("{row}") };
        // What this version of tshark does not read has none.
        if counted == "0" {
            continue;
        }
        let ran = Command::new(&tshark)
            .args(["-r", &format!("{FOLDER}/{name}.pcap"), "-Y", "udp.port == 27960"])
            .output()
            .unwrap();
        let lines = String::from_utf8(ran.stdout).unwrap().lines().count();
        assert_eq!((lines.to_string(), counted), (messages.to_owned(), messages), "{name}");
        compared += 1;
    }
    assert!(compared > 30, "{compared}");
}
