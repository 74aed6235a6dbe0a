//! A network namespace of its own for a run: the master under test and the cases are alone there,
//! and every address is this machine's, so that servers can have addresses of all networks.
//!
//! The namespace is that of this process, which starts the master and then itself again; that
//! second process gives up its privileges as every run does.

use std::ffi::OsString;

/// The arguments of the process that judges: those of this one, without the namespace and the
/// command of the master.
#[cfg(any(test, target_os = "linux"))]
fn inner_arguments(all: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let own = all.skip(1).take_while(|word| word != "--");
    own.filter(|word| word != "--namespace").collect()
}

#[cfg(target_os = "linux")]
pub(super) use linux::run;

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
pub(super) fn run(_: &[OsString], _: impl Fn() -> bool) -> anyhow::Result<u8> {
    anyhow::bail!("--namespace: only Linux has network namespaces")
}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::OsString;
    use std::fmt::Write as _;
    use std::fs;
    use std::io::{self, Write as _};
    use std::net::{Ipv4Addr, UdpSocket};
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::{Duration, Instant};

    use anyhow::{Context as _, anyhow, bail};
    use nix::sched::{CloneFlags, unshare};
    use nix::unistd::{getgid, getuid};

    /// How long the master may take until it listens, and a server until it answers; and how often
    /// that is looked at.
    const PATIENCE: Duration = Duration::from_secs(10);
    const LOOK: Duration = Duration::from_millis(20);
    /// What makes every IPv4 address this machine's, for the program `ip`. A master that listens on all
    /// addresses sends from 127.0.0.1 to each of them.
    const SETUP: &str = "link set lo up\n\
                         route add local 0.0.0.0/1 dev lo src 127.0.0.1 table local\n\
                         route add local 128.0.0.0/1 dev lo src 127.0.0.1 table local\n";
    /// How many IPv6 addresses it has: an address is this machine's if a device has it.
    const IPV6: u32 = 256;
    /// Spreads consecutive numbers over all numbers: odd, and near 2^32 divided by the golden ratio.
    const SPREAD: u32 = 0x9e37_79b1;

    /// The master under test, which ends with this.
    struct MasterProcess(Option<Child>);

    impl Drop for MasterProcess {
        fn drop(&mut self) {
            if let Some(master) = &mut self.0 {
                // It may have ended by itself.
                _ = master.kill();
                _ = master.wait();
            }
        }
    }

    /// Runs `master` in a network namespace, and judges it there by this program with the same
    /// arguments; without a command the reference master is judged. Returns the status of that run.
    ///
    /// Before that it waits until `is_ready`: a server listens before it has loaded its map. One that
    /// does not get ready is judged as it is.
    pub fn run(master: &[OsString], is_ready: impl Fn() -> bool) -> anyhow::Result<u8> {
        enter().context("--namespace: no network namespace can be made")?;
        set_up().context("--namespace")?;
        let mut started = MasterProcess(None);
        if let [program, arguments @ ..] = master {
            let mut command = Command::new(program);
            command.args(arguments).stdin(Stdio::null());
            // Standard output is for the verdicts.
            command.stdout(io::stderr());
            let child = command.spawn().with_context(|| program.display().to_string())?;
            let master = started.0.insert(child);
            wait_until_it_listens(master, program)?;
            let since = Instant::now();
            while !is_ready() && master.try_wait()?.is_none() && since.elapsed() < PATIENCE {
                thread::sleep(LOOK);
            }
        }
        let program = std::env::current_exe().context("this program is not found")?;
        let status =
            Command::new(program).args(super::inner_arguments(std::env::args_os())).status()?;
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        code.ok_or_else(|| anyhow!("the run ended by a signal"))
    }

    /// Gives this process a network namespace: with a user namespace around it where only that is
    /// permitted.
    fn enter() -> anyhow::Result<()> {
        if unshare(CloneFlags::CLONE_NEWNET).is_ok() {
            return Ok(());
        }
        let (user, group) = (getuid(), getgid());
        unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNET)?;
        // Who started this is root in the namespace, and nobody else is there.
        fs::write("/proc/self/setgroups", "deny")?;
        fs::write("/proc/self/uid_map", format!("0 {user} 1"))?;
        fs::write("/proc/self/gid_map", format!("0 {group} 1"))?;
        Ok(())
    }

    fn set_up() -> anyhow::Result<()> {
        let mut commands = SETUP.to_owned();
        for number in 1..=IPV6 {
            let [high, low] = [number.wrapping_mul(SPREAD), !number.wrapping_mul(SPREAD)];
            let [high, low] =
                [high, low].map(|half| format!("{:x}:{:x}", half >> 16, half & 0xffff));
            // A part of 2001:db8::/32, which is for documentation (RFC 3849). Nobody else is there who
            // could have the address, and until the system had looked, no socket would get it.
            writeln!(commands, "addr add 2001:db8:{high}:{low}:ff:{number:x}/128 dev lo nodad")?;
        }
        // Where there is no IPv6, its addresses are refused and nothing needs them.
        let mut ip = Command::new("ip")
            .args(["-force", "-batch", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .context("the program ip is needed (package iproute2)")?;
        if let Some(mut input) = ip.stdin.take() {
            input.write_all(commands.as_bytes())?;
        }
        ip.wait()?;
        // The status says nothing where IPv6 was refused.
        let address = Ipv4Addr::new(128, 0, 0, 1);
        UdpSocket::bind((address, 0)).with_context(|| format!("ip did not add {address}"))?;
        Ok(())
    }

    /// Waits until a socket is there: before the master opens one, the namespace has none.
    fn wait_until_it_listens(master: &mut Child, program: &OsString) -> anyhow::Result<()> {
        let since = Instant::now();
        while !has_sockets() {
            if let Some(status) = master.try_wait()? {
                bail!("{}: it ended before it listened: {status}", program.display());
            }
            if since.elapsed() > PATIENCE {
                let waited = text::duration_of(PATIENCE);
                bail!("{}: it listens nowhere after {waited}", program.display());
            }
            thread::sleep(LOOK);
        }
        Ok(())
    }

    /// Whether the namespace has a socket of IP.
    fn has_sockets() -> bool {
        ["udp", "udp6", "tcp", "tcp6"].into_iter().any(|table| {
            let table = fs::read_to_string(format!("/proc/self/net/{table}")).unwrap_or_default();
            // The first line has the names of the columns.
            table.lines().nth(1).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inner_process_gets_neither_the_namespace_nor_the_command() {
        for (given, inner) in [
            ("fragshark conform --namespace", "conform"),
            (
                "fragshark conform --namespace --target 127.0.0.1 quake3/* -- dpmaster --namespace -v",
                "conform --target 127.0.0.1 quake3/*",
            ),
        ] {
            let words = given.split(' ').map(OsString::from);
            let inner: Vec<_> = inner.split(' ').map(OsString::from).collect();
            assert_eq!(inner_arguments(words), inner, "{given}");
        }
    }
}
