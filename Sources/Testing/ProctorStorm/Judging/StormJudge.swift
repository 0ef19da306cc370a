import ProctorBase
import ProctorEvents
package import ProctorGrading
import ProctorJournal
package import ProctorRules

/// Holds what a client told of a schedule, and what the server saw, against the invariants.
package struct StormJudge {
    let schedule: StormSchedule
    let names: [String]
    let told: [StormTold]
    let wire: StormWire
    private let evidence: CaseEvidence
    private let platform: Platform
    private let heldConnections: [String]
    /// Nanoseconds in which what was under way at a cancel may still be told.
    private let underWay: UInt64

    /// `heldConnections` are the origins to which the client has connections open behind the end, whatever the server has;
    /// `delay` says how many times slower the machine is than an idle one.
    package init(
        _ schedule: StormSchedule, _ evidence: CaseEvidence, platform: Platform = .neutral,
        heldConnections: [String] = [], delay: Double = 1
    ) {
        (self.schedule, self.evidence, self.platform) = (schedule, evidence, platform)
        self.heldConnections = heldConnections
        underWay = (Self.underWay * delay).wholeNanoseconds
        names = schedule.names
        var told = Array(repeating: StormTold(), count: names.count)
        for event in evidence.events where told.indices.contains(event.task) { told[event.task].read(event) }
        self.told = told
        wire = StormWire(evidence.journal ?? [], names: names)
    }

    /// What is broken, in the order of the invariants.
    package var breaks: [StormBreak] {
        // A journal that is not whole shows nothing.
        guard evidence.droppedCount == 0 else { return [] }
        var all = ends + contents + successes + repeats + lateCallbacks + leaks + exceeded + failedRecovery + left
        // What a rule says of the same load and invariant is the same once more.
        all += ofRules.filter { hit in !all.contains { ($0.invariant, $0.step) == (hit.invariant, hit.step) } }
        return StormInvariant.allCases.flatMap { invariant in all.filter { $0.invariant == invariant } }
    }

    private var steps: Range<Int> { names.indices }

    /// The lanes of callbacks, of which each load has an end; without them its result alone says that it ended.
    private var tellsCallbacks: Bool {
        evidence.reportedLanes.map { !$0.isDisjoint(with: [.task, .handler]) } ?? false
    }

    // MARK: Ends

    private var ends: [StormBreak] {
        steps.compactMap { step in
            let load = told[step]
            guard load.hasBegun else { return nil }
            if load.isGivenUp || !load.hasEnded {
                if schedule.load(ofStep: step) == nil {
                    return StormBreak(.recovers, ofStep: step, "a plain load did not end, after the faults had stopped")
                }
                let limit = schedule.load(ofStep: step)?.limit.map { ", whose limit is \($0) ms," } ?? ""
                return StormBreak(.endsOnce, ofStep: step, "the load\(limit) did not end")
            }
            if tellsCallbacks, load.callbackEnds > 1 {
                return StormBreak(.endsOnce, ofStep: step, "the end was told \(load.callbackEnds) times")
            }
            if load.results > 1 {
                return StormBreak(.endsOnce, ofStep: step, "the result was told \(load.results) times")
            }
            return nil
        }
    }

    private var lateCallbacks: [StormBreak] {
        steps.compactMap { step in
            // A second end is told of as such.
            if let late = told[step].lateCallbacks.first(where: { !$0.hasPrefix("complete") }) {
                return StormBreak(.silentBehindEnd, ofStep: step, "\(late) was told behind the end")
            }
            guard let cancel = told[step].cancelledAt, told[step].isSuccess,
                let end = wire.requests.last(where: { $0.step == step })?.endedAt, end > cancel &+ underWay
            else { return nil }
            return StormBreak(
                .silentBehindEnd, ofStep: step,
                "the load succeeded with what the server sent \((end - cancel) / 1_000_000) ms behind its cancel")
        }
    }

    /// In which what was under way at a cancel may still be told, on an idle machine.
    private static let underWay = Duration.milliseconds(50)

    // MARK: Content

    private var contents: [StormBreak] { steps.compactMap(contentBreak) }

    private func contentBreak(of step: Int) -> StormBreak? {
        let load = told[step]
        guard load.results > 0, !load.isGivenUp else { return nil }
        guard load.error == nil else {
            // What came before an error is the beginning of the content.
            return load.content.flatMap { foreignContent($0, ofStep: step) }
        }
        guard let status = load.status else { return nil }
        guard let byteCount = schedule.byteCount(ofStep: step, status: status) else {
            return StormBreak(.ownContent, ofStep: step, "status \(status) was told, which no reply to the load has")
        }
        if let content = load.content, let found = foreignContent(content, ofStep: step) { return found }
        if let told = load.content?.count ?? load.byteCount, told != byteCount {
            return StormBreak(
                .ownContent, ofStep: step,
                "\(told) bytes of content were delivered as a success with status \(status), whose content has \(byteCount)"
            )
        }
        return nil
    }

    /// Bytes that are not those of the load's own name.
    private func foreignContent(_ content: [UInt8], ofStep step: Int) -> StormBreak? {
        let unit = Array("\(names[step]) ".utf8)
        // Content that repeats a unit is equal to itself, the length of the unit further on.
        let isOwn =
            content.starts(with: unit.prefix(content.count))
            && content.dropFirst(unit.count).elementsEqual(content.prefix(max(0, content.count - unit.count)))
        guard !isOwn, let offset = content.indices.first(where: { content[$0] != unit[$0 % unit.count] }) else {
            return nil
        }
        guard let other = owner(of: content, from: offset), other != step else {
            return StormBreak(.ownContent, ofStep: step, "byte \(offset) of the content is not the load's")
        }
        let isLate =
            told[other].error != nil || told[other].isCancelled
        let wasGivenUp = isLate && (told[other].endedAt ?? .max) < (told[step].endedAt ?? .max)
        let words = "byte \(offset) of the content is that of load \(other)"
        if wasGivenUp {
            return StormBreak(.noLateReply, ofStep: step, "\(words), which had been given up before")
        }
        return StormBreak(.ownContent, ofStep: step, words)
    }

    /// The load whose name stands first at or behind an offset, or before it.
    private func owner(of content: [UInt8], from offset: Int) -> Int? {
        let start = content[..<offset].lastIndex(of: UInt8(ascii: " ")).map { $0 + 1 } ?? 0
        let words = content[start...].prefix(200).split(separator: UInt8(ascii: " "))
        return words.lazy.compactMap { names.firstIndex(of: String(decoding: $0, as: UTF8.self)) }.first
    }

    private var successes: [StormBreak] {
        steps.compactMap { step in
            let load = told[step]
            guard load.isSuccess, let status = load.status else { return nil }
            let replies = wire.requests.filter { $0.step == step && $0.status == status }
            guard !replies.contains(where: { $0.isWhole && !$0.isCut }) else { return nil }
            // A success without any reply is another's.
            let words = replies.isEmpty ? "no reply with status \(status) was sent to it" : "the reply was cut"
            return StormBreak(
                replies.isEmpty ? .ownContent : .noCutSuccess, ofStep: step, "a success was told, and \(words)")
        }
    }

    // MARK: Requests

    private var repeats: [StormBreak] {
        var last: [String: StormWire.Request] = [:]
        var breaks: [StormBreak] = []
        for request in wire.requests {
            guard let step = request.step, request.method == "POST" else { continue }
            if let earlier = last[request.target], !earlier.isUnprocessed {
                breaks.append(
                    StormBreak(
                        .sentOnce, ofStep: step,
                        "POST came again on connection \(request.connection), after connection \(earlier.connection) had brought it"
                    ))
            }
            last[request.target] = request
        }
        return breaks
    }

    private var leaks: [StormBreak] {
        wire.requests.compactMap { request in
            guard request.method != "CONNECT" else { return nil }
            guard let step = request.step else {
                return StormBreak(.noLeak, "\(request.method) \(request.target) came, which is no load of this session")
            }
            let own = "storm=\(schedule.number)"
            if let cookie = request.cookies.first(where: { !schedule.setsCookies || $0 != own }) {
                return StormBreak(
                    .noLeak, ofStep: step, "it came with the cookie \(cookie), which no reply of this session has set")
            }
            guard request.target.hasSuffix("/moved") else { return nil }
            let wasLed = wire.requests.contains {
                $0.step == step && !$0.target.hasSuffix("/moved") && $0.time <= request.time
            }
            return wasLed
                ? nil : StormBreak(.noLeak, ofStep: step, "the target of a redirect was asked for without the redirect")
        }
    }

    private var exceeded: [StormBreak] {
        var breaks = wire.excessStreams.prefix(1).map { StormBreak(.bounds, $0) }
        guard let most = schedule.connectionBound, schedule.way.version == .h1 else { return breaks }
        let delivered = wire.requests.filter(isDelivered)
        for (index, request) in delivered.enumerated() {
            let busy = Set(delivered[...index].filter { ($0.endedAt ?? 0) > request.time }.map(\.connection))
            guard busy.count > most else { continue }
            breaks.append(
                StormBreak(
                    .bounds, ofStep: request.step,
                    "\(busy.count) connections carried requests at once, and the session permits \(most)"))
            break
        }
        return breaks
    }

    /// Whether a request surely holds its connection until its reply is over: its load delivers that reply.
    ///
    /// A load that fails may have left its connection long before the client tells of it, or before the server reads the request.
    private func isDelivered(_ request: StormWire.Request) -> Bool {
        guard request.method != "CONNECT", request.isWhole, !request.isCut, let step = request.step,
            wire.connections[request.connection]?.isCarrier != true
        else { return false }
        return told[step].isSuccess && told[step].status == request.status
    }

    // MARK: Callbacks

    private var ofRules: [StormBreak] {
        guard tellsCallbacks else { return [] }
        var checker = TraceChecker(
            platform: platform, reportsAnswers: evidence.reportedLanes?.contains(.harness) ?? false)
        for event in evidence.events { checker.observe(event) }
        var seen: Set<RuleNumber> = []
        return checker.finish(evidence.ending == .finished ? .finished : .cut).hits.compactMap { hit in
            guard hit.weight == .failure, !isOfRepetition(hit), seen.insert(hit.rule).inserted else { return nil }
            return StormBreak(
                .about(hit.rule), ofStep: steps.contains(hit.lane.number) ? hit.lane.number : nil,
                "\(hit.rule): \(hit.sentence)")
        }
    }

    /// Whether a rule about sent bytes may count them over two requests, of which the trace shows one.
    ///
    /// The server need not have read the first one where it ended a connection.
    private func isOfRepetition(_ hit: RuleHit) -> Bool {
        guard (21...24).contains(hit.rule.value) else { return false }
        return wire.requests.count { $0.step == hit.lane.number } > 1
            || wire.connections.values.contains { $0.lastEffect != nil || $0.lastStream != nil }
    }

    // MARK: Behind the faults

    private var failedRecovery: [StormBreak] {
        let first = schedule.loads.count
        guard let start = told.dropFirst(first).first?.begunAt else { return [] }
        return (first..<names.count).compactMap { step in
            let load = told[step]
            guard load.results > 0, !load.isGivenUp, load.error != nil || load.status != 200 else { return nil }
            // What the server did to a connection in the meantime excuses the load.
            let connections = wire.requests.filter { $0.step == step }.map(\.connection)
            let isDisturbed = wire.connections.values.contains { connection in
                (connection.lastEffect ?? 0) > start
                    && (connections.isEmpty || connections.contains(connection.number))
            }
            guard !isDisturbed else { return nil }
            let words = load.error.map { "failed: \($0)" } ?? "had status \(load.status ?? 0)"
            return StormBreak(.recovers, ofStep: step, "a plain load \(words), after the faults had stopped")
        }
    }

    private var left: [StormBreak] {
        guard evidence.ending == .finished, told.allSatisfy({ !$0.hasBegun || $0.hasEnded && !$0.isGivenUp }) else {
            return []
        }
        let open = wire.connections.values.filter { $0.end == nil || $0.end?.how == .stopped }.map(\.number).sorted()
        guard let first = open.first else {
            guard let origin = heldConnections.first else { return [] }
            let words =
                heldConnections.count == 1
                ? "a descriptor of a connection" : "\(heldConnections.count) descriptors of connections"
            return [
                StormBreak(.nothingLeft, "the client had \(words) to \(origin) open behind the end of the session")
            ]
        }
        let words =
            open.count == 1
            ? "connection \(first) was" : "\(open.count) connections, connection \(first) among them, were"
        return [StormBreak(.nothingLeft, connection: first, "\(words) open behind the end of the session")]
    }
}
