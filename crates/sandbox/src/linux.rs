//! Users, capabilities and Landlock.

use std::path::{Path, PathBuf};

use caps::{CapSet, Capability, CapsHashSet};
use landlock::{
    ABI, Access, AccessFs, AccessNet, CompatLevel, Compatible, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetStatus, path_beneath_rules,
};
use nix::sys::prctl;
use nix::unistd::{Gid, Uid, geteuid, setgid, setgroups, setuid};

use super::seccomp::refuse_calls;
use super::{ConfineError, Confined, Needs, failed, on_behalf_of};

/// Devices that terminals and programs write to, and that store nothing.
const ALWAYS: [&str; 2] = ["/dev/tty", "/dev/null"];
/// The capabilities by which root accesses all files.
const FILES: [Capability; 4] = [
    Capability::CAP_DAC_OVERRIDE,
    Capability::CAP_DAC_READ_SEARCH,
    Capability::CAP_FOWNER,
    Capability::CAP_CHOWN,
];

pub(super) fn is_root() -> bool {
    geteuid().is_root()
}

pub(super) fn confine(needs: &Needs) -> Result<Confined, ConfineError> {
    let mut done = Confined::default();
    empty_bounding_set()?;
    if !needs.files_of_others {
        change_user(&mut done)?;
    }
    drop_capabilities(needs.files_of_others && is_root(), &mut done)?;
    prctl::set_no_new_privs().map_err(failed("new privileges cannot be forbidden"))?;
    done.applied.push("no new privileges".to_owned());
    restrict(needs, &mut done)?;
    refuse_calls(needs.sockets, &mut done)?;
    Ok(done)
}

/// Changes from root to the user who called sudo, for all threads.
fn change_user(done: &mut Confined) -> Result<(), ConfineError> {
    let Some((user, group)) = on_behalf_of() else { return Ok(()) };
    let cannot = "the user cannot be changed";
    setgroups(&[]).map_err(failed(cannot))?;
    setgid(Gid::from_raw(group)).map_err(failed(cannot))?;
    setuid(Uid::from_raw(user)).map_err(failed(cannot))?;
    done.applied.push(format!("user {user}, group {group}"));
    Ok(())
}

/// Empties the bounding set for programs started later. Must come first: another user may not.
fn empty_bounding_set() -> Result<(), ConfineError> {
    let cannot = "the bounding set cannot be emptied";
    if !caps::has_cap(None, CapSet::Effective, Capability::CAP_SETPCAP).unwrap_or(false) {
        return Ok(());
    }
    for capability in caps::read(None, CapSet::Bounding).map_err(failed(cannot))? {
        caps::drop(None, CapSet::Bounding, capability).map_err(failed(cannot))?;
    }
    Ok(())
}

fn drop_capabilities(keep_files: bool, done: &mut Confined) -> Result<(), ConfineError> {
    let cannot = "capabilities cannot be dropped";
    let had = caps::read(None, CapSet::Permitted).map_err(failed(cannot))?;
    let kept: CapsHashSet = FILES.into_iter().filter(|c| keep_files && had.contains(c)).collect();
    for set in [CapSet::Ambient, CapSet::Inheritable] {
        // Kernels without ambient capabilities have none to drop.
        _ = caps::clear(None, set);
    }
    caps::set(None, CapSet::Effective, &kept).map_err(failed(cannot))?;
    caps::set(None, CapSet::Permitted, &kept).map_err(failed(cannot))?;
    done.applied.push(if kept.is_empty() {
        "no capabilities".to_owned()
    } else {
        "no capabilities but for files".to_owned()
    });
    Ok(())
}

/// Leaves only the named places writable, and refuses TCP, unless it is needed, where the kernel
/// can.
fn restrict(needs: &Needs, done: &mut Confined) -> Result<(), ConfineError> {
    let Needs { writable, sockets, .. } = needs;
    let cannot = "writing cannot be restricted";
    let paths: Vec<&Path> =
        writable.iter().map(PathBuf::as_path).chain(ALWAYS.map(Path::new)).collect();
    // What the third version of Landlock calls writing: to change, shorten, make, remove, rename.
    let write = AccessFs::from_write(ABI::V3);
    let rules = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(write)
        .and_then(|rules| match sockets {
            true => Ok(rules),
            false => rules.handle_access(AccessNet::from_all(ABI::V4)),
        })
        .and_then(Ruleset::create)
        .and_then(|rules| rules.add_rules(path_beneath_rules(paths, write)))
        .map_err(failed(cannot))?;
    let status = rules.restrict_self().map_err(failed(cannot))?;
    match status.ruleset {
        RulesetStatus::NotEnforced => {
            let what = "files can be written anywhere: the kernel has no Landlock (Linux 5.13)";
            done.missing.push(what.to_owned());
        }
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => {
            let paths: Vec<_> = writable.iter().map(|p| p.display().to_string()).collect();
            let paths = if paths.is_empty() { "nowhere".to_owned() } else { paths.join(", ") };
            done.applied.push(format!("files written {paths}"));
        }
    }
    Ok(())
}
