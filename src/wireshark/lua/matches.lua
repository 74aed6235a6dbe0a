-- Recognition by content, for the messages whose declaration is a function. A message that is in
-- neither table is recognised if its grammar reads every byte.
local matches = { content = {}, excluded = {}, named = {} }
local content, excluded, named = matches.content, matches.excluded, matches.named

local MARK = "\255\255\255\255"

local function begins(bytes, with) return bytes:sub(1, #with) == with end
local function u16(bytes, at) return (bytes:byte(at) or 0) + 256 * (bytes:byte(at + 1) or 0) end

-- What stands behind the mark and a letter.
local function behind(bytes, letter)
    if begins(bytes, MARK .. letter) then return bytes:sub(6) end
end

-- Half-Life and Source.
local function is_described(letter)
    return function(bytes)
        local rest = behind(bytes, letter) or ""
        local address = rest:match("^[%w%.:%[%]%-]*") or ""
        return address:find(":", 1, true) and rest:byte(#address + 1) == 0 and #rest > #address + 1
    end
end
content["half-life.short-reply"] = is_described("C")
content["half-life.details-reply"] = is_described("m")
content["half-life.players-reply"] = function(bytes)
    local rest = behind(bytes, "D")
    return rest and (rest == "\0" or rest:find("^[\1-\32][\1-\32]"))
end
content["half-life.rules-reply"] = function(bytes)
    local rest = behind(bytes, "E")
    return rest and rest:find("^.[%z\1][%w_]")
end
content["half-life.ping-reply"] = function(bytes)
    local rest = behind(bytes, "j")
    return rest == "" or rest == "\0"
end
content["half-life.reply"] = function(bytes) return begins(bytes, "0\n\\") end
content["half-life.admin"] = function(bytes)
    return #bytes >= 73 and begins(bytes, "admin") and not begins(bytes, "adminchallenge")
end
content["source.a2a-ack"] = function(bytes)
    local rest = behind(bytes, "j")
    return rest and (rest == "" or rest:find("^[%z0-9]"))
end
content["source.s2a-rules"] = function(bytes)
    local rest = behind(bytes, "E")
    if not rest or #rest < 2 then return false end
    local count, whole, at = u16(rest, 1), 0, 3
    local key, value = rest:match("^([^%z]*)%z([^%z]*)", 3)
    while at <= #rest do
        local key_end = rest:find("\0", at, true)
        if key_end == at then return false end
        local value_end = key_end and rest:find("\0", key_end + 1, true)
        if not value_end then whole = -1 break end
        whole, at = whole + 1, value_end + 1
    end
    if whole == count then return true end
    local function is_text(part) return not part:find("[%z\1-\31\127]") end
    return count >= 1 and count <= 1024 and key and is_text(key) and is_text(value)
end
excluded["half-life.connect-challenge"] = function(bytes)
    return begins(bytes:sub(5), "challenge rcon")
end
local function numbers(bytes)
    local count = 0
    local rest = bytes:match("%s(.*)$") or ""
    for word in (rest .. " "):gmatch("([^%s]*)%s") do
        if not word:find("^%d+$") then break end
        count = count + 1
    end
    return count
end
excluded["half-life.netinfo"] = function(bytes) return numbers(bytes) < 3 end
excluded["half-life.netinfo-reply"] = function(bytes) return numbers(bytes) >= 3 end
excluded["half-life.info-reply"] = function(bytes) return begins(bytes:sub(10), "\\\\") end
local function is_hex_list(bytes)
    local rest = bytes:sub(5 + #"getserversResponse")
    if rest == " " then return true end
    if rest:sub(1, 2) ~= " \\" then return false end
    rest = rest:sub(3)
    return begins(rest, "EO") or not rest:sub(1, 12):find("%X")
end
excluded["quake3.getservers-response"] = is_hex_list
excluded["quake3.getservers-response-hex"] = function(bytes) return not is_hex_list(bytes) end
local function is_hashed(bytes)
    local digits = bytes:sub(10):match("^%x*")
    local after = bytes:sub(10 + #digits, 10 + #digits)
    return (#digits == 48 or #digits == 56) and (after == "" or (" \n\0"):find(after, 1, true))
end
excluded["quakeworld.rcon"] = is_hashed
excluded["quakeworld.hashed-rcon"] = function(bytes) return not is_hashed(bytes) end
local function length_is(...)
    local lengths = { ... }
    return function(bytes)
        for _, length in ipairs(lengths) do if #bytes == length then return false end end
        return true
    end
end
excluded["source.a2s-serverquery-getchallenge"] = length_is(5)
excluded["source.a2a-ping"] = length_is(5)
excluded["source.master-ping"] = length_is(1)
excluded["source.a2s-player"] = length_is(5, 9)
excluded["source.s2a-info"] = function(bytes)
    local rest = (behind(bytes, "I") or ""):sub(2)
    for text = 1, 4 do
        local stop = rest:find("\0", 1, true)
        if not stop then return text <= 2 end
        rest = rest:sub(stop + 1)
    end
    if #rest < 9 then return false end
    return not rest:find("^.....[dlpDLP%z][lwmoLWMO][%z\1][%z\1]")
end
excluded["source.s2a-info-detailed"] = function(bytes)
    local rest = behind(bytes, "m")
    local address = rest and rest:match("^([^%z]*)%z")
    if not address or not address:find(":", 1, true) then return true end
    local protocol = rest:match("^[^%z]*%z[^%z]*%z[^%z]*%z[^%z]*%z[^%z]*%z..(.)")
    return (protocol and protocol:byte() or 0) < 47 and protocol ~= nil
end
excluded["source.s2a-player"] = function(bytes)
    local rest = behind(bytes, "D")
    if not rest or rest == "" then return true end
    if rest == "\0" then return false end
    if rest:byte() == 0 then return not rest:find("^%z.[^%z]*%z........") end
    return not rest:find("^..[^%z]*%z")
end
-- The bytes of text, in UTF-8, without control characters.
local function text_length(body)
    local _, plain = body:gsub("[%z\32-\126]", "")
    local _, two = body:gsub("[\194-\223][\128-\191]", "")
    local _, control = body:gsub("\194[\128-\159]", "")
    local _, three = body:gsub("[\224-\239][\128-\191][\128-\191]", "")
    local _, four = body:gsub("[\240-\244][\128-\191][\128-\191][\128-\191]", "")
    return plain + 2 * (two - control) + 3 * three + 4 * four
end
-- A part of a split message in one of its forms; nil if it is none.
local function laid_out(bytes, form)
    if #bytes < 10 then return nil end
    local part = { form = form, id = bytes:sub(5, 8), total = bytes:byte(9), index = bytes:byte(10) }
    local size, at = nil, 11
    part.is_compressed = bytes:byte(8) >= 128 and form ~= "goldsrc"
    if form == "source" then
        size, at = u16(bytes, 11), 13
    elseif form == "goldsrc" then
        part.index, part.total, at = math.floor(part.total / 16), part.total % 16, 10
    end
    local with_numbers = #bytes - at + 1
    if part.is_compressed and part.index == 0 then at = at + 8 end
    part.body = bytes:sub(at)
    local body, is_last = part.body, part.index + 1 == part.total
    if part.index >= part.total or body == "" then return nil end
    local fits
    if part.index == 0 then
        fits = part.is_compressed and begins(body, "BZh")
            or not part.is_compressed and body:find("^\255\255\255\255%a")
    elseif size then
        fits = size >= 200 and size <= 4096
            and (is_last and with_numbers <= size + 12 or math.abs(with_numbers - size) <= 12)
    elseif part.is_compressed then
        fits = is_last or #bytes - 4 >= 512
    elseif is_last then
        fits = text_length(body) * 3 >= #body * 2
    else
        fits = #bytes - 4 >= 512
    end
    return part, fits
end
local FORMS = { "source", "goldsrc", "old" }
excluded["source.split-packet"] = function(bytes)
    for _, form in ipairs(FORMS) do
        local _, fits = laid_out(bytes, form)
        if fits then return false end
    end
    return true
end
-- A datagram of a split message in each form that it may have.
function matches.parts(bytes)
    local all = {}
    for _, form in ipairs(FORMS) do
        local part = laid_out(bytes, form)
        if part and not part.is_compressed then all[#all + 1] = part end
    end
    return all
end

-- Quake III and its kin: words that other games follow by something else.
local function has_at(place, wanted)
    return function(bytes) return bytes:sub(place, place + #wanted - 1) == wanted end
end
local function lacks_at(place, wanted)
    return function(bytes) return bytes:sub(place, place + #wanted - 1) ~= wanted end
end
excluded["quake3.connect"] = has_at(12, "\\")
excluded["quake3.connect-pairs"] = lacks_at(12, "\\")
excluded["quake3.print"] = has_at(10, "\n\\")
excluded["half-life.print"] = has_at(10, "\n\\")
excluded["quake3.ping"] = lacks_at(1, "ping")
excluded["quake3.rcon-print"] = has_at(6, "\\")
excluded["quake3.columns-reply"] = lacks_at(9, "\n\\\\")

-- QuakeWorld: what stands behind a letter.
local function after_mark(bytes)
    if begins(bytes, MARK .. "\255") then return bytes:sub(6) end
    if begins(bytes, MARK) then return bytes:sub(5) end
end
local function behind_n(bytes)
    local rest = after_mark(bytes)
    if rest and rest:sub(1, 1) == "n" then return rest:sub(2) end
end
local function cells(line)
    local all, at = {}, 1
    while true do
        at = line:find("[^ ]", at)
        if not at then return all end
        local quoted = line:match('^"([^"]*)"?', at)
        local cell = quoted or line:match("^[^ ]+", at)
        all[#all + 1] = { cell, quoted ~= nil }
        at = at + #cell + (quoted and 2 or 0)
    end
end
local function is_line(rest)
    local line = rest:sub(1, 512):match("^([^\n]*)\n")
    if not line then return false end
    local all = cells(line)
    for _, pattern in ipairs({ '####""##', 'q#""#' }) do
        local fits = #all >= #pattern and (not all[#pattern + 1] or all[#pattern + 1][2])
        for at = 1, fits and #pattern or 0 do
            local wanted, cell = pattern:sub(at, at), all[at]
            fits = fits and (wanted == '"' and cell[2] or wanted == "q" and cell[1] == "qtv"
                or wanted == "#" and not cell[2] and (cell[1]:find("^%-?%d+$") or cell[1] == "S"))
        end
        if fits then return true end
    end
    return false
end
content["quakeworld.status-reply"] = function(bytes)
    local rest = behind_n(bytes)
    return rest and (rest:sub(1, 1) == "\\" or is_line(rest))
end
content["quakeworld.print"] = function(bytes)
    local rest = behind_n(bytes)
    return rest and rest:sub(1, 1) ~= "\\"
end
content["quakeworld.demolist-reply"] = function(bytes)
    local rest = behind_n(bytes)
    local blanks, digits = (rest or ""):match("^%*?( *)(%d+): ")
    return blanks and #blanks < 4 and #blanks + #digits >= 4
end
content["quakeworld.qtvusers-reply"] = function(bytes)
    return begins(after_mark(bytes) or "", "nqtvusers ")
end
content["quakeworld.pingstatus-reply"] = function(bytes)
    local rest = behind_n(bytes) or ""
    if rest == "" or #rest % 8 ~= 0 then return false end
    local inner = rest:sub(1, -2)
    local is_binary = inner:find("\0", 1, true) or #rest == 8 and inner:find("[^\n -~]")
    for at = 1, #rest, 8 do
        local first = rest:byte(at)
        if first < 1 or first > 223 or u16(rest, at + 4) == 0 then return false end
    end
    return is_binary
end
content["quakeworld.challenge"] = function(bytes)
    return (after_mark(bytes) or ""):find("^c%-?%d")
end

-- Unreal 2: a version, and the kind.
local unreal = {}
-- The place behind so many of Unreal's texts; nil if one is cut.
function unreal.behind_texts(bytes, at, count)
    for _ = 1, count do
        local length = at and reader.text_length(bytes, at)
        if not length then return nil end
        at = at + length
    end
    return at
end
local function is_counted(bytes, at, texts, more)
    local count = bytes:byte(at)
    if not count then return false end
    at = at + 1
    for _ = 1, count do
        at = unreal.behind_texts(bytes, at, texts)
        if not at or at + more > #bytes + 1 then return false end
        at = at + more
    end
    return at == #bytes + 1, count
end
-- The kind of a frame, which no number tells.
local function kind_of(frame)
    local first, length = frame:byte(1) or 0, #frame
    if frame == "\1" then return "motd-request" end
    if length == 5 and frame:sub(3) == "\0\0\1" then return "list-head" end
    if length == 5 and first == 3 then return "number" end
    if length == 5 and first == 4 then return "packages-version" end
    if length == 6 and frame:find("^%z[%z-\2]") then return "heartbeat-request" end
    if length == 6 and frame:find("^\1%z") then return "detected-ports" end
    if length == 17 and frame:find("^\1\120%z%z%z") then return "detected-ports" end
    if length == 8 and frame:find("^[%z\1]%z%z%z[%z\1]%z%z%z$") then return "uplink" end
    local text_length, value = reader.text_length(frame, 1)
    if text_length and value ~= "" and (text_length == length
        or length == text_length + 4 and frame:sub(-3) == "\0\0\0") then
        if value == "APPROVED" or value == "DENIED" or value == "VERIFIED" then return "verified" end
        if #value <= 10 and not value:find("%D") then return "challenge" end
        if #value == 32 and not value:find("%X") then return "approved-response" end
        return "text"
    end
    if first == 0 and is_counted(frame, 2, 2, 1) then return "list-request" end
    if first == 1 and length > 1 then
        local at = unreal.behind_texts(frame, 3, frame:byte(2))
        at = at and unreal.behind_texts(frame, at + 4, 1)
        at = at and unreal.behind_texts(frame, at + 8, 3)
        if at and at + 12 <= length then return "heartbeat" end
    end
    if first == 2 and unreal.behind_texts(frame, 2, 1) == length + 1 then return "statistics" end
    if first == 4 then
        local is_whole, count = is_counted(frame, 2, 2, 4)
        if is_whole and count > 0 then return "packages" end
    end
    local at = unreal.behind_texts(frame, 1, 3)
    local function is_short(place)
        local behind = unreal.behind_texts(frame, place + 1, 1)
        local left = behind and length - behind + 1
        return left == 0 or left == 5 or left == 13
    end
    if at and (is_short(at + 4) or unreal.behind_texts(frame, at + 9, 1) == length + 1) then
        return "login"
    end
    at = length > 8 and unreal.behind_texts(frame, 9, 3)
    if at and at + 2 <= length + 1 then return "list-record" end
end
function matches.unreal_kind(bytes)
    if #bytes < 5 then return nil end
    return kind_of(bytes:sub(5, 4 + text.unsigned(bytes:sub(1, 4), "little")))
end
for kind in ([[motd-request list-head number packages-version heartbeat-request detected-ports uplink
    verified challenge approved-response text list-request heartbeat statistics packages login
    list-record]]):gmatch("%S+") do
    content["unreal2." .. kind] = function(bytes) return matches.unreal_kind(bytes) == kind end
end

local function of_kind(kind, least)
    return function(bytes)
        local found = bytes:match("^[w-\128]%z%z%z(.)")
        return found and found:byte() <= kind[2] and found:byte() >= kind[1] and #bytes > least
    end
end
content["unreal2.query"] = of_kind({ 0, 3 }, 4)
content["unreal2.server-reply"] = of_kind({ 0, 0 }, 5)
content["unreal2.rules-reply"] = of_kind({ 1, 1 }, 5)
content["unreal2.players-reply"] = of_kind({ 2, 2 }, 5)

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

content["teeworlds.token-request"] = function(bytes)
    return #bytes == 520 and bytes:find("^\4%z%z....\5")
end
content["teeworlds.token"] = function(bytes) return #bytes == 12 and bytes:find("^\4%z%z....\5") end

-- Tribes.
content["tribes.info-reply"] = function(bytes) return bytes:find("^a..b\6Tribes") end
content["tribes.status-reply"] = function(bytes) return bytes:find("^c..b\6Tribes") end
content["tribes.list"] = function(bytes) return bytes:find("^\16\6..\2..\102") end
content["tribes2.ping-reply"] = function(bytes) return bytes:find("^\16.....\4VER[35]") end
content["tribes2.info-reply"] = function(bytes)
    local at = 7
    for _ = 1, 3 do
        local count = bytes:byte(at) or 0
        local value = bytes:sub(at + 1, at + count)
        if count == 0 or #value < count or value:find("[^ -~]") then return false end
        at = at + 1 + count
    end
    return true
end
content["tribes2.list"] = function(bytes)
    return #bytes >= 10 and bytes:byte(7) < bytes:byte(8) and #bytes - 10 == 6 * u16(bytes, 9)
end
content["tribes2.list-request"] = function(bytes)
    local at = 8
    for _ = 1, 2 do at = at + 1 + (bytes:byte(at) or 1e6) end
    local count = bytes:byte(at + 14)
    return count and at + 14 + 4 * count == #bytes
end

-- HTTP.
local FETCHED = {
    { "/UpdateServer/utmotdfallback", "HTTP motd fallback" },
    { "/UpdateServer/utmotd", "HTTP motd" },
    { "/UpdateServer/utmasterserver", "HTTP masterserver.txt" },
    { "/UpdateServer/utircserver", "HTTP utircserver.txt" },
    { "/UpdateServer/", "HTTP update" },
    { "/ipgetter/", "HTTP ipgetter" },
}
local REQUESTERS = {
    { "/UpdateServer/", "host", "unreal.epicgames.com" },
    { "/UpdateServer/", "user-agent", "unreal" },
    { "/ipgetter/", "host", "etqw-ipgetter.demonware.net" },
    { "/ipgetter/", "host", "etqwdemo-ipgetter.demonware.net" },
}
content["http.request"] = function(bytes)
    local path = bytes:match("^GET ([^ \r\n]*)")
    for _, row in ipairs(path and REQUESTERS or {}) do
        local value = bytes:lower():match("\n" .. row[2]:gsub("%-", "%%-") .. ":[ \t]*([^\r\n]*)")
        if begins(path, row[1]) and value and begins(value, row[3]) then return true end
    end
    return false
end
named["http.request"] = function(bytes)
    local path = bytes:match("^GET ([^ \r\n]*)") or ""
    for _, row in ipairs(FETCHED) do
        if begins(path, row[1]) then return row[2] .. " request" end
    end
end
content["http.server-feed"] = function(bytes)
    local body = bytes:match("^HTTP/.-\r?\n\r?\n(.*)$")
    return body and body:find("^%d+%.%d+%.%d+%.%d+:%d+\r?\n")
end
content["http.reply"] = function(bytes)
    return begins(bytes, "HTTP/") and not content["http.server-feed"](bytes)
end
named["http.reply"] = function(_, request)
    return request and request:find(" request$") and request:gsub(" request$", " reply")
        or "HTTP reply"
end

return matches
