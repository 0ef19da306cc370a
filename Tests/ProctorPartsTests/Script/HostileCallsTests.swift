import ProctorBase
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorScript

/// Every function of the library, called with what no honest script gives it.
@Suite struct HostileCallsTests {
    /// Makes `call(draw)`, which calls a function of the library with up to five arguments; `draw(n)` is 1 to n.
    private static let hostile = #"""
        local places = { string = string, table = table, math = math, utf8 = utf8, coroutine = coroutine, json = json,
            base64 = base64, hash = hash, time = time, state = state, connection = connection }
        local names, functions = {}, {}
        for place, members in next, places do
            for name, member in next, members do
                if type(member) == "function" then names[#names + 1] = place .. "." .. name end
            end
        end
        for name in ("assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset select setmetatable"
            .. " tonumber tostring type xpcall"):gmatch("%a+") do names[#names + 1] = name end
        table.sort(names)
        for index, name in ipairs(names) do
            local place, member = name:match("^(%w+)%.(%w+)$")
            if place then functions[index] = places[place][member] else functions[index] = _ENV[name] end
        end
        local huge, self = {}, {}
        setmetatable(self, self)
        self.__len, self.__lt, self.__index = function() return 1 << 62 end, rawequal, self
        rawset(self, "__newindex", self)
        for power = 0, 62 do huge[1 << power] = power end
        local function length(value) return setmetatable({}, { __len = function() return value end }) end
        local colliding = {}
        for index = 1, 1000 do colliding[index * 1023] = index end
        local pool = {
            function() return nil end, function() return 0 end, function() return -1 end, function() return 1 end,
            function() return math.maxinteger end, function() return math.mininteger end, function() return 1 << 62 end,
            function() return 1e308 end, function() return 0 / 0 end, function() return 1.5 end, function() return 3e9 end,
            function() return "1000000000000" end, function() return "" end, function() return ("\0"):rep(70000) end,
            function() return (" "):rep(300000) .. "9" end, function() return ("%s"):rep(2000) end,
            function() return ("a*"):rep(20) .. "b" end, function() return "%" end, function() return "c1000000000" end,
            function() return {} end, function() return { 3, 1, 2 } end, function() return huge end,
            function() return self end, function() return colliding end, function() return length(1 << 62) end,
            function() return length(-5) end, function() return length(2.5) end, function() return length({}) end,
            function() return length("7") end, function() return length(3e9 // 1 | 0) end,
            function() return setmetatable({}, { __len = error }) end,
            function() return setmetatable({}, { __len = function() return 1 << 40 end, __index = rawlen }) end,
            function()
                return setmetatable({}, { __len = function() return 1e9 // 1 | 0 end, __index = function(_, i) return i end,
                    __newindex = function() end })
            end,
            function()
                local chain = {}
                for _ = 1, 1000 do chain = setmetatable({}, { __index = chain, __newindex = chain }) end
                return setmetatable({}, { __len = function() return 1 << 50 end, __index = chain, __newindex = chain })
            end,
            function() return setmetatable({}, { __tostring = function(t) return tostring(t) end }) end,
            function() return setmetatable({}, { __pairs = function() return next, huge end, __name = ("n"):rep(70000) }) end,
            function() return setmetatable({}, { __call = function(f, ...) return f(f, ...) end }) end,
            function() return setmetatable({}, { __lt = rawequal, __le = rawequal, __concat = rawequal, __mode = "kv" }) end,
            function() return rawequal end, function() return rawlen end, function() return function() end end,
            function() return function(...) return ... end end, function() return function() return true end end,
            function() return coroutine.wrap(function() while true do coroutine.yield("x") end end) end,
            function() return coroutine.create(function() while true do coroutine.yield(1) end end) end,
            function() return json.null end, function() return request end,
        }
        function call(draw)
            local index = draw(#names)
            local given, count = {}, draw(6) - 1
            for position = 1, count do given[position] = pool[draw(#pool)]() end
            last = names[index]
            return functions[index](table.unpack(given, 1, count))
        end
        """#

    private static let bounds = {
        var bounds = ScriptBounds()
        bounds.instructionCount = 300_000
        bounds.memoryByteCount = 8 << 20
        bounds.allocatedByteCount = 32 << 20
        bounds.duration = .milliseconds(100)
        return bounds
    }()

    @Test(.limit(minutes: 5), arguments: 1...8)
    func `whatever a function of the library is called with, it ends within the bounds`(seed: Int) throws {
        let state = try ScriptState(Self.bounds)
        let library = ScriptSource(text: Array(Self.hostile.utf8), file: "hostile.lua", role: .library)
        try state.load(try state.compile(library), for: TrialHost())
        // A generator of Knuth's: the same calls each time.
        let caller = """
            number = number or \(seed)
            local function draw(most)
              number = (number * 6364136223846793005 + 1442695040888963407)
              return (number >> 33) % most + 1
            end
            for _ = 1, 5 do pcall(call, draw) end
            return last
            """
        let script = try state.compile(ScriptSource(text: Array(caller.utf8), file: "caller.lua"))
        for _ in 0..<60 {
            let start = ThreadClock.nanoseconds
            let outcome = state.start(script, for: TrialHost())
            let spent = ThreadClock.nanoseconds - start
            #expect(spent < 3_000_000_000, "\(spent) ns: \(describe(outcome))")
            if case .step(_, let call) = outcome { state.abandon(call) }
        }
    }
}
