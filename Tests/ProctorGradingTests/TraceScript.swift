import ProctorEvents

/// Writes a trace as a recorder would: tokens in order, each a millisecond after the one before.
///
/// `redirect(302)` is an event in the first lane that the vocabulary gives it, `session:challenge(basic)` one of another
/// lane, `protocolClient#2:data` one of an object, `[1]data` one of task 1, `/redirect(302)` the return of a callback,
/// and `+50` a wait of 50 ms. Facts stand behind: `data{n=5,mime=text/plain}`.
struct TraceScript {
    private(set) var events: [TraceEvent] = []
    private var nanoseconds: UInt64
    private let isMonotonic: Bool

    struct Unreadable: Error {
        let token: String
    }

    init(startingAt milliseconds: UInt64 = 0, isMonotonic: Bool = true) {
        nanoseconds = 1_000_000_000 + milliseconds * 1_000_000
        self.isMonotonic = isMonotonic
    }

    mutating func add(_ text: String) throws {
        for token in text.split(separator: " ") { try add(token: String(token)) }
    }

    private mutating func add(token: String) throws {
        var rest = token[...]
        if rest.hasPrefix("+"), let milliseconds = UInt64(rest.dropFirst()) {
            nanoseconds += milliseconds * 1_000_000
            return
        }
        var task = 0
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            guard let number = Int(rest[rest.index(after: rest.startIndex)..<end]) else {
                throw Unreadable(token: token)
            }
            task = number
            rest = rest[rest.index(after: end)...]
        }
        var facts = EventFacts()
        if rest.last == "}", let start = rest.lastIndex(of: "{") {
            for pair in rest[rest.index(after: start)...].dropLast().split(separator: ",") {
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, let key = FactKey(rawValue: parts[0]) else { throw Unreadable(token: token) }
                facts.append(EventFact(key, Int(parts[1]).map { .integer($0) } ?? .text(parts[1])))
            }
            rest = rest[..<start]
        }
        var lane: Lane?
        var object: Int?
        if let colon = rest.firstIndex(of: ":") {
            let parts = rest[..<colon].split(separator: "#")
            if let named = parts.first.flatMap({ Lane(rawValue: String($0)) }) {
                lane = named
                object = parts.count == 2 ? Int(parts[1]) : nil
                rest = rest[rest.index(after: colon)...]
            }
        }
        let isExit = rest.hasPrefix("/")
        if isExit { rest.removeFirst() }
        let name = rest.prefix { $0 != "(" }
        let argument = name.count == rest.count ? nil : String(rest.dropFirst(name.count + 1).dropLast())
        guard let event = EventName(rawValue: String(name)), let kind = EventVocabulary.kind(named: String(name)),
            let home = lane ?? kind.lanes.first
        else { throw Unreadable(token: token) }
        nanoseconds += 1_000_000
        events.append(
            TraceEvent(
                sequence: events.count + 1,
                time: isMonotonic ? .monotonic(nanoseconds) : .elsewhere(Double(nanoseconds) / 1e6), lane: home,
                task: task, object: object, name: event, argument: argument, phase: isExit ? .exit : .enter,
                facts: facts))
    }

    /// The events of one text.
    static func of(_ text: String, isMonotonic: Bool = true) throws -> [TraceEvent] {
        var script = TraceScript(isMonotonic: isMonotonic)
        try script.add(text)
        return script.events
    }
}
