import ProctorEvents
import ProctorRules

/// A trace as one line of text, for rows about rules: `response(401) data challenge(basic) answer(use) complete(ok)`.
///
/// Tokens stand between spaces; inside `()`, `{}` and quotes a space is part of the token.
///
///     response(200)                 an event of the lane at hand, else of the first lane that has it (answer: harness)
///     bodySent{n=5,total=5,to="a b",accepts=true}     facts
///     data{of="hello"}              size and checksum of these bytes
///     data@t2   data@D/t2   data@/main                its thread, its queue and thread
///     data×3                        the event three times
///     <data … /data                 the callback begins, the callback returns; without `<` and `/` nothing returns
///     task[1]:  client:  proto[2]:  harness:  wire:   the lane of what follows, with its task or object
///     task[1].sessionDownload:      and its family
///     client[2/1]:                  object 2 of task 1
///     +300ms                        the clock goes on; without, by a millisecond for each event
///     ANSWERS                       the client is known to report its answers, so none is made up
///     HANG                          a watchdog ended the trace
///     TRAP                          the client crashed
///     |                             nothing, for the eye
///
/// For rules an answer gets the fact `to` from the last question it may be meant for. As soon as a script has one answer, each
/// redirect, response of US, needBodyStream, willCache and delayed is answered at once as usual (follow, allow, stream,
/// store, continue), unless the script answers that question anywhere itself.
struct RuleScript {
    let text: String
    let family: CallbackFamily?
    private(set) var events: [TraceEvent] = []
    private(set) var ending = TraceEnding.finished
    private(set) var reportsAnswers = false

    private var lane: Lane
    private var number = 0
    /// The task of an object where it is not the first.
    private var owner = 0
    /// Whether answers stand as they are written.
    private let isVerbatim: Bool
    private var families: [LaneID: CallbackFamily] = [:]
    private var now: UInt64 = 1_000_000_000
    private var lastQuestion: [LaneID: [EventName: Int]] = [:]
    private let usualAnswers: [EventName: String]

