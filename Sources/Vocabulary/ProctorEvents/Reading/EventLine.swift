internal import ProctorBase

/// The values that one line gives for an event, before its method name is resolved and the family of its lane is
/// added.
struct EventLine {
    var sequence: Int?
    var time: TraceEvent.Time?
    var lane: Lane?
    var task: Int?
    var object: Int?
    var name: Name?
    var argument = Argument.missing
    var phase = TraceEvent.Phase.enter
    var queue: String?
    var thread: String?
    var family: CallbackFamily?
    var facts: [EventFact] = []

    enum Name {
        case neutral(EventName)
        case method(MethodName, spelling: String)
    }

    /// A log may state that an argument of a method was nil, which differs from not stating it.
    enum Argument: Equatable {
        case missing
        case null
        case text(String)

        var text: String? {
            if case .text(let text) = self { return text }
            return nil
        }
    }

    func text(_ key: FactKey) -> String? {
        for fact in facts where fact.key == key {
            switch fact.value {
            case .text(let text): return text
            case .integer(let value): return String(value)
            case .flag: return nil
            }
        }
        return nil
    }

    func integer(_ key: FactKey) -> Int? {
        for fact in facts where fact.key == key {
            if case .integer(let value) = fact.value { return value }
        }
        return nil
    }

    func has(_ key: FactKey) -> Bool { facts.contains { $0.key == key } }

    consuming func event(named name: EventName, _ argument: String?, lane: Lane) -> TraceEvent {
        TraceEvent(
            time: time, lane: lane, task: task ?? 0, object: object, name: name, argument: argument, phase: phase,
            queue: queue, thread: thread, facts: facts.isEmpty ? [] : EventFacts(facts))
    }
}

/// Turns a method's name and the other values of a line into the neutral event.
extension EventLine {
    /// The event of a call of `method`; `hasResponse` decides `connection(_:didReceive:)` where the log does not.
    mutating func resolve(_ method: MethodName, hasResponse: Bool) -> (EventName, String?)? {
        guard let usual = method.event else { return nil }
        switch method.meaning {
        case .plain: return (usual, argument(of: usual))
        case .success: return (usual, URLErrorName.success)
        case .failure: return (usual, outcome ?? "unknown")
        case .rewrite:
            guard argument != .null, let status = status(3...3) else { return (.canonicalize, nil) }
            return (.redirect, status)
        case .redirection:
            return argument == .null ? (.canonicalize, nil) : (.redirect, status(3...3) ?? argument.text)
        case .becoming:
            let isStream = argument.text?.lowercased().hasPrefix("stream") ?? false
            return (
                isStream || argument.text?.contains(text: "StreamTask") ?? false ? .becameStream : .becameDownload, nil
            )
        case .receiving, .receivingNoData: return received(method.meaning, hasResponse: hasResponse)
        case .scope(let scope):
            if !has(.scope) { facts.append(EventFact(.scope, .text(scope))) }
            return (usual, argument(of: usual))
        case .answering(let answer):
            if !has(.to) { facts.append(EventFact(.to, .text(EventName.challenge.rawValue))) }
            // A `use` without a credential is an answer without a user.
            return (usual, answer == "use" && argument == .null ? "use-none" : answer)
        }
    }

    /// The outcome of a neutral event that has its error only in facts.
    var outcomeOfFacts: String? {
        guard let domain = text(.domain), let code = integer(.code) else { return nil }
        return URLErrorName.name(domain: domain, code: code)
    }

    private func received(_ meaning: MethodName.Meaning, hasResponse: Bool) -> (EventName, String?) {
        if let text = argument.text {
            if text.contains(text: "uthentication") || text.hasSuffix("hallenge") || ChallengeKind.names.contains(text)
            {
                return (.challenge, argument(of: .challenge))
            }
            if text.contains(text: "Response") { return (.response, status(1...9)) }
            if text.hasPrefix("Data") || text.contains(text: "bytes") { return (.data, nil) }
        }
        if meaning == .receivingNoData || has(.status) || !hasResponse { return (.response, status(1...9)) }
        return (.data, nil)
    }

    private func argument(of name: EventName) -> String? {
        switch name {
        case .redirect: return status(3...3) ?? argument.text
        case .response: return status(1...9) ?? argument.text
        case .informational: return status(1...1) ?? argument.text
        case .complete, .sessionInvalid, .handler, .awaited: return outcome
        case .challenge, .challengeCancelled, .askCanAuth:
            return argument.text.map { ChallengeKind.name(authenticationMethod: $0) }
        default:
            if NameTables.kinds[name.ordinal].argument == .none { return nil }
            return argument.text
        }
    }

    /// A status code whose first digit is in the range, from the argument or from a fact.
    private func status(_ firstDigit: ClosedRange<Int>) -> String? {
        for text in [argument.text, text(.status)] {
            guard let text, let code = Int(text), 100...999 ~= code, firstDigit ~= code / 100 else { continue }
            return String(code)
        }
        return nil
    }

    /// `ok` or the name of an error; nil where the log has neither.
    private var outcome: String? {
        if let name = outcomeOfFacts { return name }
        switch argument {
        case .missing: return nil
        case .null: return URLErrorName.success
        case .text(let text):
            if ["ok", "nil", "(null)", "null", "0"].contains(text) { return URLErrorName.success }
            if let code = Int(text) { return URLErrorName.name(domain: URLErrorName.domain, code: code) }
            guard let (domain, code) = URLErrorName.code(named: text) else { return text }
            return URLErrorName.name(domain: domain, code: code)
        }
    }
}
