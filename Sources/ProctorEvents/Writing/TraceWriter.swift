import ProctorBase

/// Writes trace files, line by line; Docs/trace-format.md has the grammar.
///
/// A line is complete with its line feed, to be handed over in one write: what was written survives a client that traps.
public enum TraceWriter {
    /// The line that stands first in a file.
    public static func line(_ header: TraceHeader) -> [UInt8] {
        var bytes: [UInt8] = []
        append(header, to: &bytes)
        return bytes
    }

    /// The line of an event.
    public static func line(_ event: TraceEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        append(event, to: &bytes)
        return bytes
    }

    /// Appends the line that stands first in a file.
    public static func append(_ header: TraceHeader, to bytes: inout [UInt8]) {
        var json = JSONText(appendingTo: take(&bytes))
        json.open("{")
        json.member("trace", "proctor")
        json.member("version", TraceHeader.currentVersion)
        if let client = header.client { json.member("client", client) }
        if let version = header.clientVersion { json.member("clientVersion", version) }
        json.member("clock", header.isMonotonic ? "monotonic" : "other")
        json.member("unit", "ns")
        json.key("lanes")
        json.open("[")
        for lane in header.lanes { json.element(lane.rawValue) }
        json.close("]")
        if let facts = header.facts {
            json.key("facts")
            json.open("[")
            for fact in facts { json.element(fact.rawValue) }
            json.close("]")
        }
        if let abilities = header.abilities {
            json.key("abilities")
            json.open("[")
            for ability in Ability.allCases where abilities.contains(ability) { json.element(ability.rawValue) }
            json.close("]")
        }
        if let adapter = header.adapter { json.member("adapter", adapter) }
        if let version = header.adapterVersion { json.member("adapterVersion", version) }
        if let scenario = header.scenario { json.member("scenario", scenario) }
        if let caseName = header.caseName { json.member("case", caseName) }
        if let run = header.run { json.member("run", run) }
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    /// Appends one event; what is unknown or 0 is left out, and a time that is no number is unknown.
    public static func append(_ event: TraceEvent, to bytes: inout [UInt8]) {
        var json = JSONText(appendingTo: take(&bytes))
        json.open("{")
        if event.sequence > 0 { json.member("seq", event.sequence) }
        switch event.time {
        case .monotonic(let nanoseconds): json.member("ns", nanoseconds)
        case .elsewhere(let milliseconds) where milliseconds.isFinite: json.member("ms", milliseconds)
        case .elsewhere, nil: break
        }
        json.member("lane", event.lane.rawValue)
        if event.task > 0 { json.member("task", event.task) }
        if let object = event.object { json.member("object", object) }
        json.member("ev", event.name.rawValue)
        if let argument = event.argument { json.member("arg", argument) }
        if event.phase == .exit { json.member("phase", "exit") }
        if let queue = event.queue { json.member("queue", queue) }
        if let thread = event.thread { json.member("thread", thread) }
        if let family = event.family { json.member("family", family.shortCode) }
        if !event.facts.isEmpty { append(event.facts, to: &json) }
        json.close("}")
        json.lineEnd()
        bytes = json.bytes
    }

    private static func append(_ facts: EventFacts, to json: inout JSONText) {
        json.key("facts")
        json.open("{")
        for fact in facts {
            switch fact.value {
            case .integer(let value): json.member(named: fact.key.rawValue, value)
            case .text(let value): json.member(named: fact.key.rawValue, value)
            case .flag(let value): json.member(named: fact.key.rawValue, value)
            }
        }
        json.close("}")
    }

    /// Leaves nothing behind, so that the array is not copied when it grows.
    private static func take(_ bytes: inout [UInt8]) -> [UInt8] {
        var taken: [UInt8] = []
        swap(&taken, &bytes)
        return taken
    }
}
