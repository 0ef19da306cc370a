local native = ...
local charge = @charge@
local function charged(library, name, number, free)
    library[name] = native(3, library[name], number or 0, false, free or -1)
end

-- Files, processes, other texts of Lua, the collector and the outside are not there.
for _, name in ipairs {
    "dofile", "loadfile", "load", "require", "collectgarbage", "print", "warn", "_G", "package", "io", "os", "debug"
} do
    _ENV[name] = nil
end
string.dump = nil
math.randomseed = nil
_VERSION = "Lua 5.4"

-- Finalizers run where no instruction is counted; of weak keys with strong values a collection takes a time that grows
-- with the square of their number.
do
    local set, get, kind, fail, try, find = setmetatable, rawget, type, error, pcall, string.find
    function setmetatable(table, meta)
        if kind(table) ~= "table" then
            fail("bad argument #1 to 'setmetatable' (table expected, got " .. kind(table) .. ")", 2)
        end
        if meta ~= nil and kind(meta) ~= "table" then
            fail("bad argument #2 to 'setmetatable' (nil or table expected)", 2)
        end
        if kind(meta) == "table" and get(meta, "__gc") ~= nil then
            fail("a script has no finalizers: '__gc' is refused", 2)
        end
        local mode = kind(meta) == "table" and get(meta, "__mode")
        if kind(mode) == "string" and find(mode, "k", 1, true) and not find(mode, "v", 1, true) then
            fail("a script has no tables whose keys alone are weak: '__mode' is 'v' or 'kv'", 2)
        end
        if not try(set, table, meta) then fail("cannot change a protected metatable", 2) end
        return table
    end
    getmetatable("").__metatable = false
end

-- Functions whose time depends on their arguments.
for _, name in ipairs { "upper", "lower", "reverse", "format", "pack", "unpack", "packsize" } do
    charged(string, name)
end
charged(string, "rep", 2)
charged(string, "char", 0, 8)
unpack = nil
for _, name in ipairs { "len", "codepoint", "offset", "char", "codes" } do charged(utf8, name) end
for _, name in ipairs { "max", "min" } do charged(math, name, 0, 8) end
charged(_ENV, "tonumber")
charged(_ENV, "tostring")

