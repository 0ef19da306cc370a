import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorScript

@Suite struct TableFunctionsTests {
    /// As Lua's manual §6.6 says.
    @Test(arguments: [
        ("(function() local t = { 1, 2 } table.insert(t, 3) table.insert(t, 1, 0) return t end)()", "0,1,2,3"),
        ("(function() local t = { 1, 2 } table.insert(t, '3', 9) return t end)()", "1,2,9"),
        (
            "(function() local t = { 1, 2, 3 } local x = table.remove(t, 1) return { x, #t, t[1], t[2] } end)()",
            "1,2,2,3"
        ),
        (
            "(function() local t = { 1, 2, 3 } return { table.remove(t), table.remove(t, #t + 1) or 'none', #t } end)()",
            "3,none,2"
        ),
        ("(function() local t = {} return { tostring(table.remove(t)), #t } end)()", "nil,0"),
        ("table.move({ 1, 2, 3 }, 2, 3, 1)", "2,3,3"), ("table.move({ 1, 2, 3 }, 1, 3, 2)", "1,1,2,3"),
        ("table.move({ 1, 2, 3 }, 1, 3, 3, { 9, 9 })", "9,9,1,2,3"), ("table.move({ 1 }, 1, 0, 5)", "1"),
        (
            "{ table.concat({ 1, 'b', 2.5 }, '-'), table.concat({}, 'x'), table.concat({ 1, 2, 3 }, 0, 2, 3) }",
            "1-b-2.5,,203"
        ),
        ("{ table.unpack({ 1, 2, 3 }, 2) }", "2,3"), ("{ select('#', table.unpack({}, 1, 5)) }", "5"),
        (
            "{ (select(5000, table.unpack({}, 1, 5000))) or 'none', select('#', table.unpack({}, -4000, 5000)) }",
            "none,9001"
        ),
        (
            "(function() local t = {} for i = 1, 1000 do t[i] = i end return { #table.concat(t, ','),"
                + " table.concat(t, ',', 999), select('#', table.unpack(t)), (select(1000, table.unpack(t))) } end)()",
            "3892,999,1000,1000,1000"
        ),
        ("(function() local t = { 3, 1, 2 } table.sort(t) return t end)()", "1,2,3"),
        ("(function() local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return t end)()", "3,2,1"),
        ("(function() local t = { 3, 1, 2 } table.sort(t, math.ult) return t end)()", "1,2,3"),
        (
            "{ table.concat(setmetatable({}, { __len = function() return 3 end, __index = function(_, i) return i end }))"
                + " }", "123"
        ),
        (
            "{ ('ab'):rep(3), ('x'):rep('2', '-'), ('9999999999'):rep(2), string.char(72, 105), math.max(1, 3, 2) }",
            "ababab,x-x,99999999999999999999,Hi,3"
        ),
    ])
    func `functions on tables and texts do what the manual of Lua says`(_ row: (text: String, wanted: String)) {
        let script = """
            local list = \(row.text)
            local body = ''
            for index = 1, #list do body = body .. (index > 1 and ',' or '') .. list[index] end
            return { status = 200, body = body }
            """
        #expect(outcome(of: script) == "200 " + row.wanted)
    }

    @Test(arguments: [
        ("table.insert()", "bad argument #1 to 'insert' (table expected, got nil)"),
        ("table.insert({}, 1, 2, 3)", "wrong number of arguments to 'insert'"),
        ("table.insert({}, 3, 2)", "bad argument #2 to 'insert' (position out of bounds)"),
        ("table.insert({}, 'x', 2)", "bad argument #2 to 'insert' (number expected, got string)"),
        ("table.insert({}, 1.5, 2)", "bad argument #2 to 'insert' (number has no integer representation)"),
        ("table.remove({}, 3)", "bad argument #2 to 'remove' (position out of bounds)"),
        ("table.move({}, 1, 2, math.maxinteger)", "bad argument #4 to 'move' (destination wrap around)"),
        ("table.move({}, -1, math.maxinteger, 1)", "bad argument #3 to 'move' (too many elements to move)"),
        ("table.unpack({}, 1, 1e7)", "too many results to unpack"),
        ("table.sort({ 1, {} })", "attempt to compare number with table"),
        ("table.sort({ 2, 1 }, 5)", "bad argument #2 to 'sort' (function expected, got number)"),
        ("table.insert(setmetatable({}, { __len = function() return 1.5 end }), 1)", "object length is not an integer"),
        (
            "setmetatable({}, { __mode = 'k' })",
            "a script has no tables whose keys alone are weak: '__mode' is 'v' or 'kv'"
        ),
    ])
    func `a wrong argument is told at the line of the script`(_ row: (text: String, wanted: String)) {
        let found = outcome(of: "local x\n" + row.text)
        #expect(found == "trial.lua:2: \(row.wanted)" || found == "trial.lua:2: \(swapped(row.wanted))", "\(found)")
    }

