//! Users, capabilities, Landlock and seccomp.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::{Path, PathBuf};

use caps::{CapSet, Capability, CapsHashSet};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, path_beneath_rules,
};
use nix::sys::prctl;
use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};
use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch};

use super::{Confined, Needs, Stuck, on_behalf_of};

/// Places that terminals and programs write to that hold nothing.
const ALWAYS: [&str; 2] = ["/dev/tty", "/dev/null"];
/// What lets root get at anybody's files.
const FILES: [Capability; 4] = [
    Capability::CAP_DAC_OVERRIDE,
    Capability::CAP_DAC_READ_SEARCH,
    Capability::CAP_FOWNER,
    Capability::CAP_CHOWN,
];
/// What a new connection or server takes. A pair of sockets that speak to each other is no way out,
/// and the terminal needs one; `io_uring` would be a way around this list.
const REFUSED: [libc::c_long; 7] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
];

pub(super) fn is_root() -> bool {
    geteuid().is_root()
}

pub(super) fn confine(needs: &Needs) -> Result<Confined, Stuck> {
    let mut done = Confined::default();
    if !needs.files_of_others {
        change_user(&mut done)?;
    }
    drop_capabilities(needs.files_of_others && is_root(), &mut done)?;
    prctl::set_no_new_privs().map_err(stuck("new privileges cannot be forbidden"))?;
    done.applied.push("no new privileges".to_owned());
    restrict_writing(&needs.writable, &mut done)?;
    refuse_sockets(&mut done)?;
    Ok(done)
}

/// From root to whoever called sudo, for all threads.
fn change_user(done: &mut Confined) -> Result<(), Stuck> {
    let Some((user, group)) = on_behalf_of() else { return Ok(()) };
    let cannot = "the user cannot be changed";
    setgroups(&[]).map_err(stuck(cannot))?;
    setgid(Gid::from_raw(group)).map_err(stuck(cannot))?;
    setuid(Uid::from_raw(user)).map_err(stuck(cannot))?;
    done.applied.push(format!("user {user}, group {group}"));
    Ok(())
}

fn drop_capabilities(keep_files: bool, done: &mut Confined) -> Result<(), Stuck> {
    let cannot = "capabilities cannot be dropped";
    let had = caps::read(None, CapSet::Permitted).map_err(stuck(cannot))?;
    let kept: CapsHashSet = FILES.into_iter().filter(|c| keep_files && had.contains(c)).collect();
    for set in [CapSet::Ambient, CapSet::Inheritable] {
        // Kernels without ambient capabilities have none to drop.
        _ = caps::clear(None, set);
    }
    // The bounding set is closed while there is still the right to.
    if caps::has_cap(None, CapSet::Effective, Capability::CAP_SETPCAP).unwrap_or(false) {
        let bounding = caps::read(None, CapSet::Bounding).map_err(stuck(cannot))?;
        for capability in bounding.difference(&kept) {
            caps::drop(None, CapSet::Bounding, *capability).map_err(stuck(cannot))?;
        }
    }
    caps::set(None, CapSet::Effective, &kept).map_err(stuck(cannot))?;
    caps::set(None, CapSet::Permitted, &kept).map_err(stuck(cannot))?;
    done.applied.push(if kept.is_empty() {
        "no capabilities".to_owned()
    } else {
        "no capabilities but for files".to_owned()
    });
    Ok(())
}

/// Leaves only `writable` writable, and refuses TCP where the kernel can.
fn restrict_writing(writable: &[PathBuf], done: &mut Confined) -> Result<(), Stuck> {
    let cannot = "writing cannot be restricted";
    let paths: Vec<&Path> =
        writable.iter().map(PathBuf::as_path).chain(ALWAYS.map(Path::new)).collect();
    // What the third version of Landlock calls writing: to change, shorten, make, remove, rename.
    let write = AccessFs::from_write(ABI::V3);
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)
        .and_then(|rules| rules.handle_access(AccessNet::from_all(ABI::V4)))
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(paths, write)))
        .map_err(stuck(cannot))?;
    let status = rules.restrict_self().map_err(stuck(cannot))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => {
            let what = "files can be written anywhere: the kernel has no Landlock (Linux 5.13)";
            done.missing.push(what.to_owned());
        }
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => {
            let places: Vec<_> = writable.iter().map(|p| p.display().to_string()).collect();
            let places = if places.is_empty() { "nowhere".to_owned() } else { places.join(", ") };
            done.applied.push(format!("files written {places}"));
        }
    }
    Ok(())
}

/// Answers `EPERM` to whoever asks for a socket.
fn refuse_sockets(done: &mut Confined) -> Result<(), Stuck> {
    let Ok(machine) = TargetArch::try_from(std::env::consts::ARCH) else {
        let what = "sockets can be opened: seccomp is not used on this processor";
        done.missing.push(what.to_owned());
        return Ok(());
    };
    let refused: BTreeMap<_, _> = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    let cannot = "sockets cannot be refused";
    let filter = SeccompFilter::new(refused, SeccompAction::Allow, refuse, machine);
    let program: BpfProgram = filter.and_then(TryInto::try_into).map_err(stuck(cannot))?;
    match seccompiler::apply_filter(&program) {
        Ok(()) => done.applied.push("no new sockets".to_owned()),
        Err(error) => {
            let what = format!("sockets can be opened: the kernel has no seccomp filters: {error}");
            done.missing.push(what);
        }
    }
    Ok(())
}

fn stuck<E: Display>(what: &'static str) -> impl Fn(E) -> Stuck {
    move |error| Stuck { what, why: error.to_string() }
}
