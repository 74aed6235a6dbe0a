-- Recognition by content, for the messages whose declaration is a function. A message that is in
-- neither table is recognised if its grammar reads every byte.
local matches = { content = {}, excluded = {}, named = {} }
local content, excluded, named = matches.content, matches.excluded, matches.named

local MARK = "\255\255\255\255"

local function begins(bytes, with) return bytes:sub(1, #with) == with end
local function u32(bytes, at) return text.unsigned(bytes:sub(at, at + 3), "little") end
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
content["half-life.get-region"] = function(bytes)
    local filter = bytes:sub(3):match("^[%x%.:%[%]]*(.*)$")
    if filter ~= "" and filter:byte(1) ~= 0 then return false end
    filter = filter:sub(2)
    return filter == "" or filter == "\0" or filter:byte(1) == 92
end
content["half-life.admin"] = function(bytes)
    return #bytes >= 73 and begins(bytes, "admin") and not begins(bytes, "adminchallenge")
end
content["source.a2a-ack"] = function(bytes)
    local rest = behind(bytes, "j")
    return rest and (rest == "" or rest:find("^[%z0-9]"))
end

-- The place behind `count` mods of DayZ and Arma 3 at `at`: a hash, the length of the id and flags,
-- the id, and a name with its length in front.
local function behind_mods(block, at, count)
    for _ = 1, count do
        local id = (block:byte(at + 4) or 255) % 16
        local name = block:byte(at + 5 + id)
        if id > 8 or not name then return end
        at = at + 6 + id + name
    end
    return at
end

-- Whether rules begin with the chunks of a block with mods.
local ESCAPED = { ["\1"] = "\1", ["\2"] = "\0", ["\3"] = "\255" }
function matches.has_mods(rules)
    local total, at, chunks = rules:byte(2) or 0, 1, {}
    for number = 1, total do
        local stop = rules:find("\0", at + 3, true)
        if rules:sub(at, at + 2) ~= string.char(number, total, 0) or not stop then return false end
        chunks[number], at = rules:sub(at + 3, stop - 1), stop + 1
    end
    local is_escaped = true
    local block = table.concat(chunks):gsub("\1(.?)", function(code)
        is_escaped = is_escaped and ESCAPED[code] ~= nil
        return ESCAPED[code]
    end)
    local version, dlcs, flags = block:byte(1), 0, u16(block, 3)
    while flags > 0 do
        dlcs, flags = dlcs + flags % 2, math.floor(flags / 2)
    end
    if not is_escaped or version ~= 2 and version ~= 3 then return false end
    local mods = (version == 3 and 7 or 5) + 4 * dlcs
    local signatures = behind_mods(block, mods + 1, block:byte(mods) or 0)
    at = signatures and signatures + 1
    for _ = 1, signatures and block:byte(signatures) or 0 do
        at = at + 1 + (block:byte(at) or #block)
    end
    return at == #block + 1
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
    if whole == count or matches.has_mods(rest:sub(3)) then return true end
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
    if part.is_compressed and part.index == 0 then
        part.length, part.crc, at = u32(bytes, at), u32(bytes, at + 4), at + 8
    end
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
-- The form of a part.
function matches.split_form(bytes)
    for _, form in ipairs(FORMS) do
        local part, fits = laid_out(bytes, form)
        if part and fits then return form end
    end
end
-- A datagram of a split message in each form that it may have.
function matches.parts(bytes)
    local all = {}
    for _, form in ipairs(FORMS) do
        local part = laid_out(bytes, form)
        if part then all[#all + 1] = part end
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
local function feed_in(bytes)
    local body = bytes:match("^HTTP/.-\r?\n\r?\n(.*)$")
    return body and body:find("^%d+%.%d+%.%d+%.%d+:%d+\r?\n") and body
end
-- Whether half of the servers or more have the usual port of the game, or one of the next.
local function is_usual_feed(bytes)
    local usual, all = 0, 0
    for line in (feed_in(bytes) or ""):gmatch("[^\n]*%S[^\n]*") do
        local port = tonumber(line:match(":(%d+)%s*$")) or 0
        usual, all = usual + (port >= 27733 and port < 27753 and 1 or 0), all + 1
        if all == 64 then break end
    end
    return all > 0 and 2 * usual >= all
end
content["http.server-feed"] = is_usual_feed
content["http.requested-feed"] = function(bytes)
    return feed_in(bytes) and not is_usual_feed(bytes)
end
content["http.reply"] = function(bytes) return begins(bytes, "HTTP/") and not feed_in(bytes) end
named["http.reply"] = function(_, request)
    return request and request:find(" request$") and request:gsub(" request$", " reply")
        or "HTTP reply"
end

return matches
