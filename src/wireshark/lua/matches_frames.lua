-- Recognition by content for protocols in binary: Unreal 2, Teeworlds, Tribes.
local content = matches.content

local function u16(bytes, at) return (bytes:byte(at) or 0) + 256 * (bytes:byte(at + 1) or 0) end

-- Unreal 2: a version, and the kind.
local unreal = {}
matches.unreal = unreal
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
content["unreal2.server-reply"] = function(bytes)
    if not of_kind({ 0, 0 }, 5)(bytes) then return false end
    local count = bytes:byte(10) or 0
    local address, port = bytes:sub(11, 10 + count), bytes:sub(11 + count)
    local is_port = #port < 4 or port:sub(3, 4) == "\0\0"
    return count <= 64 and not address:find("[^%w%.:%[%]%-%z]") and is_port
end
content["unreal2.rules-reply"] = of_kind({ 1, 1 }, 5)
content["unreal2.players-reply"] = of_kind({ 2, 2 }, 5)

-- Teeworlds.
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
