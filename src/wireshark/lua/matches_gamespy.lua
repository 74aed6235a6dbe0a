-- Recognition by content for GameSpy's protocols, and the names of its queries and replies.
local content, named = matches.content, matches.named

local function begins(bytes, with) return bytes:sub(1, #with) == with end

-- GameSpy: keys and values with a backslash before each.
local function pairs_of(bytes)
    local keys = {}
    if bytes:sub(1, 1) ~= "\\" then return keys end
    local at = 2
    while at <= #bytes and #keys < 2000 do
        local key_end = bytes:find("\\", at, true) or #bytes + 1
        local value_end = bytes:find("\\", key_end + 1, true) or #bytes + 1
        keys[#keys + 1] = { bytes:sub(at, key_end - 1), bytes:sub(key_end + 1, value_end - 1) }
        at = value_end + 1
    end
    return keys
end
local function has(bytes, ...)
    for _, pair in ipairs(pairs_of(bytes)) do
        for _, key in ipairs({ ... }) do if pair[1] == key then return true end end
    end
    return false
end
local function first_key(bytes) return bytes:match("^\\([^\\]*)") end
local QUERIES = { basic = 1, info = 2, rules = 3, players = 4, status = 5, echo = 6, secure = 7,
    packets = 8 }
local RULES = {}
for rule in ([[AdminEMail AdminName changelevels cpu connection fraglimit gamestyle listenserver
    minplayers mutators password rankedserver teamplay timelimit tournament]]):gmatch("%S+") do
    RULES[rule] = true
end
local KNOWN = {}
for _, field in ipairs(DECLARED.fields) do KNOWN[field[1]:lower()] = true end
local function is_reply(bytes) return has(bytes, "queryid", "final") end
content["gamespy.heartbeat"] = function(bytes) return first_key(bytes) == "heartbeat" end
content["gamespy.query"] = function(bytes) return QUERIES[first_key(bytes)] and not is_reply(bytes) end
content["gamespy.reply"] = function(bytes)
    local first = first_key(bytes)
    if not first or first == "heartbeat" then return false end
    local stem = first:match("^(.-_t?)%d+$")
    local is_known = KNOWN[first:lower()] or stem and KNOWN[stem:lower() .. "*"]
    return is_known and not QUERIES[first] or is_reply(bytes)
end
content["gamespy.report-reply"] = function(bytes) return bytes:find("^%w+ %d") end
content["gamespy.secure-challenge"] = function(bytes)
    local first = first_key(bytes)
    return (first == "basic" or first == "secure") and has(bytes, "secure")
end
content["gamespy.validate"] = function(bytes)
    return first_key(bytes) == "gamename" and has(bytes, "validate")
end
content["gamespy.list-request"] = function(bytes) return first_key(bytes) == "list" end
content["gamespy.error"] = function(bytes) return first_key(bytes) == "echo" and has(bytes, "final") end
content["gamespy.server-list"] = function(bytes)
    local first = first_key(bytes)
    return first == "ip" or first == "final"
end
content["gamespy.compressed-list"] = function(bytes)
    local at = bytes:find("\\final\\", 1, true)
    return at and at > 1 and (at - 1) % 6 == 0 and not bytes:find("^\\%l")
end
-- Exclusive or of two bytes, without the operators that not every version of Lua has.
local function xor(a, b)
    local result, bit = 0, 1
    for _ = 1, 8 do
        if a % 2 ~= b % 2 then result = result + bit end
        a, b, bit = math.floor(a / 2), math.floor(b / 2), bit * 2
    end
    return result
end
local function keyed(bytes)
    local length = xor(bytes:byte(1) or 0, 0xEC)
    return length >= 1 and length <= 32 and #bytes >= 1 + length + 7
end
content["gamespy.encrypted-list"] = function(bytes)
    return keyed(bytes) and not content["gamespy.compressed-list"](bytes)
end
content["gamespy.unread-list"] = function() return false end

-- GameSpy's browsing lists: the place behind their two random parts.
local function behind_header(bytes)
    local first = xor(bytes:byte(1) or 0, 0xEC)
    local second = xor(bytes:byte(first + 2) or 0, 0xEA)
    if first < 2 or first > 31 or second < 1 or second > 64 then return nil end
    local has_none = bytes:byte(2) == 0
    if not has_none and not (first == 10 and second == 25) then return nil end
    local at = first + second + 3
    return at <= #bytes + 1 and at or nil
end
matches.behind_header = behind_header
local function is_plain(body)
    if #body < 7 then return false end
    if body:sub(5, 6) == "\255\255" then return body:find("^......[ -~][ -~][ -~][ -~]+%z$") ~= nil end
    local count = body:byte(7)
    if count == 0 then return body:sub(-5) == "\0\255\255\255\255" end
    local at = 8
    for _ = 1, count do
        local key = body:match("^[%z-\2]([!-~]+)%z", at)
        if not key then return false end
        at = at + #key + 2
    end
    return true
end
content["gamespy-list.list-request"] = function(bytes) return bytes:sub(3, 5) == "\0\1\3" end
content["gamespy-list.list"] = function(bytes)
    local at = behind_header(bytes)
    return at and is_plain(bytes:sub(at))
end
content["gamespy-list.enciphered-list"] = function(bytes)
    local at = behind_header(bytes)
    return at and #bytes - at + 1 >= 6 and not is_plain(bytes:sub(at))
end

local function join(queries)
    table.sort(queries, function(a, b) return a.order < b.order end)
    if #queries == 1 then return queries[1].name end
    if #queries == 2 then return queries[1].name .. "+" .. queries[2].name end
    return "queries"
end
named["gamespy.query"] = function(bytes)
    local names = {}
    for order, pair in ipairs(pairs_of(bytes)) do
        if QUERIES[pair[1]] then names[#names + 1] = { name = pair[1], order = order } end
    end
    return join(names)
end
named["gamespy.reply"] = function(bytes, request)
    if request then return request end
    local seen, count = {}, 0
    for _, pair in ipairs(pairs_of(bytes)) do
        local key = pair[1]
        local kind = key == "gamename" and key or key == "hostname" and key
            or (key == "echo" or key == "echo_reply") and "echo" or key == "validate" and "secure"
            or key:find("_t?%d+$") and "players" or RULES[key] and "rules"
        if key == "queryid" or key == "final" or key == "" then kind = nil else
            kind, count = kind or "other", count + 1
        end
        if kind then seen[kind] = true end
    end
    local part = tonumber(bytes:match("\\queryid\\%d+%.(%d+)"))
    if count == 0 and (part or 1) > 1 then return "status" end
    local main
    if seen.gamename then main = (seen.players or seen.hostname) and "status" or "basic"
    elseif seen.hostname then main = (seen.players or seen.rules) and "status" or "info"
    elseif seen.players and not seen.rules and not seen.other then main = "players"
    elseif not ((seen.echo or seen.secure) and not seen.rules and not seen.other) then
        main = "rules"
    end
    local names = {}
    for order, name in ipairs({ main or false, seen.echo and "echo" or false,
        seen.secure and "secure" or false }) do
        if name then names[#names + 1] = { name = name, order = order } end
    end
    return #names > 0 and join(names) or "rules"
end

-- Which reply a part belongs to.
function matches.reply(bytes)
    return has(bytes, "queryid") and bytes:match("\\queryid\\(%d+)") or nil
end

-- GameSpy's second protocol and its kin.
local function is_reply2(body)
    if body:sub(1, 1) == "\0" then return body:find("^%z.[^%z]") ~= nil end
    local at, is_common = 1, false
    while at <= #body do
        local key, value = body:match("^([^%z]+)%z([^%z]*)%z", at)
        if not key then break end
        if key:find("[^ -~]") then return false end
        is_common = is_common or KNOWN[key:lower()]
        at = at + #key + #value + 2
    end
    return is_common and (body:byte(at) == 0 or #body >= 1024)
end
local function settings(bytes, key)
    local body = bytes:sub(6)
    if not is_reply2(body) or not ("\0" .. body):find("\0gamename\0", 1, true) then return nil end
    return ("\0" .. body):match("%z" .. key .. "%z([^%z]*)%z") or ""
end
local function selectors(body)
    local at = 1
    for _ = 1, 3 do
        local count = body:byte(at)
        if not count then return nil end
        at = at + 1 + (count < 255 and count or 0)
    end
    return at <= #body + 1 and body:sub(at) or nil
end
local function queried(bytes) return begins(bytes, "\254\253\0") and #bytes >= 7 and bytes:sub(8) end
content["gamespy2.query"] = function(bytes)
    local body = queried(bytes)
    return body and selectors(body) == ""
end
content["gamespy2.reply"] = function(bytes) return #bytes > 5 and is_reply2(bytes:sub(6)) end
content["gamespy2.values-reply"] = function(bytes)
    local body = bytes:sub(6)
    return body:find("^[^%z]") and body:sub(-1) == "\0" and not is_reply2(body)
        and not body:find("[\1-\8\14-\26\28-\31]")
end
content["gamespy3.query"] = function(bytes)
    local body = queried(bytes)
    if not body then return false end
    local function is_selected(rest)
        rest = selectors(rest)
        return rest == "\0" or rest == "\1"
    end
    return #body == 4 and body:byte() == 0 or is_selected(body:sub(5)) or is_selected(body)
end
local function is_split(bytes) return bytes:sub(6, 14) == "splitnum\0" and #bytes >= 15 end
content["gamespy3.reply"] = function(bytes)
    return is_split(bytes) and (#bytes == 15 or bytes:byte(16) <= 2)
end
content["gamespy3.plain-reply"] = function(bytes)
    return #bytes > 5 and bytes:byte(6) ~= 0 and is_reply2(bytes:sub(6)) and not is_split(bytes)
end
content["gamespy3.basic-reply"] = function(bytes)
    return bytes:sub(6):find("^[^%z]*%z[^%z]*%z[^%z]*%z%d+%z%d+%z..[^%z]*%z$")
end
content["qr2.heartbeat"] = function(bytes) return settings(bytes, "statechanged") == "3" end
content["qr2.update"] = function(bytes)
    local state = settings(bytes, "statechanged")
    return state and state ~= "3"
end
content["qr2.challenge"] = function(bytes)
    local challenge = bytes:match("^\254\253\1....([!-~]*)%z$")
    return challenge and #challenge >= 8 and #challenge <= 64
end
content["qr2.challenge-response"] = function(bytes)
    local answer = bytes:sub(6):match("^([%w%+/]+)%z?$")
    return answer and #answer % 4 == 0
end
