//! Endpoints of IPv4 and IPv6.

use super::*;

/// A master on free ports of both families, and its arguments for `--target` and `--also`; `None`
/// if the machine has no IPv6.
fn master_of_both(defects: &[Defect]) -> Option<(RunningMaster, [String; 2])> {
    let defects = defects.iter().copied().collect();
    let config = Config { defects, ..Config::new(masters::families::services()) };
    let running = RunningMaster::start(config.anywhere()).unwrap();
    let service = service("quake3").unwrap();
    let of = |six: bool| {
        let mut all = running.addresses().iter().filter(|a| a.service == service);
        all.find(|a| a.address.is_ipv6() == six).map(|a| a.address.to_string())
    };
    let ends = [of(false).unwrap(), of(true)?];
    Some((running, ends))
}

#[test]
fn ends_are_played_from_addresses_of_their_own_family() {
    let (_folder, file) = recording(&recordings::both_families());
    let pass = |id| (id, "pass", "answered as recorded");
    let crossed = "it is replayed from an address of the other family";
    for (defects, status, named, parts) in [
        (&[][..], 0, &[0, 1][..], vec![pass("quake3/getservers"), pass("quake3/getservers-ext")]),
        (&[], 0, &[1, 0], vec![pass("quake3/getservers"), pass("quake3/getservers-ext")]),
        // Listed servers are found, whatever family they have in the replay.
        (
            &[],
            0,
            &[0],
            vec![
                pass("quake3/getservers-ext"),
                ("quake3/getservers/extra", "skipped", crossed),
                ("replay/family", "info", "3 hosts were recorded over IPv6 and replayed over IPv4"),
            ],
        ),
        (
            &[],
            0,
            &[1],
            vec![
                pass("quake3/getservers-ext"),
                ("quake3/getservers/missing", "skipped", crossed),
                ("replay/family", "info", "3 hosts were recorded over IPv4 and replayed over IPv6"),
            ],
        ),
        (
            &[Defect::named("swapped-port").unwrap()],
            1,
            &[0, 1],
            vec![("quake3/getservers-ext/missing", "fail", "27960 is not listed")],
        ),
    ] {
        let Some((_running, ends)) = master_of_both(defects) else {
            needs::not_run(TEST, "ipv6", "there is no address ::1");
            return;
        };
        let mut arguments = Vec::new();
        for (option, at) in ["--target", "--also"].iter().zip(named) {
            arguments.extend([*option, ends[*at].as_str()]);
        }
        let (is, entries) = quick(&file, &arguments);
        assert_eq!(is, Some(status), "{named:?}: {entries:#?}");
        for part in parts {
            assert!(says(&entries, &part), "{named:?}: {part:?} is not in {entries:#?}");
        }
    }
}

#[test]
fn hosts_have_the_addresses_that_the_loopback_interface_has() {
    let Some(net) = netns::Net::new(TEST).filter(netns::Net::is_own) else {
        return;
    };
    for n in 2..=4 {
        let mut add = net.command("ip");
        add.args(["address", "add", &format!("fd00::{n}/128"), "dev", "lo"]);
        assert!(add.status().unwrap().success());
    }
    let (folder, file) = recording(&recordings::both_families());
    let kept = folder.path().join("run.pcapng");
    let program = env!("CARGO_BIN_EXE_fragshark");
    let mut replay = net.command(program);
    let replay = replay.arg("replay").arg(&file).args(QUICK).arg("--record").arg(&kept);
    let (status, out, err) = outcome(&replay.output().unwrap());
    assert_eq!(status, Some(0), "{out}{err}");
    let decoded = Command::new(program).arg("decode").arg(&kept).output().unwrap();
    let decoded = String::from_utf8(decoded.stdout).unwrap();
    for n in 2..=4 {
        let count = decoded.matches(&format!("[fd00::{n}]:")).count();
        assert!(count > 0, "nobody speaks from fd00::{n}: {decoded}");
    }
}
