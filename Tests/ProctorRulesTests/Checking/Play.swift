@testable import ProctorEvents
@testable import ProctorRules

/// A short way to write a trace of several lanes: `harness:resume task:redirect(302) harness[1]:cancel exit/task:data`.
///
/// An `answer` says what it answers behind a colon: `harness:answer(follow):redirect`.
func events(_ text: String, family: CallbackFamily? = nil) -> [TraceEvent] {
    var result: [TraceEvent] = []
    for word in text.split(whereSeparator: \.isWhitespace) {
        guard let colon = word.firstIndex(of: ":") else { continue }
        var place = word[..<colon]
        let phase: TraceEvent.Phase = place.hasPrefix("exit/") ? .exit : .enter
        if phase == .exit { place = place.dropFirst(5) }
        var number = 0
        if let bracket = place.firstIndex(of: "[") {
            number = Int(place[place.index(after: bracket)...].dropLast()) ?? 0
            place = place[..<bracket]
        }
        // `client[2]` is the object 2; `object[2]` in front of a colon stands for what the harness does to it.
        let lane: Lane =
            place == "client" ? .protocolClient : place == "object" ? .harness : Lane(rawValue: String(place)) ?? .task
        let said = word[word.index(after: colon)...].split(separator: ":", maxSplits: 1)
        let parts = said[0].split(separator: "(", maxSplits: 1)
        let times = parts[0].split(separator: "×")
        guard let name = EventName(rawValue: String(times[0])) else { continue }
        for _ in 0..<(times.count == 2 ? Int(times[1]) ?? 0 : 1) {
            let isObject = lane.isOfObject || place == "object"
            result.append(
                TraceEvent(
                    sequence: result.count + 1, lane: lane, task: isObject ? 0 : number,
                    object: isObject ? number : nil, name: name,
                    argument: parts.count == 2 ? String(parts[1].dropLast()) : nil, phase: phase,
                    family: lane == .task || lane == .handler ? family : nil,
                    facts: said.count == 2 ? [EventFact(.to, .text(String(said[1])))] : []))
        }
    }
    return result
}

/// Plays a trace and answers what a checker says of it.
func report(
    _ events: [TraceEvent], on platform: Platform = .neutral, family: CallbackFamily? = nil,
    ending: TraceEnding = .finished
) -> TraceReport {
    var checker = TraceChecker(platform: platform, family: family)
    for event in events { checker.observe(event) }
    return checker.finish(ending)
}

extension TraceReport {
    /// The numbers of the rules that were hit, each once, from the smallest.
    var broken: [Int] { Set(hits.map(\.rule.value)).sorted() }
}

/// The events of one lane, without lanes and phases: `response(200) data×3 complete(ok)`.
func symbols(_ text: String) -> [TraceEventSymbol] {
    text.split(separator: " ").flatMap { word -> [TraceEventSymbol] in
        let parts = word.split(separator: "×")
        let event = parts[0].split(separator: "(", maxSplits: 1)
        let argument = event.count == 2 ? String(event[1].dropLast()) : nil
        let count = parts.count == 2 ? Int(parts[1]) ?? 0 : 1
        return Array(repeating: TraceEventSymbol(String(event[0]), argument), count: count)
    }
}
