import Foundation
import ProctorBase
import ProctorEvents
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorTestWire

@testable import ProctorExam

/// What came of one assignment, as lines.
struct ClientTelling {
    typealias Output = @Sendable (ClientTelling, Block) -> [String]

    static let outputs: [String: Output] = [
        "trace": { $0.trace($1) }, "errors": { telling, _ in telling.errors }, "result": { $0.results($1) },
        "requests": { $0.requests($1) }, "journal": { $0.journal($1) },
        "verdict": { telling, _ in telling.verdict.split(separator: "\n").map(String.init) },
    ]

    let events: [TraceEvent]
    let entries: [JournalEntry]
    let verdict: String
    /// Rules that the trace breaks; none in a row that is right.
    let brokenRules: [RuleNumber]
    /// What varies, the longest first.
    private let places: [(value: String, name: String)]

    init(_ sitting: Sitting, at line: Int) throws(RowError) {
        guard case .finished = sitting.evidence.ending, sitting.header != nil else {
            throw RowError(line, "the client did not come to an end: \(sitting.verdict)\n\(sitting.errorLines)")
        }
        events = sitting.evidence.events.filter { $0.phase == .enter }
        entries = sitting.evidence.journal ?? []
        verdict = "\(sitting.verdict)"
        // R53 is about who answers, which is the page itself.
        brokenRules = sitting.verdict.brokenRules.filter { $0 != RuleNumber(53) }
        var places: [(value: String, name: String)] = []
        for entry in entries {
            guard case .connectionOpened(let origin, let peer, let local) = entry.event else { continue }
            // Names of hosts stay as they are.
            guard local.first?.isNumber == true || local.hasPrefix("[") else { continue }
            places.append((local, origin == "main" ? "$(authority)" : "$(authority.\(origin))"))
            places.append((peer, "$(client)"))
        }
        let assignment = try? JSONSerialization.jsonObject(with: Data(sitting.assignment)) as? [String: Any]
        if let base = assignment?["base"] as? String, let place = base.firstRange(of: "://"),
            base[place.upperBound...].first?.isNumber == true
        {
            places.append((String(base[place.upperBound...]), "$(authority)"))
        }
        self.places = places.sorted { ($0.value.count, $0.name) > ($1.value.count, $1.name) }
    }

    func lines(_ name: String, _ block: Block) -> [String] {
        (Self.outputs[name]?(self, block) ?? []).map { line in
            var line = line
            for place in places { line = line.replacing(place.value, with: place.name) }
            line = line.replacing(/127(\.\d{1,3}){3}:\d+/, with: "$(other)")
            line = line.replacing(/[^ =]*\/proctor-legacy-[0-9A-F-]+\//, with: "$(folder)/")
            return line.replacing("\n", with: "\\n").replacing("\r", with: "\\r")
        }
    }

    // MARK: What the client told

    /// The callbacks of each lane in a line; those whose number varies are told once.
    private func trace(_ block: Block) -> [String] {
        let wanted = Self.list(block, "lanes") ?? ["task", "handler", "protocolClient"]
        let without = Self.list(block, "without") ?? []
        let facts = Self.list(block, "facts") ?? []
        var lanes: [(id: LaneID, words: [String], last: EventName?)] = []
        for event in events where wanted.contains(event.lane.rawValue) && !without.contains(event.name.rawValue) {
            let id = event.lane == .harness ? LaneID(.harness, event.task) : event.laneID
            let place = lanes.firstIndex { $0.id == id } ?? lanes.endIndex
            if place == lanes.endIndex { lanes.append((id, [], nil)) }
            let word = Self.word(event, facts)
            let isRepeated = lanes[place].last == event.name && Self.folded.contains(event.name) && !block.has("whole")
            if isRepeated { lanes[place].words.removeLast() }
            lanes[place].words.append(word)
            lanes[place].last = event.name
        }
        lanes.sort { ($0.id.lane == .task ? 0 : 1, $0.id.number) < ($1.id.lane == .task ? 0 : 1, $1.id.number) }
        let isAlone = lanes.count == 1 && lanes[0].id == LaneID(.task)
        let refusals = events.filter { $0.name == .unimplemented }.map { "unimplemented: \($0.argument ?? "")" }
        let rules = brokenRules.isEmpty ? [] : ["breaks " + brokenRules.map { "\($0)" }.joined(separator: " ")]
        return refusals + rules + lanes.map { (isAlone ? "" : "\($0.id): ") + $0.words.joined(separator: " ") }
    }

    private static let folded: Set<EventName> = [.data, .progress, .bodySent]

    private static func word(_ event: TraceEvent, _ facts: [String]) -> String {
        var text = "\(event.symbol)"
        if event.name == .metrics, let count = event.facts.integer(.transactions) { text += "(\(count))" }
        let told = facts.compactMap { name in
            switch name {
            case "queue": event.queue.map { "queue=\($0)" }
            case "family": event.family.map { "family=\($0.rawValue)" }
            default: FactKey(rawValue: name).flatMap { event.facts[$0] }.map { "\(name)=\(Self.text($0))" }
            }
        }
        return told.isEmpty ? text : "\(text){\(told.joined(separator: ","))}"
    }

    /// The errors that loads ended with, and their sentences.
    private var errors: [String] {
        events.compactMap { event in
            guard let message = event.facts.text(.message), event.lane != .harness else { return nil }
            return "\(event.argument ?? event.name.rawValue): \(message)"
        }
    }

    private func results(_ block: Block) -> [String] {
        let facts = Self.list(block, "facts") ?? ["status", "body", "error"]
        return events.filter { $0.name == .result }.map { event in
            facts.compactMap { name in
                FactKey(rawValue: name).flatMap { event.facts[$0] }.map { "\(name)=\(Self.text($0))" }
            }.joined(separator: " ")
        }
    }

    private static func text(_ value: FactValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .text(let text): ByteText.inLine(Array(text.utf8))
        }
    }

