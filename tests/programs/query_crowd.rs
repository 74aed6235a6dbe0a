//! `fragshark query --each` in a network namespace: 500 servers on one list, a tenth of them dead and
//! a tenth slow. Every server is asked for its state once, and again only where it is silent.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::needs;
use crate::netns::Net;
use crate::process::{Process, until};
use crate::watched::BINARY;

const TEST: &str = "tests/programs/query_crowd.rs";
/// Servers on the list; every tenth is dead, every tenth is slow.
const SERVERS: usize = 500;
/// Questions per second.
const RATE: usize = 50;

/// How long a slow server, which takes 0.6 s, and a dead one are awaited, each time.
const TIMEOUT: &str = "800ms";
/// How long answers may take when everything has been asked.
const AFTER: Duration = Duration::from_secs(2);
/// How much more memory than for one server the program takes at its peak, in kilobytes: a released one
/// takes 15 MB for one, and has to do with 20 MB.
const MEMORY: u64 = 5 << 10;
/// How often it is tried until the machine is quiet enough for the time.
const ATTEMPTS: usize = 3;

/// Runs a program, and writes how much memory it had at its peak, in kilobytes, and how many
/// milliseconds the machine was late meanwhile, for a process that sleeps between two datagrams.
const MEASURED: &str = r#"
import resource, subprocess, sys, time
late, program = 0, subprocess.Popen(sys.argv[2:])
while program.poll() is None:
    begun = time.monotonic()
    time.sleep(0.02)
    late += time.monotonic() - begun - 0.02
with open(sys.argv[1], "w") as file:
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    file.write("%d %d" % (memory, 1000 * late))
sys.exit(program.returncode)
"#;

/// A master and its servers: one program, because a namespace is entered by starting one.
const CROWD: &str = r#"
import select, socket, sys, time
count, counts = int(sys.argv[1]), sys.argv[2]
master = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
master.bind(("127.0.0.1", 27950))
servers, asked = {}, {}
entries = []
for n in range(count):
    server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    server.bind(("127.0.0.1", 20000 + n))
    servers[server] = n
    entries.append(b"\\\x7f\0\0\x01" + (20000 + n).to_bytes(2, "big"))
late = []
print("ready", flush=True)
while True:
    readable, _, _ = select.select([master, *servers], [], [], 0.02)
    for one in readable:
        request, sender = one.recvfrom(4096)
        if one is master:
            head = b"\xff\xff\xff\xffgetserversResponse"
            for start in range(0, count, 100):
                end = b"\\EOT\0\0\0" if start + 100 >= count else b"\\"
                master.sendto(head + b"".join(entries[start:start + 100]) + end, sender)
            continue
        n = servers[one]
        asked[n] = asked.get(n, 0) + 1
        reply = b"\xff\xff\xff\xffstatusResponse\n\\challenge\\fragshark\\protocol\\68"
        reply += b"\\sv_maxclients\\8\\sv_hostname\\server %d\\mapname\\q3dm17\n" % n
        if n % 10 == 0:
            with open(counts, "a") as file:
                file.write("dead %d\n" % n)
        elif n % 10 == 1:
            late.append((time.time() + 0.6, one, reply, sender))
        else:
            one.sendto(reply, sender)
    for due, one, reply, sender in [entry for entry in late if entry[0] <= time.time()]:
        one.sendto(reply, sender)
    late = [entry for entry in late if entry[0] > time.time()]
"#;

#[test]
fn a_crowd_is_asked_in_the_time_that_the_rate_allows() {
    let Some([python]) = needs::programs(TEST, ["python3"]) else {
        return;
    };
    let Some(net) = Net::new(TEST).filter(Net::is_own) else {
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (program, counts) = (folder.path().join("crowd.py"), folder.path().join("counts"));
    fs::write(&program, CROWD).unwrap();
    fs::write(&counts, "").unwrap();
    let ready = fs::File::create(folder.path().join("ready")).unwrap();
    let mut command = net.command(&python);
    command.arg(&program).arg(SERVERS.to_string()).arg(&counts).stdin(Stdio::null()).stdout(ready);
    let _crowd = Process::start(&mut command);
    until("the servers", || {
        fs::read_to_string(folder.path().join("ready")).ok().filter(|text| !text.is_empty())
    });
    let memory = folder.path().join("memory");
    let measured = |arguments: &[&str]| {
        let mut command = net.command(&python);
        command.args(["-c", MEASURED]).arg(&memory).arg(BINARY).arg("query").args(arguments);
        let begun = Instant::now();
        let output = command.stdin(Stdio::null()).output().unwrap();
        let took = begun.elapsed();
        let numbers = fs::read_to_string(&memory).unwrap();
        let (kilobytes, late) = numbers.split_once(' ').unwrap();
        let late = Duration::from_millis(late.parse().unwrap());
        let kilobytes: u64 = kilobytes.parse().unwrap();
        (output, (took, late), kilobytes)
    };
    let (_, _, of_one) = measured(&["quake3://127.0.0.1:20002"]);
    let least = Duration::from_secs_f64((SERVERS as f64 - 1.0) / RATE as f64);
    // With a second question to each of the dead ones.
    let most = Duration::from_secs_f64((SERVERS + 50) as f64 / RATE as f64) + AFTER;
    let mut times = Vec::new();
    while times.len() < ATTEMPTS && times.iter().all(|(took, late)| *took > most + *late) {
        fs::write(&counts, "").unwrap();
        let (output, (took, late), kilobytes) = measured(&[
            "--each",
            "quake3://127.0.0.1:27950",
            "--repeats",
            "1",
            "--timeout",
            TIMEOUT,
        ]);
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(output.status.code(), Some(1), "{out}");
        let expected = format!("{SERVERS} servers listed, 450 answered, 50 did not");
        assert!(out.contains(&expected), "{out}");
        // A dead server is asked once more; nothing else is sent again.
        let dead = fs::read_to_string(&counts).unwrap();
        assert_eq!(dead.lines().count(), 100);
        assert!(took >= least, "{took:?} is faster than the rate");
        assert!(kilobytes <= of_one + MEMORY, "{kilobytes} kB, for one {of_one} kB");
        times.push((took, late));
    }
    let is_fast = |(took, late): &(Duration, Duration)| *took <= most + *late;
    assert!(times.iter().any(is_fast), "{times:?} are more than the rate needs");
}