    /// In which order Lua compares two elements is its own matter.
    private func swapped(_ sentence: String) -> String {
        sentence == "attempt to compare number with table" ? "attempt to compare table with number" : sentence
    }

    /// Each of them would run in C for seconds to years, where no instruction is counted.
    @Test(
        .limit(minutes: 5),
        arguments: [
            "table.insert(setmetatable({}, { __len = function() return 1 << 62 end }), 1, 1)",
            "table.remove(setmetatable({}, { __len = function() return 1 << 62 end }), 1)",
            "table.insert(setmetatable({}, { __len = function() return 1 << 62 end, __index = rawlen }), 1, 1)",
            "table.move({}, -1e12, 0, 1)", "table.move({}, '1', '1000000000000', '2')",
            "table.sort(setmetatable({}, { __len = function() return 2000000000 end }), rawequal)",
            "table.concat(setmetatable({}, { __len = function() return 1 << 62 end, __index = rawlen }))",
            "('').rep('', '1000000000000')", "string.rep('', 1e18)",
            // Keys that collide: each look for an element that is not there goes through half of them.
            "local m = (1 << 16) - 1 local t = {} for i = 1, m do t[i * m + (m << 40)] = 1 end"
                + " for i = 1, 100 do local x = { table.unpack(t, 1, 900000) } end",
            // Each new member makes Lua put all others anew into a table whose keys collide.
            "local m = (1 << 14) - 1 local t = {} for i = 1, m do t[i * m + (m << 40)] = 1 end local at = m"
                + " while true do t[at * m + (m << 40)] = nil at = at + 1 t[at * m + (m << 40)] = 1 end",
            "local m = (1 << 18) - 1 local t = {} for i = 1, m do t[i * m + (m << 40)] = 1 end",
            // One text of many bytes, which is compared or read as a number many times.
            "local s, t = ('x'):rep(2000000), {} for i = 1, 100000 do t[i] = s end table.sort(t)",
            "local s, t = (' '):rep(2000000) .. '1', {} for i = 1, 100000 do t[i] = s end"
                + " while true do math.max(table.unpack(t)) end",
            "local s, t = (' '):rep(2000000) .. '1', {} for i = 1, 100000 do t[i] = s end string.char(table.unpack(t))",
            "local s = ('\\0'):rep(2000000) local r = s .. 'x'"
                + " local function f() return s < r and s < r and s < r and f() end while true do f() end",
            // One text many times in a table that is copied, and captured many times.
            "local s, t = ('x'):rep(2000000), {} for i = 1, 100000 do t[i] = s end json.encode(t)",
            "local s, t = ('x'):rep(2000000), {} for i = 1, 900 do t['a' .. i] = s end return { status = 200, headers = t }",
            "('x'):rep(2000000):find(('('):rep(30) .. '.*' .. (')'):rep(30))",
            // Memory that is full: each allocation that fails collects everything.
            "local t = {} pcall(function() while true do t[#t + 1] = {} end end)"
                + " while true do pcall(string.rep, 'x', 1000000) end",
        ])
    func `no table and no text keeps C busy beyond the bounds`(_ text: String) {
        let start = ThreadClock.nanoseconds
        let found = outcome(of: text, SandboxTests.bounds)
        #expect(found.hasPrefix("trial.lua"))
        #expect(ThreadClock.nanoseconds - start < 10_000_000_000)
    }

    @Test func `the bound of members is named, and is none of lists`() {
        let text = "local t, l = {}, {} for i = 1, 100000 do l[i] = i end for i = 1, 40000 do t['k' .. i] = i end"
        #expect(
            outcome(of: text)
                == "trial.lua: a table of the script has more than 32768 members beside its list 1, 2, 3 …")
        let list = "[\(Array(repeating: "1", count: 98_304).joined(separator: ","))]"
        #expect(outcome(of: "return #json.decode('\(list)') == 98304") == "true")
    }

    @Test func `a text whose compiling has no end is refused when its time is over`() {
        let found = outcome(of: "local x = a" + String(repeating: " or a", count: 150_000))
        #expect(found == "1:1: the script takes longer than 1.0 seconds to compile")
    }
}
