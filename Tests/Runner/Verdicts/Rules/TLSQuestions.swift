import ProctorEvents

@testable import ProctorRules

/// Questions of one trace and handshakes of the wire: `serverTrust 2, session serverTrust 6, returns 7 // 1 asks 4, 5 resumed`.
///
/// A number is the time in milliseconds. A handshake begins at one, `asks` for its first request at another, and may be
/// `resumed`. A third part `apart` says that the two sides have two clocks.
struct TLSQuestions {
    private var events: [TraceEvent] = []
    private var handshakes: [SeenTLSHandshake] = []
    private var isMerged = true

    init(_ parts: [String], line: Int) throws(RowError) {
        for question in (parts.first ?? "").split(separator: ", ") {
            var words = question.split(separator: " ").map(String.init)
            let isSession = words.first == "session"
            if isSession { words.removeFirst() }
            guard words.count == 2, let time = UInt64(words[1]) else {
                throw RowError(line, "expected a question such as serverTrust 2, found \(question)")
            }
            let last = events.last?.argument
            events.append(
                TraceEvent(
                    sequence: Int(clamping: time), time: .monotonic(time), lane: isSession ? .session : .task,
                    name: .challenge, argument: words[0] == "returns" ? last : words[0],
                    phase: words[0] == "returns" ? .exit : .enter))
        }
        for handshake in (parts.count > 1 ? parts[1] : "").split(separator: ", ") {
            let words = handshake.split(separator: " ").map(String.init)
            guard let begin = UInt64(words[0]) else { throw RowError(line, "no time of a handshake: \(handshake)") }
            let asks = words.firstIndex(of: "asks").flatMap { UInt64(words[$0 + 1]) }
            let request = asks.map {
                TraceEvent(sequence: -7, time: .monotonic($0), lane: .wire, name: .request, argument: "GET /a")
            }
            handshakes.append(
                SeenTLSHandshake(connection: 0, begin: begin, isResumed: words.contains("resumed"), request: request))
        }
        isMerged = parts.count < 3
    }

    func lines(on platform: Platform) -> [String] {
        let hits = R18Handshakes.hits(
            events, handshakes, in: LaneID(.task, 0), isMerged: isMerged, platform: platform)
        return hits.isEmpty
            ? ["holds"] : hits.map { "\($0.weight) \($0.sequence.map(String.init) ?? "end"): \($0.sentence)" }
    }
}
