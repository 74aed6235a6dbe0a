"""Tables of game master server traffic, read from packet captures.

    >>> import fragshark
    >>> fragshark.read("tour.pcapng", "servers", filter="quake3").column("hostname")
    >>> fragshark.scan(["a.pcap", "b.pcap"]).aggregate("game, count(*)")

The tables and their columns are those of `fragshark export`. The program, which this package
carries, decodes the captures and writes Arrow; nothing is written to disk. `python -m fragshark`,
or the command `fragshark`, runs the program itself.
"""
from ._read import FragsharkError, FragsharkWarning, Paths, batches, binary, read, scan

__all__ = ["FragsharkError", "FragsharkWarning", "Paths", "batches", "binary", "read", "scan"]
