-- Registers the dissector: its fields, its ports, and its heuristics by content.
local fragshark = Proto("fragshark", "Game and master servers")

local FIELDS, IS_NUMBER = {}, {}
local registered = {}

local function register(name, kind, label, meaning)
    local full = "fragshark." .. name
    if not FIELDS[name] then
        FIELDS[name] = ProtoField.new(label, full, kind, nil, base.NONE, nil, meaning)
        registered[#registered + 1] = FIELDS[name]
    end
end

register("protocol", ftypes.STRING, "Protocol", "the message's grammar")
register("message", ftypes.STRING, "Message", "the message's name in its documents")
register("message.id", ftypes.STRING, "Message id", "the message's own name among all")
register("direction", ftypes.STRING, "Direction", "who sends it to whom, as far as it proves that")
register("answers", ftypes.FRAMENUM, "Request in frame", "the frame of the request")
register("key", ftypes.STRING, "Key", "the name of a value that no document lists")
register("value", ftypes.STRING, "Value", "a value whose key no document lists")
register("unparsed", ftypes.BYTES, "Unparsed", "bytes that no field claims")
for _, protocol in ipairs(DECLARED.protocols) do
    register(protocol.id, ftypes.NONE, protocol.title, "any message of the protocol")
end
for _, message in ipairs(DECLARED.messages) do
    register(message.id, ftypes.NONE, message.name, message.section)
end
-- Whether a field is a number in every message that has it.
for _, field in ipairs(DECLARED.fields) do
    local name = "field." .. text.name(field[1])
    IS_NUMBER[name] = field[2] and IS_NUMBER[name] ~= false
end
for _, field in ipairs(DECLARED.fields) do
    local name = "field." .. text.name(field[1])
    register(name, IS_NUMBER[name] and ftypes.INT64 or ftypes.STRING, field[1], field[3])
end
register("field.servers", ftypes.STRING, "servers", "one listed server")
fragshark.fields = registered

-- Adds a value to the tree; a text with the codes of colours also as it is read without them.
local function add(tree, colours, name, range, value, label)
    local field = FIELDS[name]
    if IS_NUMBER[name] then
        local digits = type(value) == "number" and ("%.0f"):format(value) or tostring(value)
        local is_whole = digits:find("^-?%d+$") and (type(value) ~= "number" or value % 1 == 0)
        if is_whole and math.abs(tonumber(digits)) < 2 ^ 63 then
            return tree:add(field, range, Int64.new(digits))
        end
        -- A field is of one type: another value is a text under its name.
        local shown = text.shown(tostring(value))
        return tree:add(FIELDS.value, range, shown):set_text(("%s: %s"):format(label or name, shown))
    end
    value = tostring(value)
    local shown = tree:add(field, range, text.shown(value))
    local clean = text.clean(colours, value)
    if clean then
        shown:append_text((" (%s)"):format(text.shown(clean)))
        tree:add(field, range, text.shown(clean)):set_generated()
    end
    return shown
end

-- The most items of one list that are shown.
local MOST_SHOWN = 1024

local function show(tree, colours, tvb, items)
    for n, item in ipairs(items) do
        if n > MOST_SHOWN then
            tree:add(tvb(), ("... and %d more"):format(#items - MOST_SHOWN))
            return
        end
        local at, length = item.at - 1, item.length
        if at + length > tvb:captured_len() then length = tvb:captured_len() - at end
        local range = length > 0 and tvb(at, length)
        if range and item.key then
            local name = "field." .. text.name(item.key)
            if FIELDS[name] then
                add(tree, colours, name, range, item.value, item.key)
            else
                tree:add(FIELDS.key, range, text.shown(item.key))
                add(tree, colours, "value", range, item.value)
            end
        elseif range and item.sub then
            local name = item.name or ""
            local label = item.label and ("%s: %s"):format(name, text.shown(item.label))
            local sub = tree:add(range, label or ("%s (%d)"):format(name, #item.sub))
            show(sub, colours, tvb, item.sub)
        elseif range and FIELDS["field." .. text.name(item.name or "")] then
            local name = "field." .. text.name(item.name)
            if item.value ~= nil then
                add(tree, colours, name, range, item.value, item.name)
            else
                tree:add(range, ("%s: %d bytes"):format(item.name, item.length))
            end
        end
    end
end

local seen = {}
-- The parts of split messages that wait for others, at most so many.
local parts, part_count, MOST_PARTS = {}, 0, 4096
-- Segments whose last message waits for more bytes: the frame by the sender, and the place in it by
-- the frame.
local waiting, begun = {}, {}
-- How many segments in a row were awaited for the message that a sender has begun: each costs Wireshark
-- all of the bytes again, so nothing more is awaited from who needs more than this. By frame, the place
-- of a message that is taken as it is for that.
local awaited, given_up, MOST_SEGMENTS = {}, {}, 1000
-- The frame whose last message was taken as it is, because nothing came behind it.
local ended

function fragshark.init()
    recognise.reset()
    seen, parts, part_count = {}, {}, 0
    waiting, begun, awaited, given_up = {}, {}, {}, {}
end

local function key_of(pinfo, is_stream)
    local from = tostring(pinfo.src) .. " " .. pinfo.src_port
    local to = tostring(pinfo.dst) .. " " .. pinfo.dst_port
    local carrier = is_stream and "tcp " or "udp "
    return carrier .. (from < to and from .. " " .. to or to .. " " .. from), carrier .. from, carrier .. to
end

-- A message of a packet, from what was remembered of it or for the first time.
local function message_in(bytes, pinfo, is_stream, part)
    local key, from, to = key_of(pinfo, is_stream)
    local place = pinfo.number .. " " .. part .. " " .. from .. " " .. #bytes
    local record = seen[place]
    local packet = {
        bytes = bytes, frame = pinfo.number, time = tonumber(tostring(pinfo.abs_ts)) or 0,
        from = from, to = to, ports = { pinfo.src_port, pinfo.dst_port },
        readings = {},
    }
    if record then
        packet.state = recognise.conversation(key)
        packet.candidates = record.candidates
        recognise.again(packet, record)
    else
        packet.candidates = candidates.of(is_stream, bytes)
        if #packet.candidates == 0 then return nil end
        packet.state = recognise.conversation(key)
        record = recognise.observe(packet)
        seen[place] = record
    end
    if not record.message then return nil end
    return record, recognise.reading(packet, record.message).items, key
end

local function draw(tvb, pinfo, root, record, items)
    local message = record.message
    local protocol = recognise.protocols[message.protocol]
    pinfo.cols.protocol = message.protocol
    pinfo.cols.info = record.name
    local tree = root:add(fragshark, tvb(), ("%s, %s"):format(protocol.title, record.name))
    tree:add(FIELDS[message.protocol], tvb()):set_generated():set_hidden()
    tree:add(FIELDS[message.id], tvb()):set_generated():set_hidden()
    tree:add(FIELDS.protocol, tvb(0, 0), message.protocol):set_generated()
    tree:add(FIELDS.message, tvb(0, 0), record.name):set_generated()
    tree:add(FIELDS["message.id"], tvb(0, 0), message.id):set_generated()
    local direction = ("%s-to-%s"):format(message.proves[1] or "unknown", message.proves[2] or "unknown")
    tree:add(FIELDS.direction, tvb(0, 0), direction):set_generated()
    if record.request and record.request.frame ~= pinfo.number then
        tree:add(FIELDS.answers, tvb(0, 0), record.request.frame):set_generated()
    end
    show(tree, protocol.colours, tvb, items)
    local last = items[#items]
    local read = last and last.at + last.length - 1 or 0
    if read < tvb:captured_len() then tree:add(FIELDS.unparsed, tvb(read)) end
end

-- What an ICMP error quotes is no message that was sent here.
local QUOTES = { Field.new("icmp.type"), Field.new("icmpv6.type") }

local function is_quoted()
    for _, quote in ipairs(QUOTES) do if quote() then return true end end
    return false
end

-- A reply that is compressed; nothing if it is damaged.
local function unpacked(whole, all)
    local plain = bzip2.plain(whole, all.length)
    return plain and crc32.of(plain) == all.crc and plain or ""
end

-- Shows the message whose last part a datagram was.
local function joined(tvb, pinfo, root, record)
    if not pinfo.visited and record.joined == nil then
        record.joined = false
        local _, from, to = key_of(pinfo, false)
        for _, part in ipairs(matches.parts(tvb:raw())) do
            local key = from .. " " .. to .. " " .. part.form .. part.id
            if part_count >= MOST_PARTS then parts, part_count = {}, 0 end
            local all = parts[key]
            if not all or all.total ~= part.total then all = { total = part.total, count = 0 } end
            parts[key] = all
            if part.crc then all.length, all.crc = part.length, part.crc end
            if not all[part.index] then
                all[part.index], all.count = part.body, all.count + 1
                part_count = part_count + 1
            end
            if all.count == all.total then
                local whole = table.concat(all, "", 0, all.total - 1)
                parts[key] = nil
                if all.crc then whole = unpacked(whole, all) end
                if #candidates.of(false, whole) > 0 then record.joined = whole break end
            end
        end
    end
    if not record.joined then return end
    local whole = ByteArray.new(record.joined, true):tvb("Joined message")
    local inner, items = message_in(record.joined, pinfo, false, 1)
    if inner then draw(whole, pinfo, root, inner, items) end
end

local function datagram(tvb, pinfo, root)
    if is_quoted() then return 0 end
    if tvb:captured_len() == 0 then return 0 end
    local record, items = message_in(tvb:raw(), pinfo, false, 0)
    if not record then return 0 end
    draw(tvb, pinfo, root, record, items)
    if record.message.id == "source.split-packet" then joined(tvb, pinfo, root, record) end
    return tvb:reported_len()
end

-- A stream is cut into messages. Only one whose beginning is known is asked for more bytes.
local LONGEST = 1048576
-- `DESEGMENT_UNTIL_FIN`, which Lua has no name for.
local UNTIL_FIN = 0x0ffffffe

local function stream(tvb, pinfo, root)
    local at, done = 0, false
    local key, from = key_of(pinfo, true)
    local spoken = recognise.conversation(key).spoken
    if not pinfo.visited and waiting[from] then begun[waiting[from]], waiting[from] = nil, nil end
    local function is_known(id)
        local roles = recognise.protocols[id].roles
        return spoken[id] or (roles[pinfo.src_port] or roles[pinfo.dst_port]) and id == "unreal2"
    end
    while at < tvb:captured_len() do
        local rest = tvb(at):tvb()
        local bytes = rest:raw()
        local id, length = streams.cut(bytes, is_known)
        if not length or id == "http" then break end
        local missing = length == "more" and DESEGMENT_ONE_MORE_SEGMENT
            or length == "endless" and UNTIL_FIN or length - #bytes
        local is_last = pinfo.visited and begun[pinfo.number] == at
        if not pinfo.visited then
            local before = awaited[from] or 0
            if before <= MOST_SEGMENTS then
                awaited[from] = length == "more" and before + 1 or nil
            elseif type(length) == "string" then
                given_up[pinfo.number] = at
            end
        end
        if is_last then
            ended = pinfo.number
        elseif given_up[pinfo.number] == at then
            -- It is taken as it is.
        elseif missing > 0 and #bytes < LONGEST and pinfo.can_desegment > 0 then
            pinfo.desegment_offset, pinfo.desegment_len = at, missing
            if not pinfo.visited and length == "more" then
                waiting[from], begun[pinfo.number] = pinfo.number, at
            end
            return tvb:reported_len()
        end
        if type(length) == "string" or length > #bytes then length = #bytes end
        local whole = rest(0, length):tvb()
        local record, items = message_in(whole:raw(), pinfo, true, at)
        if not record then break end
        draw(whole, pinfo, root, record, items)
        at, done = at + length, true
    end
    return done and tvb:reported_len() or 0
end

function fragshark.dissector(tvb, pinfo, root)
    if pinfo.port_type == 2 then return stream(tvb, pinfo, root) end
    return datagram(tvb, pinfo, root)
end

local function heuristic(dissect)
    return function(tvb, pinfo, root) return dissect(tvb, pinfo, root) > 0 end
end

fragshark:register_heuristic("udp", heuristic(datagram))
fragshark:register_heuristic("tcp", heuristic(stream))

-- Documented ports are taken from Wireshark's own dissectors for Quake's games.
local udp = DissectorTable.get("udp.port")
for _, protocol in ipairs(DECLARED.protocols) do
    for _, port in ipairs(protocol.ports) do udp:add(port[1], fragshark) end
end

-- Wireshark's own dissector reads HTTP. Requests and replies for games get a name in addition, and so
-- does what waited for bytes that never came.
local behind_tcp = Proto("fragshark_rest", "Messages of game and master servers in HTTP, or without an end")
local HTTP = { Field.new("http.request"), Field.new("http.response") }
local WHOLE, SEGMENT = Field.new("tcp.reassembled.data"), Field.new("tcp.payload")

function behind_tcp.dissector(_, pinfo, root)
    -- A segment alone is not passed on again.
    local at = pinfo.visited and ended ~= pinfo.number and begun[pinfo.number]
    local found
    if at then
        found = SEGMENT()
    elseif HTTP[1]() or HTTP[2]() then
        found = WHOLE() or SEGMENT()
    end
    if not found then return end
    local range = found.range
    if at then
        if at >= range:len() then return end
        range = range(at, range:len() - at)
    end
    local record, items = message_in(range:raw(), pinfo, true, at or 0)
    if record then draw(range:tvb(), pinfo, root, record, items) end
end
register_postdissector(behind_tcp)
