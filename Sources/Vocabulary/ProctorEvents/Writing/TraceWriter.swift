import ProctorBase

/// Writes trace files line by line; Docs/judging/traces.md has the grammar.
///
/// A line includes its line feed and is written in one write, so that the written lines stay complete when the client
/// traps.
package enum TraceWriter {
    package static func line(_ header: TraceHeader) -> [UInt8] {
        var bytes: [UInt8] = []
        appendHeader(header, to: &bytes)
        return bytes
    }

    package static func line(_ event: TraceEvent) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(256)
        appendEvent(event, to: &bytes)
        return bytes
    }

    package static func appendHeader(_ header: TraceHeader, to bytes: inout [UInt8]) {
        var json = JSONText()
        json.open("{")
        json.member("trace", "proctor")
        json.member("version", TraceHeader.currentVersion)
        if let client = header.client { json.member("client", client) }
        if let version = header.clientVersion { json.member("clientVersion", version) }
        json.member("clock", header.isMonotonic ? "monotonic" : "other")
        json.member("unit", "ns")
        appendList("lanes", header.lanes, to: &json)
        if let facts = header.facts { appendList("facts", facts, to: &json) }
        if let abilities = header.abilities {
            appendList("abilities", Ability.allCases.filter { abilities.contains($0) }, to: &json)
        }
        if let adapter = header.adapter { json.member("adapter", adapter) }
        if let version = header.adapterVersion { json.member("adapterVersion", version) }
        if let scenario = header.scenario { json.member("scenario", scenario) }
        if let caseName = header.caseName { json.member("case", caseName) }
        if let run = header.run { json.member("run", run) }
        json.close("}")
        json.lineEnd()
        json.withSpan { bytes.append($0) }
    }

    /// Appends one event; unknown values and 0 are left out, and a time that is no number counts as unknown.
    package static func appendEvent(_ event: TraceEvent, to bytes: inout [UInt8]) {
        var json = JSONText()
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
        if !event.facts.isEmpty { appendFacts(event.facts, to: &json) }
        json.close("}")
        json.lineEnd()
        json.withSpan { bytes.append($0) }
    }

    private static func appendList(
        _ key: StaticString, _ words: [some RawRepresentable<String>], to json: inout JSONText
    ) {
        json.key(key)
        json.open("[")
        for word in words { json.element(word.rawValue) }
        json.close("]")
    }

    private static func appendFacts(_ facts: EventFacts, to json: inout JSONText) {
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
}
