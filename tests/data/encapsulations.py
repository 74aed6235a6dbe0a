"""Makes the captures of encapsulations, with scapy, and a table of what is in them: python3 make.py DIRECTORY.

Each capture has one request of Quake III, its answer, and the first segment of a connection between the same hosts. The
columns of the table: the capture, its link type, the datagrams and segments in it, those that tshark counts (its version
4.0 reads none of some), the name of what is not read, and what tshark has to be told."""
import struct, subprocess, sys
from scapy.all import *
from scapy.contrib.geneve import GENEVE
from scapy.contrib.mpls import MPLS
from scapy.layers.l2 import Dot1AD
out = sys.argv[1]
A, B = '02:00:00:00:00:01', '02:00:00:00:00:02'
def inner():
    ask = IP(src='192.0.2.10', dst='198.51.100.20', id=1) / UDP(sport=51000, dport=27960) / Raw(b'\xff\xff\xff\xffgetinfo abc')
    reply = IP(src='198.51.100.20', dst='192.0.2.10', id=2) / UDP(sport=27960, dport=51000) / Raw(b'\xff\xff\xff\xffinfoResponse\n\\challenge\\abc\\hostname\\Lab\\mapname\\q3dm6\\protocol\\68')
    segment = IP(src='192.0.2.10', dst='198.51.100.20', id=3) / TCP(sport=51001, dport=27960, seq=7, flags='S')
    return [ask, reply, segment]
def eth(p): return Ether(src=A, dst=B) / p
def outer(): return Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / IP(src='203.0.113.1', dst='203.0.113.2', id=7)
def in_udp(dport, sport=50000): return outer() / UDP(sport=sport, dport=dport)
sets = {}
def add(name, frames, link=1, options='', unread=''): sets[name] = ([bytes(f) for f in frames], link, options, unread)
add('vxlan', [in_udp(4789) / Raw(b'\x08\0\0\0\0\0\x2a\0') / Raw(bytes(eth(p))) for p in inner()])
add('vxlan-gpe', [in_udp(4790) / Raw(b'\x0c\0\0\x01\0\0\x2a\0') / Raw(bytes(p)) for p in inner()])
add('geneve', [in_udp(6081) / GENEVE(vni=5, proto=0x6558) / eth(p) for p in inner()])
add('geneve-options', [in_udp(6081) / Raw(b'\x02\0\x65\x58\0\0\x05\0\x01\x02\x03\x01\0\0\0\x09') / Raw(bytes(eth(p))) for p in inner()])
add('gtp-u', [in_udp(2152) / Raw(struct.pack('>BBHI', 0x30, 0xff, len(p), 9)) / p for p in inner()])
add('gtp-u-extension', [in_udp(2152) / Raw(struct.pack('>BBHI', 0x34, 0xff, len(p) + 8, 9) + b'\0\0\0\x85\x01\x10\0\0') / p for p in inner()])
add('tzsp', [in_udp(37008) / Raw(b'\x01\0\0\x01\x0a\x01\x05\x01') / Raw(bytes(eth(p))) for p in inner()])
add('l2tp', [in_udp(1701, 1701) / Raw(b'\0\x02\0\x01\0\x02\xff\x03\0\x21') / p for p in inner()])
six = lambda p: IPv6(src='2001:0:4136:e378:8000:63bf:3fff:fdd2', dst='2001:db8::1') / p[IP].payload
add('teredo', [in_udp(3544, 3544) / Raw(bytes(six(p))) for p in inner()])
add('teredo-origin', [in_udp(3544, 3544) / Raw(b'\0\0\x12\x34\x01\x02\x03\x04') / Raw(bytes(six(p))) for p in inner()])
def with_gre(head, body):
    packet = IP(src='203.0.113.1', dst='203.0.113.2', id=7, proto=47) / Raw(head + body)
    return Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / packet