    /// What is wrong with a script; the row says where it stands.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    init(_ text: String, family: CallbackFamily) throws {
        self.text = text
        self.family = family
        isVerbatim = false
        switch family {
        case .urlProtocol: lane = .protocolClient
        case .proto: lane = .proto
        default: lane = .task
        }
        let tokens = try Self.tokens(of: text)
        usualAnswers = Self.usualAnswers(for: tokens)
        for token in tokens { try take(token) }
    }

    /// A trace beside a journal: no answer is added or completed, and no event says a family that is not written.
    init(verbatim text: String) throws {
        self.text = text
        family = nil
        isVerbatim = true
        lane = .task
        usualAnswers = [:]
        now += 1_000_000
        for token in try Self.tokens(of: text) { try take(token) }
    }

    // MARK: Tokens

    private static func tokens(of text: String) throws -> [String] {
        var tokens: [String] = []
        var token = ""
        var depth = 0
        var isQuoted = false
        for character in text {
            switch character {
            case "\"": isQuoted.toggle()
            case "(" where !isQuoted, "{" where !isQuoted: depth += 1
            case ")" where !isQuoted, "}" where !isQuoted: depth -= 1
            default: break
            }
            if character.isWhitespace, depth == 0, !isQuoted {
                if !token.isEmpty { tokens.append(token) }
                token = ""
            } else {
                token.append(character)
            }
        }
        guard depth == 0, !isQuoted else { throw Mistake(description: "a bracket or quote stays open in: \(text)") }
        if !token.isEmpty { tokens.append(token) }
        return tokens
    }

    private mutating func take(_ token: String) throws {
        if token == "|" { return }
        if token == "HANG" {
            ending = .hung
        } else if token == "TRAP" {
            ending = .cut
        } else if token == "ANSWERS" {
            reportsAnswers = true
        } else if token.hasPrefix("+"), token.hasSuffix("ms"), let pause = UInt64(token.dropFirst().dropLast(2)) {
            now += pause * 1_000_000
        } else if token.hasSuffix(":"), !token.hasPrefix("\"") {
            try enterLane(String(token.dropLast()))
        } else {
            var parsed = try ScriptEvent(token)
            for _ in 0..<parsed.count { try take(&parsed) }
        }
    }

    private mutating func enterLane(_ text: String) throws {
        var name = text
        var laneFamily: CallbackFamily?
        if let dot = name.lastIndex(of: ".") {
            laneFamily = CallbackFamily(rawValue: String(name[name.index(after: dot)...]))
            guard laneFamily != nil else { throw Mistake(description: "no family: \(text)") }
            name = String(name[..<dot])
        }
        (number, owner) = (0, 0)
        if name.hasSuffix("]"), let bracket = name.firstIndex(of: "[") {
            let numbers = name[name.index(after: bracket)...].dropLast().split(separator: "/").map { Int($0) }
            guard let index = numbers.first.flatMap(\.self), numbers.count == 1 || numbers[1] != nil else {
                throw Mistake(description: "no lane: \(text)")
            }
            number = index
            owner = numbers.count > 1 ? numbers[1] ?? 0 : 0
            name = String(name[..<bracket])
        }
        guard let known = name == "client" ? .protocolClient : Lane(rawValue: name) else {
            throw Mistake(description: "no lane: \(text)")
        }
        lane = known
        if let laneFamily { families[LaneID(lane, number)] = laneFamily }
    }

    // MARK: Events

    private mutating func take(_ parsed: inout ScriptEvent) throws {
        guard let kind = EventVocabulary.kind(named: parsed.name.rawValue) else {
            throw Mistake(description: "no event: \(parsed.name)")
        }
        let itsLane = kind.lanes.contains(lane) ? lane : kind.lanes[0]
        var event = TraceEvent(
            sequence: events.count + 1, time: .monotonic(now), lane: itsLane, name: parsed.name,
            argument: parsed.argument, phase: parsed.phase, queue: parsed.queue, thread: parsed.thread,
            facts: EventFacts(parsed.facts))
        now += 1_000_000
        if lane.isOfObject || itsLane.isOfObject {
            (event.object, event.task) = (number, owner)
        } else {
            event.task = number
        }
        if !itsLane.isOfObject, !lane.isOfObject {
            event.family =
                families[LaneID(.task, number)] ?? (family == .urlProtocol || family == .proto ? nil : family)
        }
        if event.name == .answer, !isVerbatim, event.facts.text(.to) == nil {
            guard let question = lastQuestion(for: parsed.argument ?? "", in: loadLane(of: event)) else {
                throw Mistake(description: "nothing asks for \(event.symbol) in: \(text)")
            }
            event.facts.append(EventFact(.to, .text(question.rawValue)))
        }
        events.append(event)
        guard event.phase == .enter, itsLane == .task || itsLane == .protocolClient else { return }
        lastQuestion[loadLane(of: event), default: [:]][event.name] = events.count
        if let usual = usualAnswers[event.name], event.name != .response || event.family == .sessionData {
            var answer = try ScriptEvent("answer(\(usual)){to=\(event.name.rawValue)}")
            try take(&answer)
        }
    }

    private func loadLane(of event: TraceEvent) -> LaneID {
        event.object.map { LaneID(.protocolClient, $0) } ?? LaneID(.task, event.task)
    }

    // MARK: Answers

    private static let questions: [String: [EventName]] = [
        "follow": [.redirect], "refuse": [.redirect], "change": [.redirect], "use": [.challenge],
        "trust": [.challenge], "identity": [.challenge], "use-none": [.challenge], "default": [.challenge],
        "reject": [.challenge],
        "cancel": [.challenge, .response, .delayed], "allow": [.response], "becomeDownload": [.response],
        "becomeStream": [.response], "stream": [.needBodyStream], "none": [.needBodyStream, .willCache],
        "store": [.willCache], "continue": [.delayed],
    ]

    private static func usualAnswers(for tokens: [String]) -> [EventName: String] {
        var usual: [EventName: String] = [
            .redirect: "follow", .response: "allow", .needBodyStream: "stream", .willCache: "store",
            .delayed: "continue",
        ]
        var asked: [EventName: Int] = [:]
        var hasAnswer = false
        for (index, token) in tokens.enumerated() {
            guard let event = try? ScriptEvent(token) else { continue }
            guard event.name == .answer else {
                asked[event.name] = index
                continue
            }
            hasAnswer = true
            if case .text(let name)? = event.facts.first(where: { $0.key == .to })?.value {
                if let question = EventName(rawValue: name) { usual[question] = nil }
            } else if let question = latest(of: questions[event.argument ?? ""] ?? [], asked) {
                usual[question] = nil
            }
        }
        return hasAnswer && !tokens.contains("ANSWERS") ? usual : [:]
    }

    private func lastQuestion(for answer: String, in lane: LaneID) -> EventName? {
        Self.latest(of: Self.questions[answer] ?? [], lastQuestion[lane] ?? [:])
    }

    private static func latest(of questions: [EventName], _ asked: [EventName: Int]) -> EventName? {
        questions.filter { asked[$0] != nil }.max { asked[$0] ?? 0 < asked[$1] ?? 0 }
    }
}
