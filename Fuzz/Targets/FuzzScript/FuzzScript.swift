import FuzzSupport
import ProctorBase
import ProctorScript

/// Input: the text of a script, which runs with small bounds, pauses, and gets the answers of its steps at once; it finds hostile tables in `bad`.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let text = unsafe FuzzInput(start, count).remaining
    let source = ScriptSource(text: Array(text), file: "input.lua")
    var bounds = ScriptBounds()
    bounds.instructionCount = 50_000
    bounds.stretchCount = 5_000
    bounds.memoryByteCount = 2 << 20
    bounds.allocatedByteCount = 8 << 20
    bounds.duration = .milliseconds(500)
    let mistake = source.mistake(bounds)
    if let mistake {
        check(1...1 + text.count { $0 == 0x0A || $0 == 0x0D } ~= mistake.line, "a line that is not there: \(mistake)")
        check(1...text.count + 1 ~= mistake.column, "a column that is not there: \(mistake)")
    }
    guard let state = try? ScriptState(bounds), let library = try? state.compile(hostileTables),
        (try? state.load(library, for: Host())) != nil, let script = try? state.compile(source)
    else { return 0 }
    check(mistake == nil, "a text with a mistake was compiled: \(String(describing: mistake))")
    // Twice, so that what the first call has left is met by the second one.
    for _ in 0..<2 {
        let start = ThreadClock.nanoseconds
        defer { check(ThreadClock.nanoseconds - start < 5_000_000_000, "the script ran beyond its bounds") }
        var outcome = state.start(script, for: Host(), pauses: true)
        var stepCount = 0
        while case .step(_, let call) = outcome {
            stepCount += 1
            guard stepCount < 20 else {
                state.abandon(call)
                break
            }
            outcome = state.resume(call)
        }
        if case .failure(let failure) = outcome { check(!failure.message.isEmpty, "an error without a message") }
    }
    return 0
}

/// Tables and texts that make loops of C long: `bad[1]` to `bad[9]`.
private let hostileTables = ScriptSource(
    text: Array(
        #"""
        local function length(value, index) return setmetatable({}, { __len = function() return value end, __index = index }) end
        local own, colliding, chain = {}, {}, {}
        own.__index, own.__len, own.__lt = own, function() return math.maxinteger end, rawequal
        for index = 1, 500 do colliding[index * 511] = index end
        for _ = 1, 100 do chain = setmetatable({}, { __index = chain }) end
        bad = {
            length(1 << 62), length(-1), length(1.5), length(1 << 62, rawlen), length(1 << 40, chain),
            setmetatable(own, own), colliding, ("\0"):rep(4000), (" "):rep(4000) .. "1",
        }
        """#.utf8), file: "bad.lua", role: .library)

/// A request of one field, and a state that keeps nothing.
private final class Host: ScriptHost {
    private var randomNumber: UInt64 = 0

    var body: [UInt8]? { Array("{\"a\": [1, 2]}".utf8) }

    func write(_ property: RequestProperty, to values: ValueBuffer) {
        values.table(elements: 0, members: 1)
        values.text("host")
        values.text(property.rawValue)
        values.setMember()
        values.setMetatable(property == .header ? .fields : .array)
    }

    func hash(_ function: String, _ bytes: [UInt8]) -> [UInt8]? { function == "md5" ? Array(bytes.prefix(16)) : nil }

    func use(_ key: ScriptKey, to act: ScriptKey.Act) -> Result<ScriptValue, ScriptFailure> {
        if case .verify = act { .success(.flag(false)) } else { .success(key.source) }
    }

    func nextRandom() -> UInt64 {
        randomNumber &+= 0x9E37_79B9_7F4A_7C15
        return randomNumber
    }

    func unixTime() -> Double { 1 }
    func monotonicTime() -> Double { 1 }
    func httpDate(_ unixSeconds: Int64) -> [UInt8]? { unixSeconds > 0 ? [0x61] : nil }
    func state(_ scope: ScriptScope, _ name: [UInt8]) -> [UInt8]? { name.isEmpty ? nil : name }
    func setState(_ scope: ScriptScope, _ name: [UInt8], to value: [UInt8]?) -> String? {
        name.isEmpty ? "no name" : nil
    }

    func addToState(_ scope: ScriptScope, _ name: [UInt8], _ number: Int64) -> Result<Int64, ScriptFailure> {
        name.isEmpty ? .failure(ScriptFailure("no name")) : .success(number)
    }

    func takeFromState(_ scope: ScriptScope, _ name: [UInt8]) -> Result<[UInt8]?, ScriptFailure> {
        name.isEmpty ? .failure(ScriptFailure("no name")) : .success(name)
    }

    var hasMessages: Bool { false }
    func joinChannel(_ name: [UInt8]) -> String? { nil }

    func sendToChannel(_ name: [UInt8], _ message: ScriptMessage) -> Result<Int64, ScriptFailure> {
        .success(Int64(name.count))
    }
}
