//! System calls that are refused with `EPERM`.

use std::collections::BTreeMap;

use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch,
};

use super::{ConfineError, Confined, failed};

/// System calls for a new connection or server. A socket pair is no way to the network, and the
/// terminal needs one.
const SOCKETS: [libc::c_long; 6] = [
    libc::SYS_socket,
    libc::SYS_connect,
    libc::SYS_bind,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
];
/// System calls that are never needed: other programs, signals to and the memory of other
/// processes, and `io_uring`, which would bypass this list.
const NEVER: [libc::c_long; 11] = [
    libc::SYS_execve,
    libc::SYS_execveat,
    libc::SYS_kill,
    libc::SYS_tkill,
    libc::SYS_rt_sigqueueinfo,
    libc::SYS_rt_tgsigqueueinfo,
    libc::SYS_pidfd_send_signal,
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_io_uring_setup,
];

/// Refuses the system calls that are not needed from here on.
pub(super) fn refuse_calls(sockets: bool, done: &mut Confined) -> Result<(), ConfineError> {
    let Ok(machine) = TargetArch::try_from(std::env::consts::ARCH) else {
        let what = "sockets and programs can be opened: seccomp is not used on this processor";
        done.missing.push(what.to_owned());
        return Ok(());
    };
    let cannot = "system calls cannot be refused";
    let program = program(sockets, machine).map_err(failed(cannot))?;
    match seccompiler::apply_filter(&program) {
        Ok(()) => {
            let sockets = (!sockets).then_some("no new sockets");
            let applied = sockets.into_iter().chain(["no other programs", "no signals to others"]);
            done.applied.extend(applied.map(str::to_owned));
        }
        Err(error) => {
            let what = format!(
                "sockets and programs can be opened: the kernel has no seccomp filters: {error}"
            );
            done.missing.push(what);
        }
    }
    Ok(())
}

fn program(sockets: bool, machine: TargetArch) -> Result<BpfProgram, BackendError> {
    let refused = SOCKETS.iter().filter(|_| !sockets).chain(&NEVER);
    let mut refused: BTreeMap<_, _> = refused.map(|call| (*call, Vec::new())).collect();
    // A program that aborts sends a signal to itself only.
    let own = u64::from(std::process::id());
    let others = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, own)?;
    refused.insert(libc::SYS_tgkill, vec![SeccompRule::new(vec![others])?]);
    let refuse = SeccompAction::Errno(libc::EPERM.cast_unsigned());
    SeccompFilter::new(refused, SeccompAction::Allow, refuse, machine)?.try_into()
}
