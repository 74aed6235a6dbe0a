-- Which message a payload is. What is remembered of a conversation, and in which order reasons
-- decide, is as in fragshark itself; its documents say why.
local recognise = {}

local PROTOCOLS, MESSAGES, BY_ID = {}, DECLARED.messages, {}

-- Requests wait so long, in seconds, and so many in a conversation.
local PATIENCE, WAITING = 30, 12

for _, protocol in ipairs(DECLARED.protocols) do
    PROTOCOLS[protocol.id] = protocol
    protocol.roles = {}
    for _, port in ipairs(protocol.ports) do
        local roles = protocol.roles[port[1]] or {}
        roles[port[2]] = true
        protocol.roles[port[1]] = roles
    end
end
recognise.protocols = PROTOCOLS

-- What all directions have in common.
local function common(directions)
    local proves = {}
    for side = 1, 2 do
        local role = directions[1] and directions[1][side]
        for _, direction in ipairs(directions) do
            if direction[side] ~= role then role = nil end
        end
        proves[side] = role
    end
    return proves
end

for order, message in ipairs(MESSAGES) do
    BY_ID[message.id] = message
    message.order = order
    message.directions = {}
    for _, list in ipairs({ message.usual, message.rare }) do
        for _, direction in ipairs(list) do table.insert(message.directions, direction) end
    end
    message.proves = common(message.directions)
    local by_client, to_client = message.proves[1] == "client", message.proves[2] == "client"
    if by_client ~= to_client then message.serving = by_client and 2 or 1 end
    local of_protocol = message.answers
    message.answers = {}
    for _, id in ipairs(of_protocol) do message.answers[message.protocol .. "." .. id] = true end
end

-- What is remembered of endpoints and conversations.
local ends, conversations = {}, {}

function recognise.reset() ends, conversations = {}, {} end

local function end_of(name)
    ends[name] = ends[name] or { proven = {}, spoken = {}, shared = {} }
    return ends[name]
end

function recognise.conversation(key)
    if not conversations[key] then
        conversations[key] =
            { spoken = {}, shared = {}, confirmed = {}, requests = {}, parts = nil }
    end
    return conversations[key]
end

local function name_of(message, bytes, request)
    local named = message.named and matches.named[message.id]
    return named and named(bytes, request and request.name) or message.name
end

