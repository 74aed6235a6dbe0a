-- Bytes as text, names of filters, and texts without the codes of colours.
local text = {}

-- Whether the bytes are UTF-8, as far as a display has to know.
local function is_utf8(bytes)
    local at = 1
    while at <= #bytes do
        local lead = bytes:byte(at)
        local more = lead < 0x80 and 0 or lead < 0xC2 and -1 or lead < 0xE0 and 1
            or lead < 0xF0 and 2 or lead < 0xF5 and 3 or -1
        if more < 0 or at + more > #bytes then return false end
        for i = at + 1, at + more do
            local byte = bytes:byte(i)
            if byte < 0x80 or byte > 0xBF then return false end
        end
        at = at + 1 + more
    end
    return true
end

-- A text that Wireshark can show: UTF-8 without control characters.
function text.shown(bytes)
    if #bytes > 8192 then bytes = bytes:sub(1, 8192) end
    if not bytes:find("[\128-\255]") or is_utf8(bytes) then
        return (bytes:gsub("[%z\1-\31\127]", function(c) return ("\\x%02x"):format(c:byte()) end))
    end
    return (bytes:gsub("[%z\1-\31\127-\255]", function(c)
        local byte = c:byte()
        if byte < 0xA0 then return ("\\x%02x"):format(byte) end
        return string.char(0xC0 + math.floor(byte / 64), 0x80 + byte % 64)
    end))
end

-- A name as it stands in a filter.
function text.name(name)
    return (name:lower():gsub("[^%w_%.%-]", "_"))
end

local CLEAN = {
    none = function(bytes) return bytes end,
    caret = function(bytes)
        return (bytes:gsub("%^x%x%x%x", ""):gsub("%^%d", ""):gsub("%^[^%^%s]", function(code)
            return code:find("%^%w") and "" or code
        end))
    end,
    ["high bit"] = function(bytes)
        return (bytes:gsub("[\128-\255]", function(c) return string.char(c:byte() - 128) end))
    end,
    escape = function(bytes) return (bytes:gsub("\27...", "")) end,
}

-- The text without the codes of colours, or nil if it has none.
function text.clean(colours, bytes)
    local clean = CLEAN[colours](bytes)
    if clean ~= bytes then return clean end
end

-- Little or big endian, without a sign.
function text.unsigned(bytes, order)
    local number = 0
    local first, last, step = 1, #bytes, 1
    if order == "little" then first, last, step = #bytes, 1, -1 end
    for at = first, last, step do number = number * 256 + bytes:byte(at) end
    return number
end

-- The digits of a number without a sign, which may be too large for a number of Lua.
function text.decimal(bytes, order)
    local number = text.unsigned(bytes, order)
    if number < 2 ^ 53 then return number end
    if order == "little" then bytes = bytes:reverse() end
    -- Seven digits in each place, the least one first.
    local places = { 0 }
    for at = 1, #bytes do
        local carry = bytes:byte(at)
        for n, place in ipairs(places) do
            place = place * 256 + carry
            places[n], carry = place % 10000000, math.floor(place / 10000000)
        end
        if carry > 0 then places[#places + 1] = carry end
    end
    local digits = ("%d"):format(places[#places])
    for n = #places - 1, 1, -1 do digits = digits .. ("%07d"):format(places[n]) end
    return digits
end

return text