add('erspan-1', [with_gre(b'\0\0\x88\xbe', bytes(eth(p))) for p in inner()])
add('erspan-2', [with_gre(b'\x10\0\x88\xbe\0\0\0\x05' + b'\x10\x01\x00\x05\0\0\0\x01', bytes(eth(p))) for p in inner()])
add('erspan-3', [with_gre(b'\x10\0\x22\xeb\0\0\0\x05' + b'\x20\x01\x00\x05\0\0\0\x01\0\0\0\x02', bytes(eth(p))) for p in inner()])
add('eoip', [with_gre(b'\x20\x01\x64\0' + struct.pack('>H', len(eth(p))) + b'\x07\0', bytes(eth(p))) for p in inner()])
add('mpls', [Ether(src=A, dst=B, type=0x8847) / MPLS(label=16, s=0, ttl=9) / MPLS(label=17, s=1, ttl=9) / p for p in inner()])
add('mpls-gre', [with_gre(b'\0\0\x88\x47\0\x01\x01\x40', bytes(p)) for p in inner()])
add('mpls-pseudo-wire', [Ether(src=A, dst=B, type=0x8847) / Raw(b'\0\x01\x01\x40\0\0\0\0') / Raw(bytes(eth(p))) for p in inner()], 1, '-d mpls.label==16,pwethcw')
add('pbb', [Ether(src=A, dst=B, type=0x88e7) / Raw(b'\0\0\0\x2a') / Raw(bytes(eth(p))) for p in inner()])
add('llc-snap', [Dot3(src=A, dst=B) / LLC(dsap=0xaa, ssap=0xaa, ctrl=3) / SNAP(code=0x0800) / p for p in inner()])
add('qinq', [Ether(src=A, dst=B) / Dot1AD(vlan=5) / Dot1Q(vlan=6) / p for p in inner()])
def ah(p):
    head = bytes([p.proto]) + b'\x04\0\0\0\0\0\x01\0\0\0\x01' + b'\x77' * 12
    q = IP(src=p[IP].src, dst=p[IP].dst, id=p[IP].id, proto=51) / Raw(head + bytes(p[IP].payload))
    return eth(q)
