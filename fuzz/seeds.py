#!/usr/bin/env python3
"""Writes first inputs for every fuzz target into a folder: documented messages, captures, filters.

    fuzz/seeds.py FOLDER

What fuzzing makes of them, made small by `fuzz/run -m`, is what fuzz/corpus holds.
"""
import hashlib
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# As in fuzz/src/conversation.rs.
PORTS = [27950, 27951, 27952, 27953, 27960, 27900, 28900, 27000,
         26900, 27650, 27010, 27733, 80, 7778, 27910, 12345]
FROM_MASTER, TCP, SYN, FIN, UNREACHABLE, FRAGMENTS = 1, 2, 4, 8, 16, 4
# As many as there are passes and tables; more does no harm.
PICKS = 16
# The services of the reference master by the ports that they are documented on.
SERVICES = [27950, 27951, 27952, 27960, 27953, 27900, 28900, 27000, 26900, 27650, 27010]


def record(message, flags=0, wait=5):
    """One record of a conversation."""
    payload = bytes.fromhex(message["hex"])
    from_master = message["from"] == "master"
    port = message["src_port" if from_master else "dst_port"]
    master = PORTS.index(port) if port in PORTS else 15
    flags |= FROM_MASTER if from_master else 0
    flags |= TCP if message["transport"] == "tcp" else 0
    return bytes([master, 0x14, flags, wait]) + len(payload).to_bytes(2, "little") + payload


def main():
    out = pathlib.Path(sys.argv[1])

    def put(target, content):
        folder = out / target
        folder.mkdir(parents=True, exist_ok=True)
        (folder / hashlib.sha1(content).hexdigest()).write_bytes(content)

    lines = (ROOT / "tests/data/messages.jsonl").read_text().splitlines()
    messages = [json.loads(line) for line in lines]
    games = {}
    for message in messages:
        games.setdefault(message["game"], []).append(message)
        payload = bytes.fromhex(message["hex"])
        put("message", b"\0" + payload)
        if message["transport"] == "tcp":
            side = 0 if message["from"] == "client" else 1
            parts = [payload[at:at + 63] for at in range(0, len(payload), 63)]
            put("stream", b"".join(bytes([len(part) << 2 | side]) + part for part in parts))
        elif message["to"] == "master" and message["dst_port"] in SERVICES and len(payload) < 256:
            service = SERVICES.index(message["dst_port"])
            beat = bytes([service, 7, 1, len(payload)]) + payload
            put("master", beat)
            info = b"\xff\xff\xff\xffinfoResponse\n\\challenge\\\x1a\\protocol\\68\\sv_maxclients\\8"
            put("master", beat + bytes([service, 7, 1, len(info)]) + info + beat)
    for game in games.values():
        whole = b"".join(record(message) for message in game)
        for pick in range(PICKS):
            put("conversation", bytes([pick]) + whole[:4000])
        for message in game:
            for flags in (0, UNREACHABLE if message["transport"] == "udp" else SYN, FRAGMENTS):
                for target in ("conversation", "redaction", "replay_plan"):
                    put(target, b"\0" + record(message) + record(message, flags))
        for target in ("redaction", "replay_plan"):
            put(target, b"\0" + whole[:4000])
    for path in sorted((ROOT / "captures").rglob("*.pcap*")):
        content = path.read_bytes()
        if len(content) < 2000:
            put("file", bytes([len(content) % PICKS]) + content)
    for page in ("filters.md", "reference/filter-names.md"):
        for text in re.findall(r"`([^`\n]+)`", (ROOT / "docs" / page).read_text()):
            put("filter", text.encode())
    for pick in range(8):
        put("http", bytes([pick | 8]) + b"a\r\n\r\n" + b"16\r\n\r\n192.0.2.7:27733\n")
        put("http", bytes([pick | 8]) + b"a\r\n\r\n200 OK\r\nContent-Type: text/html\r\n\r\n<html>")


if __name__ == "__main__":
    main()