    // MARK: What the server saw

    /// `c0 GET /a | Name: value | body TEXT`, with the fields that `show` names, or all but the usual ones by `show *`.
    private func requests(_ block: Block) -> [String] {
        let shown = Self.list(block, "show")?.map { $0.lowercased() } ?? []
        return entries.compactMap { entry -> String? in
            guard case .requestHead(let head, let target) = entry.event else { return nil }
            var text = "c\(entry.connection ?? 0) \(head.method) \(ByteText.inLine(target))"
            for field in head.fields {
                let spelled = String(decoding: field.name, as: UTF8.self)
                let name = spelled.lowercased()
                guard shown.contains(name) || shown == ["*"] && !Self.usual.contains(name) else { continue }
                text += " | \(spelled): \(Self.value(ByteText.inLine(field.value)))"
            }
            let body = entries.lazy.compactMap { other -> RequestBody? in
                guard other.request == entry.request, case .requestBody(let body) = other.event else { return nil }
                return body
            }.first
            if let body, body.byteCount > 0 || !body.isComplete {
                text += " | " + (body.isWithheld ? "withheld" : body.isComplete ? "body" : "cut")
                if body.byteCount > 200 {
                    text += " \(body.byteCount)"
                } else if body.byteCount > 0 {
                    text += " \(ByteText.inLine(body.kept))"
                }
                if !body.chunks.isEmpty { text += " in \(body.chunks.map { "\($0)" }.joined(separator: ","))" }
            }
            for case .violation(let violation) in entries.lazy.filter({ $0.request == entry.request }).map(\.event) {
                text += " | violation \(violation.kind.rawValue)"
            }
            return text
        }
    }

    /// A Digest without what stays in all of them, and without what is random.
    private static func value(_ text: String) -> String {
        guard text.hasPrefix("Digest ") else { return text }
        return text.replacing(/(username|realm|cnonce|response)="[^"]*"(, )?/, with: "").replacing(/, $/, with: "")
    }

    private static let usual: Set<String> = ["host", "accept", "accept-encoding", "accept-language", "user-agent"]

    /// As a conversation's journal.
    private func journal(_ block: Block) -> [String] {
        let without = Self.list(block, "without")?.map { " \($0) " } ?? []
        let only = Self.list(block, "only")?.map { " \($0) " }
        return entries.map(\.line).filter { line in
            !without.contains { line.contains($0) } && only?.contains { line.contains($0) } != false
        }
    }

    private static func list(_ block: Block, _ word: String) -> [String]? {
        block.value(of: word)?.split(separator: ",").map(String.init)
    }
}