add('ah', [ah(p) for p in inner()])
add('etherip', [Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / IP(src='203.0.113.1', dst='203.0.113.2', proto=97) / Raw(b'\x30\0' + bytes(eth(p))) for p in inner()])
wlan = lambda p: b'\x08\x02\0\0' + b'\x02\0\0\0\0\x02' + b'\x02\0\0\0\0\x09' + b'\x02\0\0\0\0\x01' + b'\x10\0' + b'\xaa\xaa\x03\0\0\0\x08\0' + bytes(p)
add('wlan', [wlan(p) for p in inner()], 105)
add('ppi', [struct.pack('<BBHI', 0, 0, 8, 1) + bytes(eth(p)) for p in inner()], 192)
add('ppi-wlan', [struct.pack('<BBHI', 0, 0, 8, 105) + wlan(p) for p in inner()], 192)
tlv = lambda kind, body: struct.pack('<HH', 4 + len(body), kind) + body + b'\0' * (-len(body) % 4)
add('nflog', [b'\x02\0\0\0' + tlv(1, b'\x08\0\x01\0') + tlv(10, b'log\0') + tlv(9, bytes(p)) for p in inner()], 239)
add('pktap', [struct.pack('<III', 108, 1, 1) + b'en0'.ljust(96, b'\0') + bytes(eth(p)) for p in inner()], 258)
add('pflog', [b'\x3d\x02\0\0' + b'em0'.ljust(16, b'\0') + b'\0' * 41 + b'\0\0\0' + bytes(p) for p in inner()], 117)
add('enc', [struct.pack('<III', 2, 0x1234, 0) + bytes(p) for p in inner()], 109)
add('hdlc', [b'\x0f\0\x08\0' + bytes(p) for p in inner()], 104)
def tagged(p, tag): e = bytes(eth(p)); return e[:12] + tag + e[12:]
add('dsa', [tagged(p, b'\xc0\x08\0\x01') for p in inner()], 283)
add('edsa', [tagged(p, b'\xda\xda\0\0\xc0\x08\0\x01') for p in inner()], 284)
add('dsa-brcm', [tagged(p, b'\x20\0\0\x01') for p in inner()], 281)
add('dsa-brcm-prepend', [b'\x20\0\0\x01' + bytes(eth(p)) for p in inner()], 282)
add('ipoib', [b'\0' * 40 + b'\x08\0\0\0' + bytes(p) for p in inner()], 242)
add('prism', [struct.pack('<II', 0x44, 144) + b'\0' * 136 + wlan(p) for p in inner()], 119)
add('avs', [struct.pack('>II', 0x80211001, 64) + b'\0' * 56 + wlan(p) for p in inner()], 163)
add('lisp', [in_udp(4341) / Raw(b'\x80\0\0\x01\0\0\0\x01') / p for p in inner()])
add('mpls-udp', [in_udp(6635) / Raw(b'\0\x01\x01\x40') / p for p in inner()])
add('gue', [in_udp(6080) / Raw(b'\x01\x04\0\0\x01\x02\x03\x04') / p for p in inner()])
add('gue-1', [in_udp(6080) / p for p in inner()], 1, '-d udp.port==6080,ip')
nsh = lambda kind, body: b'\x0f\xc6\x01' + bytes([kind]) + b'\0\0\x01\xff' + b'\0' * 16 + bytes(body)
add('nsh', [Ether(src=A, dst=B, type=0x894f) / Raw(nsh(3, eth(p))) for p in inner()])
add('nsh-vxlan-gpe', [in_udp(4790) / Raw(b'\x0c\0\0\x04\0\0\x2a\0') / Raw(nsh(1, p)) for p in inner()])
add('hsr', [Ether(src=A, dst=B, type=0x892f) / Raw(struct.pack('>HHH', len(p) + 6, 1, 0x0800)) / p for p in inner()])
add('vn-tag', [Ether(src=A, dst=B, type=0x8926) / Raw(b'\0\0\0\x01\x08\0') / p for p in inner()])
nest = lambda body: Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12') / body
# CAPWAP: preamble; the header's length, radio, binding and flags; fragments. Then a radio's address.
capwap = lambda native, body: in_udp(5247, 12222) / Raw(b'\0\x10' + bytes([2 | native]) + b'\0' + b'\0' * 4 + body)
add('capwap-802.3', [capwap(0, bytes(eth(p))) for p in inner()])
add('capwap-802.11', [capwap(1, wlan(p)) for p in inner()], 1, '-o capwap.swap_fc:FALSE')
add('capwap-802.11-swapped', [capwap(1, b'\x02\x08' + wlan(p)[2:]) for p in inner()])
add('capwap-radio', [in_udp(5247) / Raw(b'\0\x20\x03\x10\0\0\0\0\x06\x02\0\0\0\0\x01\0' + b'\x02\x08' + wlan(p)[2:]) for p in inner()])
gre6 = lambda kind, body: struct.pack('>HH', 0, kind) + bytes(body)
add('gre-udp', [in_udp(4754) / Raw(gre6(0x0800, p)) for p in inner()])
add('gre-udp-ethernet', [in_udp(4754) / Raw(gre6(0x6558, eth(p))) for p in inner()])
v6 = lambda p: IPv6(src='2001:db8::10', dst='2001:db8::20') / p[IP].payload
add('fou-ipv4', [in_udp(5555) / p for p in inner()], 1, '-d udp.port==5555,ip')
add('fou-ipv6', [in_udp(5555) / Raw(bytes(v6(p))) for p in inner()], 1, '-d udp.port==5555,ipv6')
add('fou-gre', [in_udp(5556) / Raw(gre6(0x0800, p)) for p in inner()], 1, '-d udp.port==5556,gre')
add('isl', [Raw(b'\x01\0\x0c\0\0\0\x02\0\0\0\0\x11' + struct.pack('>H', len(eth(p)) + 16) + b'\xaa\xaa\x03\0\0\x0c\0\x0a\0\0\0\0' + bytes(eth(p)) + b'\0' * 8) for p in inner()])
add('macsec-clear', [Ether(src=A, dst=B, type=0x88e5) / Raw(b'\x20\0\0\0\0\x01' + b'\x02\0\0\0\0\x01\0\x01' + b'\x08\0' + bytes(p) + b'\x77' * 16) for p in inner()])
add('trill', [Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12', type=0x22f3) / Raw(b'\0\x3f\0\x01\0\x02' + bytes(eth(p))) for p in inner()])
bat = lambda head, p: Ether(src='02:00:00:00:00:11', dst='02:00:00:00:00:12', type=0x4305) / Raw(head + bytes(eth(p)))
mac = lambda text: bytes.fromhex(text.replace(':', ''))
add('batman-unicast', [bat(b'\x40\x0f\x32\x01' + mac(B), p) for p in inner()])
add('batman-4addr', [bat(b'\x42\x0f\x32\x01' + mac(B) + mac(A) + b'\x01\0', p) for p in inner()])
add('batman-bcast', [bat(b'\x01\x0f\x32\0\0\0\0\x01' + mac(A), p) for p in inner()])
add('e-tag', [Ether(src=A, dst=B, type=0x893f) / Raw(b'\0\0\0\x01\0\0\x08\0' + bytes(p)) for p in inner()])
add('r-tag', [Ether(src=A, dst=B, type=0xf1c1) / Raw(b'\0\0\0\x01\x08\0' + bytes(p)) for p in inner()])
add('ethernet-in-ip', [nest(IP(src='203.0.113.1', dst='203.0.113.2', proto=143) / Raw(bytes(eth(p)))) for p in inner()])
add('ipip', [nest(IP(src='203.0.113.1', dst='203.0.113.2') / p) for p in inner()])
add('6in4', [nest(IP(src='203.0.113.1', dst='203.0.113.2', proto=41) / Raw(bytes(v6(p)))) for p in inner()])
add('gre-key-sequence', [with_gre(b'\x30\0\x08\0\0\0\0\x07\0\0\0\x01', bytes(p)) for p in inner()])
add('nvgre', [with_gre(b'\x20\0\x65\x58\0\0\x2a\0', bytes(eth(p))) for p in inner()])
add('wccp', [with_gre(b'\0\0\x88\x3e\0\0\0\0', bytes(p)) for p in inner()])
add('aruba-gre', [with_gre(b'\0\0\x82\0', wlan(p)) for p in inner()])
session = lambda body: Ether(src=A, dst=B, type=0x8864) / Raw(b'\x11\0\0\x07' + struct.pack('>H', len(body)) + body)
add('pppoe', [session(b'\0\x21' + bytes(p)) for p in inner()])
add('pppoe-multilink', [session(b'\0\x3d\xc0\0\0\x01\0\x21' + bytes(p)) for p in inner()])
add('pppoe-bridged', [session(b'\0\x31\0\x01' + bytes(eth(p))) for p in inner()])
add('pppoe-mpls', [session(b'\x02\x81\0\x01\x01\x40' + bytes(p)) for p in inner()])
add('ppp-with-direction', [b'\x01\xff\x03\0\x21' + bytes(p) for p in inner()], 204)
add('hdlc-with-direction', [b'\x01\x0f\0\x08\0' + bytes(p) for p in inner()], 205)
add('sll2', [b'\x08\0\0\0\0\0\0\x02\0\x01\0\x06' + mac(A) + b'\0\0' + bytes(p) for p in inner()], 276)
add('loop', [b'\0\0\0\x02' + bytes(p) for p in inner()], 108)
add('null', [b'\x02\0\0\0' + bytes(p) for p in inner()], 0)
# What is not read, but named: the datagrams of others that are no packets are among it.
add('unread-capwap-dtls', [in_udp(5247) / Raw(b'\x01\0\0\0\x17\xfe\xff' + b'\x55' * 60) for _ in range(1)], 1, '', 'encrypted CAPWAP (DTLS)')
add('unread-capwap-fragments', [in_udp(5247) / Raw(b'\0\x10\x02\x80\0\x07\0\0' + bytes(eth(inner()[0]))[:40])], 1, '', 'CAPWAP in fragments')
add('unread-esp-udp', [in_udp(4500, 4500) / Raw(body) for body in (b'\0\0\x12\x34\0\0\0\x01' + b'\x55' * 60, b'\xff', b'\0\0\0\0' + b'\x11' * 8 + b'\0' * 8 + b'\x21\x20\x22\x08\0\0\0\0\0\0\0\x1c')], 1, '', 'ESP (IPsec) in UDP')
add('unread-wireguard', [in_udp(51820, 51820) / Raw(body) for body in (b'\x01\0\0\0' + b'\x55' * 144, b'\x04\0\0\0' + b'\x55' * 92)], 1, '', 'WireGuard')
add('unread-openvpn', [in_udp(1194, 1194) / Raw(body) for body in (b'\x38' + b'\x55' * 13, b'\x48\0\0\x01' + b'\x55' * 80)], 1, '', 'OpenVPN')
add('unread-l2tpv3', [in_udp(1701, 1701) / Raw(b'\0\x03\0\0\0\0\0\x05' + bytes(eth(inner()[0])))], 1, '', 'L2TPv3')
add('unread-macsec', [Ether(src=A, dst=B, type=0x88e5) / Raw(b'\x2c\0\0\0\0\x01' + b'\x02\0\0\0\0\x01\0\x01' + b'\x55' * 60)], 1, '', 'encrypted MACsec')
add('unread-esp', [nest(IP(src='203.0.113.1', dst='203.0.113.2', proto=50) / Raw(b'\0\0\x12\x34\0\0\0\x01' + b'\x55' * 60))], 1, '', 'ESP (IPsec)')
add('unread-ipcomp', [nest(IP(src='203.0.113.1', dst='203.0.113.2', proto=108) / Raw(b'\x11\0\0\x02' + b'\x55' * 20))], 1, '', 'IPComp')
add('unread-ppp-compressed', [session(b'\0\xfd\x90\x01' + b'\x55' * 60)], 1, '', 'compressed or encrypted PPP (CCP or MPPE)')
add('unread-multilink', [session(b'\0\x3d\x80\0\0\x01\0\x21' + bytes(inner()[1])[:40])], 1, '', 'multilink PPP in parts')
rows = ['capture,link,udp,tcp,tshark_udp,tshark_tcp,unread,options']
for name, (frames, link, options, unread) in sorted(sets.items()):
    path = f'{out}/{name}.pcap'
    with open(path, 'wb') as f:
        f.write(struct.pack('<IHHiIII', 0xa1b2c3d4, 2, 4, 0, 0, 262144, link))
        for n, frame in enumerate(frames): f.write(struct.pack('<IIII', 1700000000, n * 20000, len(frame), len(frame)) + frame)
    counts = [] if unread else [2, 1]
    for transport in ('udp', 'tcp'):
        command = ['tshark', '-r', path, *options.split(), '-Y', transport + '.port == 27960']
        counts.append(len(subprocess.run(command, capture_output=True, text=True).stdout.splitlines()))
    if unread: counts = [0, 0, *counts]
    rows.append(f'{name},{link},{",".join(map(str, counts))},{unread},{options}')
print('\n'.join(rows))
