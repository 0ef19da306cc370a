import ProctorBase
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorScript

@Suite struct TableFunctionsTests {
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

    @Test func `a text whose compiling has no end is refused when its time is over`() {
        let found = outcome(of: "local x = a" + String(repeating: " or a", count: 150_000))
        #expect(found == "1:1: the script takes longer than 1.0 seconds to compile")
    }
}
