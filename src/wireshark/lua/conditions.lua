-- On what a branch of a grammar depends, by its words: values read before, or the bytes that follow.
-- A branch that is not here is tried in its order.
local conditions = { optional = {}, choice = {} }

local function begins(rest, bytes) return rest:sub(1, #bytes) == bytes end
local function u16(bytes, at) return text.unsigned(bytes:sub(at, at + 1), "big") end

-- Branches that may be left out. `last` returns the value that was read last under a name.
local when = conditions.optional

local function is(name, value)
    return function(last) return last(name) == value end
end

local function has_bit(name, bit)
    return function(last) return (tonumber(last(name)) or 0) % (2 * bit) >= bit end
end

local function number(last, name) return tonumber(last(name)) or 0 end

when["of The Ship (application 2400)"] = is("app id", 2400)
when["of a modification"] = is("modification", 1)
for flag, bit in pairs({ ["80"] = 128, ["10"] = 16, ["40"] = 64, ["20"] = 32, ["01"] = 1 }) do
    when["flag " .. flag] = has_bit("extra data", bit)
end

when["with more behind the word"] = function(last) return last("blank") ~= "" end
when["with a protocol"] = function(last) return not last("gamename") or last("blank") == " " end
when["with a number"] = is("head", "\0")
when["from Raven's and Activision's masters"] = is("head", "\n\0")
when["from other masters"] = function(last) return last("head") ~= "\0" and last("head") ~= "\n\0" end
when["in a packet with a number"] = function(last)
    return last("head") == "\0" and last("index") ~= last("count")
end
when["in the last packet with a number"] = function(last)
    return last("head") == "\0" and last("index") == last("count")
end
when["in the first step"] = function(last, whole) return whole:find("\\cnt\\0[\\%z]") ~= nil end

when["protocol 36"] = function(last) return number(last, "protocol") == 36 end
when["behind a NUL"] = is("end", "\0")
when["of up to 64 clients"] = function(last, _, id) return id == "teeworlds.info-64" end

-- Doom 3's numbers of the protocol have the major one in the upper half.
local function version(major, minor) return major * 65536 + minor end
local function protocol_in(first, behind)
    return function(last)
        local protocol = number(last, "protocol")
        return protocol >= first and protocol < behind
    end
end
when["before protocol 10.17"] = protocol_in(0, version(10, 17))
when["protocol 10.17"] = protocol_in(version(10, 17), version(10, 19))
when["since protocol 10.19"] = protocol_in(version(10, 19), math.huge)
when["since protocol 1.37"] = protocol_in(version(1, 37), math.huge)
local function is_quake4(last) return math.floor(number(last, "protocol") / 65536) % 32768 == 2 end
when["of Quake 4"] = is_quake4
when["of Doom 3"] = function(last) return not is_quake4(last) end
when["where people play"] = is("server type", 0)
when["a TV relay"] = is("server type", 1)
when["at connect"] = function(last) return last("client id") ~= -1 end
when["unless the client may come in"] = function(last) return last("reply") ~= 1 end
when["with a text"] = is("message", 3)

when["of XMP"] = is("version", 126)
when["of the others"] = function(last) return last("version") ~= 126 end
when["of several teams"] = function(last) return number(last, "teams") > 1 end
when["where everybody plays alone"] = function(last) return number(last, "teams") <= 1 end
when["in the first packet"] = function(last) return last("name") ~= "" end
when["for another address"] = has_bit("options", 8)
when["not more than a number"] = has_bit("options", 128)

local function first_part(is_compressed)
    return function(last, whole)
        local both = last("number and total")
        local is_first = both and both < 16 or not both and last("number") == 0
        local compressed = not both and whole:byte(8) >= 128
        return is_first and compressed == is_compressed
    end
end
when["in the first part of a compressed reply"] = first_part(true)
when["in the first part of another reply"] = first_part(false)

-- Branches of which one is taken: those whose condition does not hold are left out, and one whose
-- condition holds is taken. `rest` is what follows.
local one = conditions.choice

local function first(bytes)
    return function(rest) return begins(rest, bytes) end
end

local function of_length(length)
    return function(rest) return #rest == length end
end

local function first_word(rest) return rest:match("^[^ \n]*") end

one["DarkPlaces', with a digest"] = first("HMAC-")
one["in the clear: a quote first"] = first('"')
one["three numbers first"] = function(rest)
    return rest:find('^%d%d?%d?%d? %d+ %d+ "') ~= nil
end
one["a game's name first"] = function(rest)
    local word = first_word(rest)
    return not word:find("^[%d-]*$") and not word:find("^0x%x+$")
end
one["another text"] = function(rest) return not first_word(rest):find("^[%d-]*$") end
one["another packet follows"] = function(rest) return rest == "\\EOT" end
one["the key alone"] = function(rest) return not rest:find("^%d%d?%d? ") end
one["a modification's folder"] = function(rest) return not rest:find("^[%d-]") end
one["an identifier in quotes"] = first('"')
one["in lines: Warsow and Warfork"] = first("\n")
one["their length first"] = function(rest)
    return begins(rest, "vlen") and rest:sub(9, 12) == "d0pk"
end
one["seven bytes left, a blank first"] = function(rest) return #rest == 7 and begins(rest, " ") end
one["an infostring, or a line feed"] = function(rest) return rest ~= "" end
one["in quotes: Q2PRO"] = function(rest) return rest:find('^ "[^"\n%z]*"') ~= nil end
one["a status: a backslash first"] = first("\\")
one["settings: a backslash first"] = first("\\")
one["no settings: no backslash first"] = function(rest) return not begins(rest, "\\") end
one["lines of numbers: FTE and MVDSV"] = function(rest)
    return rest ~= "" and not rest:find("[^%xxX%- \n%z]")
end

one["a challenge, and a password in quotes"] = function(rest)
    return rest:find('^.%d+ "[^"]*" [^" \n%z]') ~= nil
end
one["four bytes more, where the server sent them"] = of_length(4)
one["a key first: 7F, four bytes, 08"] = function(rest)
    return rest:byte(1) == 0x7F and rest:byte(6) == 8
end
one["records of 18 bytes: whole ones, the last of zeros"] = function(rest)
    return #rest % 18 == 0 and rest:sub(-18) == ("\0"):rep(18)
end
one["of The Ship: eight bytes more for each player, behind all of them"] = function(rest)
    local count, at = rest:byte(1) or 0, 2
    for _ = 1, count do
        local stop = rest:find("\0", at + 1, true)
        if not stop or stop + 8 > #rest then return false end
        at = stop + 9
    end
    return count > 0 and #rest - at + 1 == 8 * count
end
one["with the mods of DayZ or Arma 3 first"] = matches.has_mods
for form, words in pairs({
    source = "Source: total, number and size", goldsrc = "GoldSrc: number and total in one byte",
    old = "old games on Source (protocol 7): total and number",
}) do
    one[words] = function(_, whole) return matches.split_form(whole) == form end
end

one["a text: five bytes more, the last a NUL"] = function(rest)
    return #rest == 5 and rest:byte(5) == 0
end
one["of Quake 4: more than one byte is left"] = function(rest) return #rest > 1 end
one["VER3: without it"] = first("\4VER3")
one["`xe` and a token: DDNet's"] = first("xe")

-- The names of the fields of a table.
local function names_of(rest)
    local names, at = {}, 3
    for name in rest:sub(3):gmatch("([^%z]+)%z") do
        if rest:byte(at) == 0 then break end
        names[#names + 1] = name
        at = at + #name + 1
    end
    return names
end
one["nothing follows"] = of_length(0)
one["two counts of 0, and nothing else"] = function(rest) return rest == "\0\0\0\0" end
one["teams alone: the first field ends in `_t`"] = function(rest)
    local name = names_of(rest)[1]
    return #rest > 4 and name ~= nil and name:find("_t$") ~= nil
end
one["tables alone: a count first, which is below 256"] = function(rest)
    local names = begins(rest, "\0") and names_of(rest) or {}
    for _, name in ipairs(names) do
        if not name:find("_t?$") then return false end
    end
    return #names > 0
end
one["settings: a byte 0"] = first("\0")
one["players: a byte 1"] = first("\1")
one["teams: a byte 2"] = first("\2")
one["Just Cause 2's: their number, in two bytes"] = function(rest)
    return #rest > 2 and begins(rest, "\0")
end
one["four bytes more, from OpenSpy"] = function(rest) return rest ~= "" end
one["a request for NAT negotiation"] = function(rest)
    return #rest == 10 and begins(rest, "\xFD\xFC\x1E\x66\x6A\xB2")
end
one["a challenge alone, for Minecraft's short reply"] = function(rest)
    return #rest == 4 and begins(rest, "\0")
end
one["a challenge first"] = function(rest)
    local at = 5
    for _ = 1, 3 do
        local count = rest:byte(at)
        if not count then return false end
        at = at + 1 + (count == 255 and 0 or count)
    end
    return at == #rest and rest:byte(at) <= 1
end

-- Unreal's: the place behind so many texts, as `behind_texts` returns it.
local behind_texts = matches.unreal.behind_texts
-- Whether a count and so many players of so many bytes and a text fill the rest.
local function are_players(rest, at, size)
    local count = rest:byte(at)
    if not count then return false end
    at = at + 1
    for _ = 1, count do
        local behind = behind_texts(rest, at + size - 12, 1)
        if not behind or behind + 12 > #rest + 1 then return false end
        at = behind + 12
    end
    return at == #rest + 1
end
local function is_newer(rest)
    local at = #rest >= 4 and behind_texts(rest, 5, 1)
    local count = at and rest:byte(at)
    local players = count and behind_texts(rest, at + 1, 2 * count)
    return players and (are_players(rest, players, 16) or are_players(rest, players, 20)) or false
end
one["UT2003's: no flags"] = function(rest) return not is_newer(rest) end
one["Unreal II XMP's"] = function(rest) return not are_players(rest, 1, 16) end
one["UT2003's: one port"] = first("\0")
one["UT2003's: a byte"] = of_length(1)
one["from UT2003's servers: five bytes"] = function(rest)
    local behind = behind_texts(rest, 2, 1)
    local tail = behind and #rest - behind + 1
    return tail ~= 0 and tail ~= 5 and tail ~= 13
end
one["a client's"] = function(rest) return #rest > 5 end
one["Killing Floor's: where the rest is longer by eight bytes"] = function(rest)
    local behind = #rest >= 16 and behind_texts(rest, 17, 1)
    local left = behind and rest:sub(behind)
    return left == "" or left == "\0\0"
end
one["of type 1: its length first"] = function(rest)
    local length = #rest >= 4 and u16(rest, 1) * 65536 + u16(rest, 3)
    return length and length >= 47 and length <= #rest or false
end

reader.conditions = conditions

return conditions