-- The request that waits for the message. Of several: one whose answers have its name, else the
-- oldest without an answer that is due, else the newest.
local function awaited(message, packet)
    if packet.awaited then return packet.awaited[message.id] end
    if not next(message.answers) then return nil end
    local all, of_name, due, unanswered = {}, nil, nil, nil
    for _, request in ipairs(packet.state.requests) do
        local is_answered = false
        for id in pairs(request.possible) do
            is_answered = is_answered or message.answers[id]
        end
        if is_answered and request.from ~= packet.from and packet.time - request.time <= PATIENCE then
            all[#all + 1] = request
        end
    end
    if #all < 2 then return all[1] end
    local name = name_of(message, packet.bytes)
    for _, request in ipairs(all) do
        if request.replies == 0 then
            if request.name == name then of_name = of_name or request end
            if request.is_due then due = due or request end
            unanswered = request
        end
    end
    return of_name or due or unanswered or all[#all]
end

local function only(roles)
    local found
    for role in pairs(roles) do
        if found then return nil end
        found = role
    end
    return found
end

local function listens(message, port, role)
    local roles = PROTOCOLS[message.protocol].roles[port]
    return roles and roles[role]
end

local function is_documented(message, packet)
    for _, direction in ipairs(message.usual) do
        if listens(message, packet.ports[1], direction[1])
            or listens(message, packet.ports[2], direction[2]) then return true end
    end
end

local function reading(packet, message)
    local known = packet.readings[message.id]
    if not known then
        local items, is_whole, is_odd = reader.read(message, packet.bytes)
        known = { items = items, is_whole = is_whole, is_odd = is_odd }
        packet.readings[message.id] = known
    end
    return known
end
recognise.reading = reading

local function is_allowed(message, packet)
    local magic = message.magic
    local function parses() return reading(packet, message).is_whole end
    local function is_known()
        return awaited(message, packet)
            or magic ~= "answer only" and packet.state.confirmed[message.protocol]
    end
    local function is_on_port() return is_documented(message, packet) end
    if magic == "strong" then return not message.whole or parses() end
    if magic == "exact" then return (is_on_port() or is_known()) and not message.whole or parses() end
    -- A port alone is no proof: everything behind the letter has to fit too.
    if magic == "weak" and not is_known() then return is_on_port() and parses() end
    return is_known() and (not message.whole or parses())
end

-- What is known of the endpoints that may serve a message.
local function serves(message, packet, what)
    local sides = message.serving and { message.serving } or { 1, 2 }
    local known = {}
    for _, side in ipairs(sides) do
        for protocol in pairs(packet.ends[side][what]) do known[protocol] = true end
    end
    return known
end

local function is_foreign(message, packet)
    if #message.shared_with == 0 then return false end
    local known = serves(message, packet, "spoken")
    if known[message.protocol] then return false end
    for _, protocol in ipairs(message.shared_with) do
        if known[protocol] then return true end
    end
    return false
end

local function keep(all, fits)
    if #all < 2 then return all end
    local fitting = {}
    for _, message in ipairs(all) do
        if fits(message) then fitting[#fitting + 1] = message end
    end
    return #fitting > 0 and fitting or all
end

-- Whether a value of the message tells the game as well as a protocol number does.
local function is_told(message, packet)
    local function fits(signature, value)
        local how, values = signature[3], signature[4]
        value = tostring(value or ""):lower()
        if how == "present" then return true end
        if how == "any" then return value ~= "" end
        for _, wanted in ipairs(values) do
            wanted = tostring(wanted):lower()
            if (how == "is" or how == "bytes") and value == wanted
                or how == "starts" and value:sub(1, #wanted) == wanted
                or how == "contains" and value:find(wanted, 1, true)
                or how == "major" and math.floor((tonumber(value) or 0) % 2 ^ 31 / 65536) == tonumber(wanted)
            then
                return true
            end
        end
    end
    local function any(items)
        for _, item in ipairs(items) do
            local name = item.key or item.name
            for _, signature in ipairs(PROTOCOLS[message.protocol].strong) do
                local of_this = signature[1] == "" or message.protocol .. "." .. signature[1] == message.id
                if of_this and signature[2] == name and fits(signature, item.value) then return true end
            end
            if item.sub and any(item.sub) then return true end
        end
    end
    return any(reading(packet, message).items)
end

-- The likeliest message, and whether it is the only one that the payload can be.
local function weigh(all, packet)
    local of_one = true
    for _, message in ipairs(all) do of_one = of_one and message.protocol == all[1].protocol end
    local proven = { only(packet.ends[1].proven), only(packet.ends[2].proven) }
    all = keep(all, function(message)
        for _, direction in ipairs(message.directions) do
            if (not proven[1] or proven[1] == direction[1])
                and (not proven[2] or proven[2] == direction[2]) then return true end
        end
    end)
    local seen, first_of = {}, {}
    for _, message in ipairs(all) do
        if not seen[message.protocol] then first_of[#first_of + 1] = message end
        seen[message.protocol] = true
    end
    all = first_of
    if #all == 1 and of_one then return all, true end
    all = keep(all, function(m) return serves(m, packet, "spoken")[m.protocol] end)
    all = keep(all, function(m) return packet.state.spoken[m.protocol] end)
    if #all == 1 then return all, false end
    all = keep(all, function(m) return reading(packet, m).is_whole end)
    if #all == 1 then return all, true end
    local possible = all
    all = keep(all, function(m) return awaited(m, packet) end)
    if #all == 1 then return all, true end
    all = keep(all, function(m) return is_told(m, packet) end)
    all = keep(all, function(m) return packet.state.shared[m.protocol] end)
    all = keep(all, function(m) return serves(m, packet, "shared")[m.protocol] end)
    all = keep(all, function(m)
        for _, direction in ipairs(m.directions) do
            for side = 1, 2 do
                if direction[side] ~= "client" and listens(m, packet.ports[side], direction[side]) then
                    return true
                end
            end
        end
    end)
    all = keep(all, function(m) return not reading(packet, m).is_odd end)
    all = keep(all, function(m)
        local roles = PROTOCOLS[m.protocol].roles
        return roles[packet.ports[1]] or roles[packet.ports[2]]
    end)
    all = keep(all, function(m) return not m.undocumented end)
    return all, false, possible
end

-- The message of a packet, whether it is certain, and all that it may be; or nothing, and the
-- message that an answer would confirm.
local function find(packet)
    packet.ends = { end_of(packet.from), end_of(packet.to) }
    local allowed, suspect = {}, nil
    for _, message in ipairs(packet.candidates) do
        local is_ours = is_allowed(message, packet)
        if not is_ours and message.magic == "weak" and not suspect
            and reading(packet, message).is_whole then suspect = message end
        if is_ours and not is_foreign(message, packet) then allowed[#allowed + 1] = message end
    end
    if #allowed == 0 then return nil, suspect end
    if #allowed == 1 then return allowed[1], true, allowed end
    local all, is_certain, possible = weigh(allowed, packet)
    return all[1], is_certain, possible or { all[1] }
end

local function wait(packet, possible, name)
    local ids = {}
    for _, message in ipairs(possible) do ids[message.id] = true end
    local requests = packet.state.requests
    requests[#requests + 1] = { possible = ids, name = name, time = packet.time, from = packet.from,
        frame = packet.frame, replies = 0, is_due = not possible[1].one_way }
    if #requests > WAITING then table.remove(requests, 1) end
end

-- Remembers what a message proves.
local function learn(packet, message, is_certain, possible, answered)
    local state, protocol = packet.state, message.protocol
    local is_shared = is_certain and #message.shared_with > 0
    local is_own = is_certain and (not is_shared or is_told(message, packet))
    if is_own or is_certain and answered then
        state.spoken[protocol] = true
    elseif answered then
        state.shared = { [protocol] = true }
    else
        state.shared[protocol] = true
    end
    local proves = { message.proves[1], message.proves[2] }
    for _, other in ipairs(possible) do
        for side = 1, 2 do
            if other.proves[side] ~= proves[side] then proves[side] = nil end
        end
    end
    for side = 1, 2 do
        if proves[side] then packet.ends[side].proven[proves[side]] = true end
    end
    if is_own and (proves[1] == "server" or proves[1] == "master") then
        packet.ends[1].spoken[protocol] = true
    end
    if not (is_own or is_certain and answered) then
        for side = 1, 2 do packet.ends[side].shared[protocol] = true end
    end
end

-- Finds the message of a packet, the first time that it is seen, and remembers what it proves.
function recognise.observe(packet)
    local message, is_certain, possible = find(packet)
    local record = { candidates = packet.candidates, awaited = {} }
    for _, candidate in ipairs(packet.candidates) do
        record.awaited[candidate.id] = awaited(candidate, packet)
    end
    if not message then
        local suspect = is_certain
        if suspect then wait(packet, { suspect }, suspect.name) end
        return record
    end
    local request = awaited(message, packet)
    if request then
        request.replies = request.kind == message.id and request.replies + 1 or 1
        request.kind = message.id
        for id in pairs(request.possible) do
            local asked = message.answers[id] and BY_ID[id]
            if asked and asked.magic == "weak" then packet.state.confirmed[message.protocol] = true end
        end
    end
    record.message, record.request = message, request
    record.name = name_of(message, packet.bytes, request)
    -- A part whose name another part decides has that of the first one.
    local reply = message.named and matches.reply and matches.reply(packet.bytes)
    if reply then
        local parts = packet.state.parts
        if not request and parts and parts[1] == reply then record.name = parts[2] end
        packet.state.parts = { reply, record.name }
    end
    record.named_as, record.part_name = message.id, reply and record.name
    if message.request then wait(packet, possible, record.name) end
    learn(packet, message, is_certain, possible, request ~= nil)
    return record
end

-- Finds the message of a packet again, with what is known by now.
function recognise.again(packet, record)
    packet.awaited = record.awaited
    local message = find(packet)
    if not message then return end
    record.message, record.request = message, record.awaited[message.id]
    record.name = record.named_as == message.id and record.part_name
        or name_of(message, packet.bytes, record.request)
end

return recognise