-- What C does for each element of a table is no instruction, and can take long: the length is what a metatable says,
-- an element is what a chain of metatables says, or stands behind many keys that collide. So these loops are Lua's,
-- or go over few elements in one call of C.
do
    local kind, form, integer, fail, count = type, math.type, math.tointeger, error, select
    local most, last = 200, math.maxinteger
    local concat = native(3, table.concat, 3, true, -1)
    local unpack = native(3, table.unpack, 2, true, -1)
    local sort = native(3, table.sort, 0, false, -1)

    local function check(list, name, position)
        if kind(list) == "table" then return end
        fail("bad argument #" .. (position or 1) .. " to '" .. name .. "' (table expected, got "
            .. kind(list) .. ")", 3)
    end
    local function whole(value, position, name)
        local number = integer(value)
        if number then return number end
        fail("bad argument #" .. position .. " to '" .. name .. "' (" .. (kind(value) == "number"
            and "number has no integer representation" or "number expected, got " .. kind(value)) .. ")", 3)
    end
    local function length(list)
        local length = #list
        if form(length) ~= "integer" then fail("object length is not an integer", 3) end
        return length
    end

    function table.insert(list, ...)
        check(list, "insert")
        local given, free = count("#", ...), length(list) + 1
        if given == 1 then
            list[free] = (...)
            return
        end
        if given ~= 2 then fail("wrong number of arguments to 'insert'", 2) end
        local at, value = ...
        at = whole(at, 2, "insert")
        if at < 1 or at > free then fail("bad argument #2 to 'insert' (position out of bounds)", 2) end
        for index = free, at + 1, -1 do list[index] = list[index - 1] end
        list[at] = value
    end
    function table.remove(list, at)
        check(list, "remove")
        local size = length(list)
        at = at == nil and size or whole(at, 2, "remove")
        if at ~= size and (at < 1 or at > size + 1) then
            fail("bad argument #2 to 'remove' (position out of bounds)", 2)
        end
        local value = list[at]
        for index = at, size - 1 do list[index] = list[index + 1] end
        list[at < size and size or at] = nil
        return value
    end
    function table.move(from, first, final, at, to)
        check(from, "move")
        if to == nil then to = from end
        check(to, "move", 5)
        first, final, at = whole(first, 2, "move"), whole(final, 3, "move"), whole(at, 4, "move")
        if final < first then return to end
        if first <= 0 and final >= last + first then
            fail("bad argument #3 to 'move' (too many elements to move)", 2)
        end
        local width = final - first
        if at > last - width then fail("bad argument #4 to 'move' (destination wrap around)", 2) end
        if at > final or at <= first or to ~= from then
            for offset = 0, width do to[at + offset] = from[first + offset] end
        else
            for offset = width, 0, -1 do to[at + offset] = from[first + offset] end
        end
        return to
    end
    function table.concat(list, between, first, final)
        check(list, "concat")
        if between == nil then between = "" end
        first = first == nil and 1 or whole(first, 3, "concat")
        final = final == nil and length(list) or whole(final, 4, "concat")
        if final < first then return concat(list, between, 1, 0) end
        local pieces = {}
        for at = first, final, most do
            -- A difference that is too great for a number is below 0.
            local rest = final - at
            local piece = concat(list, between, at, (rest < 0 or rest >= most) and at + most - 1 or final)
            if at == first and 0 <= rest and rest < most then return piece end
            pieces[#pieces + 1] = piece
        end
        return concat(pieces, between, 1, #pieces)
    end
    function table.unpack(list, first, final)
        check(list, "unpack")
        first = first == nil and 1 or whole(first, 2, "unpack")
        final = final == nil and length(list) or whole(final, 3, "unpack")
        if final < first then return end
        local width = final - first
        if width < 0 or width >= 1000000 then fail("too many results to unpack", 2) end
        if width < most then return unpack(list, first, final) end
        -- A list that is full to its end is an array, in which each element, nil too, is found at once.
        local copy = {}
        for index = 1, width + 1 do copy[index] = false end
        for index = 0, width do copy[index + 1] = list[first + index] end
        return unpack(copy, 1, width + 1)
    end
    local function less(a, b) return a < b end
    function table.sort(list, before)
        check(list, "sort")
        if before == nil then
            before = less
        elseif kind(before) ~= "function" then
            fail("bad argument #2 to 'sort' (function expected, got " .. kind(before) .. ")", 2)
        elseif native(6, before) then
            local compare = before
            before = function(a, b) return (compare(a, b)) end
        end
        sort(list, before)
    end
end

-- A coroutine's making takes the time of many instructions. One that ended by an error is never closed: what is to
-- be closed in it would run where no instruction is counted.
do
    local create, resume, fail, kind = coroutine.create, coroutine.resume, error, type
    local function check(body)
        if kind(body) == "function" then return end
        fail("bad argument #1 to a coroutine (function expected, got " .. kind(body) .. ")", 3)
    end
    local function finish(isDone, ...)
        if isDone then return ... end
        fail((...), 0)
    end
    function coroutine.create(body)
        check(body)
        charge(100)
        return create(body)
    end
    function coroutine.wrap(body)
        check(body)
        charge(100)
        local thread = create(body)
        return function(...) return finish(resume(thread, ...)) end
    end
    coroutine.close = nil
end

-- A handler of errors would run inside of the hook that counts, when that raises; ours runs behind the call.
do
    local try = pcall
    local function finish(handler, isDone, ...)
        if isDone then return true, ... end
        return false, handler(...)
    end
    function xpcall(body, handler, ...) return finish(handler, try(body, ...)) end
end

-- Patterns by our own search, which has a bound.
string.find = @find@
string.match = @match@
do
    local search, concat, sub, kind, fail = @search@, table.concat, string.sub, type, error
    local number, text, pack, least = math.tointeger, tostring, table.pack, math.min
    local function take(last, first, final, ...)
        -- An empty match where the last one ended is none.
        if first and final < first and final == last then return false end
        return first, final, ...
    end
    function string.gmatch(subject, pattern, init)
        subject = text(subject)
        local at, last = init or 1, nil
        if at < 0 then at = #subject + at + 1 end
        if at < 1 then at = 1 end
        local anchored = sub(pattern, 1, 1) == "^" and "%" .. pattern or pattern
        local function finish(first, final, ...)
            if first == nil then at = #subject + 2 return nil end
            last, at = final, final + 1
            if final < first then at = first end
            return ...
        end
        local function retry(...)
            local first = ...
            if first == false then
                at = at + 1
                if at > #subject + 1 then return nil end
                return retry(take(last, search(subject, anchored, at, "gmatch")))
            end
            return finish(...)
        end
        return function()
            if at > #subject + 1 then return nil end
            return retry(take(last, search(subject, anchored, at, "gmatch")))
        end
    end
    local function expand(by, whole, captures)
        local pieces, at = {}, 1
        while true do
            local percent = search(by, "%%", at, "gsub")
            if not percent then break end
            pieces[#pieces + 1] = sub(by, at, percent - 1)
            local letter = sub(by, percent + 1, percent + 1)
            local index = number(letter ~= "" and search(letter, "%d", 1, "gsub") and letter or nil)
            if letter == "%" then
                pieces[#pieces + 1] = "%"
            elseif letter == "0" then
                pieces[#pieces + 1] = whole
            elseif index then
                if index > captures.n then
                    fail("invalid capture index %" .. index .. " in replacement string", 3)
                end
                pieces[#pieces + 1] = text(captures[index])
            else
                fail("invalid use of '%' in replacement string", 3)
            end
            at = percent + 2
        end
        pieces[#pieces + 1] = sub(by, at)
        return concat(pieces)
    end
    function string.gsub(subject, pattern, by, limit)
        if kind(subject) == "number" then subject = text(subject) end
        local form = kind(by)
        if form == "number" then by, form = text(by), "string" end
        if form ~= "string" and form ~= "table" and form ~= "function" then
            fail("bad argument #3 to 'gsub' (string/function/table expected, got " .. form .. ")", 2)
        end
        local isPlain = form == "string" and not search(by, "%%", 1, "gsub")
        local isAnchored = sub(pattern, 1, 1) == "^"
        local pieces, at, last, count = {}, 1, nil, 0
        while count < (limit or count + 1) and at <= #subject + 1 do
            local found = pack(search(subject, pattern, at, "gsub"))
            local first, final = found[1], found[2]
            if not first then break end
            if final < first and final == last then
                -- The byte behind the last match is copied, and the search begins behind it.
                pieces[#pieces + 1] = sub(subject, at, at)
                at = at + 1
                last = nil
            else
                pieces[#pieces + 1] = sub(subject, at, first - 1)
                count = count + 1
                local whole = sub(subject, first, final)
                local captures = { n = found.n - 2 }
                for index = 3, found.n do captures[index - 2] = found[index] end
                local value
                if isPlain then
                    value = by
                elseif form == "string" then
                    value = expand(by, whole, captures)
                elseif form == "table" then
                    value = by[captures[1]]
                else
                    value = by(table.unpack(captures, 1, captures.n))
                end
                if not value then
                    value = whole
                elseif kind(value) ~= "string" and kind(value) ~= "number" then
                    fail("invalid replacement value (a " .. kind(value) .. ")", 2)
                end
                pieces[#pieces + 1] = value
                at, last = final + 1, final
            end
            if isAnchored then break end
        end
        pieces[#pieces + 1] = sub(subject, at)
        return concat(pieces), count
    end
end

math.random = @random@

json = {
    null = native(5), encode = @jsonEncode@, decode = @jsonDecode@,
}
do
    local mark, set, get, kind, fail = { __metatable = "array" }, setmetatable, getmetatable, type, error
    native(4, @Metatable.array@, mark)
    function json.array(list)
        if list == nil then list = {} end
        if kind(list) ~= "table" then fail("bad argument to 'json.array' (table expected)", 2) end
        if get(list) == "array" then return list end
        if get(list) ~= nil then fail("json.array: the table has a metatable already", 2) end
        return set(list, mark)
    end
end

base64 = {
    encode = @base64Encode@, decode = @base64Decode@, url_encode = @base64URLEncode@, url_decode = @base64URLDecode@,
}

key = { public = @keyPublic@, private = @keyPrivate@, sign = @keySign@, verify = @keyVerify@ }

hash = { hmac = @hmac@, crc32 = @crc32@ }
do
    local compute, byte, format, concat = @hash@, string.byte, string.format, table.concat
    for _, name in ipairs { "md5", "sha1", "sha256", "sha512" } do
        hash[name] = function(text) return compute(name, text) end
    end
    function hash.hex(text)
        local digits = {}
        for index = 1, #text do digits[index] = format("%02x", byte(text, index)) end
        return concat(digits)
    end
end

time = { now = @now@, monotonic = @monotonic@, http = @httpDate@ }

do
    local get, set, add = @getState@, @setState@, @addToState@
    local take = @takeFromState@
    local function library(isOfConnection)
        return {
            get = function(name) return get(isOfConnection, name) end,
            set = function(name, value) set(isOfConnection, name, value) end,
            add = function(name, number) return add(isOfConnection, name, number) end,
            take = function(name) return take(isOfConnection, name) end,
        }
    end
    state = library(false)
    connection = library(true)
end

channel = { join = @joinChannel@, send = @sendToChannel@ }

do
    local step, delay, kind = @step@, @wait@, type
    wait = delay
    function send(content, kind) return step("send", content, kind) end
    function receive(seconds) return step("receive", seconds) end
    function read(count) return step("read", count) end
    function await(event) return step("await", event) end
    function close(code, reason)
        if kind(code) == "table" then step("close", code.abrupt) else step("close", false, code, reason) end
    end
    for _, name in ipairs { @effects@ } do
        _ENV[name] = function(options) return step(name, options and options.abrupt) end
    end
end

do
    local get, kind, lower = rawget, type, string.lower
    native(4, @Metatable.fields@, {
        __metatable = false,
        __index = function(fields, name)
            if kind(name) == "string" then return get(fields, lower(name)) end
        end,
    })
    native(4, @Metatable.request@, {
        __metatable = false, __name = "request",
        __index = native(2, @NativeFunction.property@, @RequestProperty@),
    })
    native(4, @Metatable.globals@, { __metatable = false, __index = _ENV })
end
