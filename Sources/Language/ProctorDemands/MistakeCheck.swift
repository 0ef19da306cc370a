package import ProctorDocument
internal import ProctorEvents
internal import ProctorNotation
package import ProctorScenario

/// Refuses a must or should that only a client's own report keeps apart from a mistake.
///
/// Two exchanges take the same target, and differ by method, body or fields; the case's expression of callbacks
/// permits only the reply of the first, and its claims about requests permit both. A command line without callbacks
/// would pass with the mistake.
package enum MistakeCheck {
    /// One error for each such case of the scenario.
    package static func diagnostics(of scenario: Scenario) -> [Diagnostic] {
        scenario.cases.compactMap { item in
            guard item.kind != .observes, !item.looksIntoRequests,
                let (wanted, other) = pair(in: scenario.exchanges, of: item)
            else { return nil }
            return Diagnostic(
                location: item.location,
                sentence: "the requests of \(quoted(item.name)) do not tell exchange \(wanted.index) from exchange "
                    + "\(other.index), whose reply is wrong here",
                hint: "write catches: at exchange \(other.index), or a fact about what differs (wire[N].body …)")
        }
    }

    private static func pair(in exchanges: [Exchange], of item: Case) -> (wanted: Exchange, other: Exchange)? {
        for other in exchanges where other.mistake == nil && item.refusesReplies(of: other) {
            let wanted = exchanges.prefix(other.index).first { exchange in
                exchange.origin == other.origin && exchange.when.isEmpty && exchange.times == nil
                    && !item.refusesReplies(of: exchange)
                    && item.permits(exchange, as: other)
            }
            if let wanted { return (wanted, other) }
        }
        return nil
    }
}

extension Case {
    /// Whether a fact is about a part of a request that the expression of requests does not show.
    fileprivate var looksIntoRequests: Bool {
        facts.contains { if case .wire = $0.name { true } else { false } }
    }

    /// Whether the expressions of callbacks, or a fact about the body, refuse every final reply of the exchange.
    ///
    /// A redirect, a challenge, and a reply that is not written field by field are refused by no case.
    fileprivate func refusesReplies(of exchange: Exchange) -> Bool {
        let lanes = client.indices.flatMap { endLanes(ofStep: $0) }.compactMap { self.lanes[$0] }
        let responses = lanes.flatMap(\.symbols).filter { $0.name == EventName.response.rawValue }
        return exchange.replies.allSatisfy { reply in
            guard case .structured(let message)? = reply.message, 200..<600 ~= message.status,
                !(300..<400 ~= message.status), ![401, 407].contains(message.status)
            else { return false }
            let event = TraceEventSymbol(EventName.response.rawValue, String(message.status))
            if !responses.isEmpty, !responses.contains(where: { $0.matches(event) }) { return true }
            guard let body = message.literalBody else { return false }
            let wanted = facts.compactMap { fact -> [UInt8]? in
                guard case .client(_, "body") = fact.name, case .text(let template) = fact.expected else { return nil }
                return template.literalBytes
            }
            return !wanted.isEmpty && !wanted.contains(body)
        }
    }

    /// Whether the expression of requests permits both exchanges by one symbol: the same request line, whose body or
    /// fields differ, or the same target with another method.
    fileprivate func permits(_ exchange: Exchange, as other: Exchange) -> Bool {
        let targets = Set(other.request.lines.map(\.target))
        let byMethod = exchange.request.lines.filter { targets.contains($0.target) && !other.request.takes($0) }
        let lines = exchange.request.hasConditions ? exchange.request.lines.filter { other.request.takes($0) } : []
        guard let wire else { return !lines.isEmpty || !byMethod.isEmpty }
        return wire.symbols.contains { symbol in
            guard symbol.name == EventName.request.rawValue else { return false }
            if lines.contains(where: { symbol.matches($0.event) }) { return true }
            // An expression that names both methods permits both on purpose.
            let namesNone = !symbol.arguments.contains { if case .exact = $0 { true } else { false } }
            if namesNone, byMethod.contains(where: { symbol.matches($0.event) }),
                other.request.lines.contains(where: { symbol.matches($0.event) })
            {
                return true
            }
            return symbol.arguments.contains { pattern in
                guard case .exact(let text) = pattern, let line = MethodAndTarget(text),
                    exchange.request.hasConditions
                else { return false }
                return exchange.request.takes(line) && other.request.takes(line)
            }
        }
    }
}

/// Method and target of a request.
private struct MethodAndTarget {
    let method: String
    let target: String

    var event: TraceEventSymbol { TraceEventSymbol(EventName.request.rawValue, "\(method) \(target)") }

    init(method: String, target: String) { (self.method, self.target) = (method, target) }

    /// Splits `GET /a`; nil without a blank.
    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(method: String(parts[0]), target: String(parts[1]))
    }
}

extension RequestPattern {
    /// Whether anything but method and target decides; the query is a part of the target.
    fileprivate var hasConditions: Bool {
        !headers.isEmpty || body != nil || more != nil || script != nil
    }

    /// The request lines that the pattern takes, where it writes method and target out.
    fileprivate var lines: [MethodAndTarget] {
        guard let target = target.exactBytes, expression == nil, query == nil else { return [] }
        return (methods ?? []).map { method in
            MethodAndTarget(
                method: String(decoding: method, as: UTF8.self), target: String(decoding: target, as: UTF8.self))
        }
    }

    fileprivate func takes(_ line: MethodAndTarget) -> Bool {
        guard methods?.contains(Array(line.method.utf8)) ?? true, query == nil else { return false }
        return takes(target: Array(line.target.utf8))
    }
}

extension StructuredReply {
    /// The body when the file writes it out; nil for one that is made, read or coded.
    fileprivate var literalBody: [UInt8]? {
        guard coding == nil else { return nil }
        var bytes: [UInt8] = []
        for piece in body {
            guard case .bytes(.literal(let literal)) = piece else { return nil }
            bytes += literal
        }
        return bytes
    }
}
