import ProctorBase
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorScript

@Suite struct SandboxTests {
    static let bounds = {
        var bounds = ScriptBounds()
        bounds.instructionCount = 2_000_000
        bounds.memoryByteCount = 8 << 20
        return bounds
    }()

    /// Each of them would run for ever, or take all memory.
    @Test(
        .limit(minutes: 5),
        arguments: [
            "while true do end", "while true do pcall(function() while true do end end) end", "repeat until false",
            "xpcall(function() error('x') end, function() while true do end end)", "::again:: goto again",
            "local s = 'x' while true do s = s .. s end", "while true do local s = ('x'):rep(1000000) end",
            "while true do pcall(string.rep, 'x', 1 << 40) end",
            "local t = {} while true do t[#t + 1] = ('x'):rep(1000) end",
            "local function f() return 1 + f() end f()", "local function f() coroutine.wrap(f)() end f()",
            "for i = 1, 1e9 do coroutine.wrap(function() end)() end",
            "local t = {} for i = 1, 1e9 do t[i] = coroutine.create(f or error) end",
            "string.find(('a'):rep(100000), ('a*'):rep(20) .. 'b')",
            "while true do pcall(string.find, ('a'):rep(1000), ('a*'):rep(20) .. 'b') end",
            "table.move({}, 1, 1e12, 2)", "table.unpack({}, 1, 1e7)", "table.concat({}, 'x', 1, 1e12)",
            "table.concat(setmetatable({}, { __len = function() return 1e9 end, __index = function() return '' end }))",
            "table.sort(setmetatable({}, { __len = function() return 1e9 end, __index = function() return 1 end }))",
            "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 1) end",
            "local t = {} for i = 1, 1e5 do t[i] = i end while true do table.sort(t) end",
            "local s = ('x'):rep(2000000) while true do utf8.len(s) end",
            "local s = ('1'):rep(2000000) while true do tonumber(s) end",
            "local s = ('x'):rep(2000000) local r = ('x'):rep(2000000) while true do local a = s < r end",
            "string.format('%s', setmetatable({}, { __tostring = function() while true do end end }))",
            "local a <close> = setmetatable({}, { __close = function() while true do end end }) while true do end",
            "coroutine.wrap(function() local a <close> = setmetatable({}, { __close = function() while true do end end })"
                + " while true do end end)()",
            "for k in next, { 1 }, nil, setmetatable({}, { __close = function() while true do end end }) do"
                + " while true do end end",
            "local t = setmetatable({}, {}) getmetatable(t).__index = t return t.x",
            "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) return t[1]",
            "local t = {} for i = 1, 1000 do t = { t } end return { a = t }",
            "('x'):rep(1000):gsub('', function() while true do end end)",
            "json.decode(('['):rep(100000))", "local t = {} t[1] = t json.encode(t)",
        ])
    func `a hostile script is ended within its bounds`(_ text: String) {
        let start = ThreadClock.nanoseconds
        let found = outcome(of: text, Self.bounds)
        #expect(found.hasPrefix("trial.lua"))
        // The bound is 1 s of the thread's time on a processor, which is asked for between two calls of a function: one search has ten
        // million steps, 12 s under the thread sanitizer.
        #expect(ThreadClock.nanoseconds - start < (Sanitizer.isOn ? 60 : 10) * 1_000_000_000)
    }

    @Test func `blocks of many sizes, one size after the other, count together`() {
        var bounds = Self.bounds
        bounds.instructionCount = .max
        bounds.duration = .seconds(60)
        bounds.allocatedByteCount = .max
        #expect(
            outcome(
                of: "for n = 1, 28 do local t = {} for i = 1, 10000 do t[i] = i .. ('x'):rep(n * 16) end end", bounds)
                == "trial.lua: the scripts of the run keep more than 8388608 bytes")
    }

    @Test func `the bound of a pattern is named`() {
        var bounds = ScriptBounds()
        bounds.duration = .seconds(60)
        #expect(
            outcome(of: "string.find(('a'):rep(100000), ('a*'):rep(20) .. 'b')", bounds)
                == "trial.lua:1: the pattern takes more than 10000000 comparisons")
    }

    @Test func `the bounds of time and of allocations are named`() {
        var bounds = ScriptBounds()
        bounds.instructionCount = .max
        bounds.duration = .milliseconds(50)
        #expect(outcome(of: "while true do end", bounds) == "trial.lua:1: the script computes longer than 0.05 seconds")
        bounds.duration = .seconds(60)
        bounds.allocatedByteCount = 1 << 20
        #expect(
            outcome(of: "while true do local s = ('x'):rep(1000) end", bounds)
                == "trial.lua: the script allocates more than 1048576 bytes")
    }

    @Test func `one script's bound leaves the next one whole`() throws {
        let state = try ScriptState(Self.bounds)
        let texts = [
            "while true do end", "local s = 'x' while true do s = s .. s end", "return { status = 200, body = 'ok' }",
        ]
        let scripts = try texts.map { text throws(ScriptFailure) in
            try state.compile(ScriptSource(text: Array(text.utf8), file: "a.lua"))
        }
        for _ in 0..<3 {
            #expect(describe(state.start(scripts[0], for: TrialHost())).hasSuffix("instructions"))
            #expect(describe(state.start(scripts[1], for: TrialHost())).hasSuffix("bytes"))
            #expect(describe(state.start(scripts[2], for: TrialHost())) == "200 ok")
        }
    }

    @Test func `no allocation that fails is a trap, whichever it is`() {
        let text = """
            local t = {} for i = 1, 20 do t[i] = json.encode { i, request.method } end wait(1)
            pcall(error, 'caught'); ('a b'):gsub('%w', '%0%0')
            return { status = 200, body = table.concat(t), x = json.decode('[1,[2]]') }
            """
        var failureCount = 0
        var isWhole = false
        for number in 1...5000 where !isWhole {
            do throws(ScriptFailure) {
                let state = try ScriptState(ScriptBounds(), failingFrom: number)
                let script = try state.compile(ScriptSource(text: Array(text.utf8), file: "a.lua"))
                switch state.start(script, for: TrialHost()) {
                case .step(_, let call):
                    if case .answer = state.resume(call) { isWhole = true } else { failureCount += 1 }
                case .failure: failureCount += 1
                case .answer: Issue.record("the script did not wait")
                }
            } catch {
                failureCount += 1
            }
        }
        #expect(isWhole && failureCount > 500)
    }
}
