"""Runs the program with the arguments of this one."""
import os
import subprocess
import sys
from typing import NoReturn

from ._read import binary


def main() -> NoReturn:
    command = [str(binary()), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(command, check=False).returncode)
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
