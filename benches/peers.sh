#!/bin/sh
# Measures fragshark beside tcpdump, tshark, capinfos and ndpiReader: benches/peers.sh --help
exec python3 "$(dirname "$0")/peers.py" "$@"
