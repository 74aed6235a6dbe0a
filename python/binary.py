"""Puts the program into the wheel: the release build, or that of FRAGSHARK_BINARY."""
import os
import re
import sysconfig
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUILT = Path("..", "target", "release", "fragshark.exe" if os.name == "nt" else "fragshark")


class BinaryHook(BuildHookInterface):
    def initialize(self, version, build_data):
        binary = Path(os.environ.get("FRAGSHARK_BINARY") or Path(self.root, BUILT)).resolve()
        if not binary.is_file():
            raise SystemExit(f"{binary}: no such program; cargo build --release makes it")
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{platform(binary)}"
        build_data["force_include"][str(binary)] = f"fragshark/{BUILT.name}"


def platform(binary):
    """The platform of a program as wheels name it. On Linux this has the oldest C library that it
    runs with: the newest version that one of its symbols asks for."""
    here = re.sub(r"[-.]", "_", sysconfig.get_platform())
    asked = re.findall(rb"GLIBC_(\d+)\.(\d+)", binary.read_bytes())
    if not here.startswith("linux_") or not asked:
        return here
    major, minor = max((int(major), int(minor)) for major, minor in asked)
    return f"manylinux_{major}_{minor}_{here.removeprefix('linux_')}"
