//! The interface asks the masters of a capture again, over UDP and over TCP.

use fragshark::capture::Input;
use masters::families::services;
use masters::{Config, RunningMaster};

use super::printed;
use crate::interface_screens::user::User;

/// The game of a master, and its service.
const MASTERS: [(&str, &str); 5] = [
    ("quake3", "quake3"),
    ("source", "source"),
    ("ut2004", "ut2004"),
    ("qr2", "qr2-list"),
    ("unreal-tournament", "gamespy-list"),
];

#[test]
fn masters_are_asked_for_their_lists_again() {
    for (game, name) in MASTERS {
        let mut config = Config::new(services()).anywhere();
        config.services.retain(|(service, _)| service.name == name);
        let running = RunningMaster::start(config).unwrap();
        let mut addresses = running.addresses().iter();
        let at = addresses.find(|one| one.address.is_ipv4()).unwrap().address;
        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("asked.pcapng");
        printed(&["--list", &format!("{game}://{at}"), "--record", record.to_str().unwrap()], 0);
        let input = [Input::File(record)];
        let mut user = User::unread(&input, "asked", (120, 60), "16-colours");
        let shown = user.load(usize::MAX).keys("4Q").screen();
        assert!(shown.contains(&format!("ask {at}")), "{game}\n{shown}");
        let shown = user.keys("<Enter>").screen();
        assert!(shown.contains(&format!("{at}: ")), "{game}\n{shown}");
        assert!(shown.contains("the answer now"), "{game}\n{shown}");
        assert!(!shown.contains("no such message was recorded"), "{game}\n{shown}");
        // The exchange is among the messages now.
        let shown = user.keys("<Enter>").screen();
        assert!(shown.contains("of the question"), "{game}\n{shown}");
    }
}
