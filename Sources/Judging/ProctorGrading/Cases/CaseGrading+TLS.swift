import ProctorEvents
import ProctorJournal
import ProctorNotation
import ProctorProgram
import ProctorRules
import ProctorScenario

extension CaseGrading {
    /// Whether the symbol stands for an event that this client cannot report, or cannot report for this step.
    func isUntold(_ symbol: NotationSymbol, ofStep step: Int) -> Bool {
        never.cover(symbol) || trace.askedTogether.contains(step) && symbol.isOfTLS
    }

    /// A sentence for each TLS challenge whose step is unknown.
    var questionsNotJudged: [String] {
        let steps = trace.askedTogether.sorted().filter { step in
            item.expressions(ofStep: step).contains { $0.symbols.contains(where: \.isOfTLS) }
        }
        guard !steps.isEmpty else { return [] }
        let lanes = steps.map { "\(LaneID(.task, $0))" }.joined(separator: ", ")
        return ["\(lanes): for which of them the session was asked about TLS, since they ran at once"]
    }

    // MARK: Questions that are never asked

    /// Events that the case expects and that this client never reports.
    var untoldEvents: [TraceEventSymbol] {
        let symbols = item.client.indices.flatMap { item.expressions(ofStep: $0) }.flatMap(\.symbols)
        return never.filter { never in symbols.contains { [never].cover($0) } }.map(\.subject)
    }

    /// A question that the case must get answered and that this client never asks, with the reason; nil when there is
    /// none.
    var neverAsked: (ability: Ability, reason: String)? {
        for never in never where never.subject.name == EventName.challenge.rawValue {
            for (step, program) in item.client.enumerated() {
                let isExpected = item.expressions(ofStep: step).contains { expression in
                    expression.symbols.contains { [never].cover($0) }
                }
                guard program.answers(never.subject) || isExpected && program.answersInTurn else {
                    continue
                }
                let because = EventText.printable(never.because, limit: 500)
                let ability: Ability = never.subject.argument == "clientCert" ? .identityQuestion : .trustQuestion
                return (ability, "\(never.subject), which steps[\(step)].onChallenge answers: \(because)")
            }
        }
        return nil
    }

    // MARK: Handshakes

    /// Compares the TLS challenges with the handshakes on the wire (R18), in a run with one task, to which all
    /// handshakes belong.
    static func handshakeHits(
        _ trace: MergedTrace, _ record: WireRecord?, tasks: [LoadState], item: Case, platform: Platform
    ) -> [RuleHit] {
        guard let record, record.gapAfter == nil, !trace.isOfProtocol, !item.isScripted, item.client.count == 1,
            tasks.count == 1, let task = tasks.first, ofRule18.contains(task.family)
        else { return [] }
        let handshakes = record.handshakes.compactMap { index -> SeenTLSHandshake? in
            let connection = record.connections[index]
            guard let begin = connection.tls.begin else { return nil }
            let first = trace.isMerged ? connection.requests.first.flatMap { trace.sent($0) } : nil
            return SeenTLSHandshake(
                connection: connection.number, begin: begin, isResumed: connection.tls.handshake?.isResumed ?? false,
                request: first)
        }
        return R18Handshakes.hits(
            trace.events, handshakes, in: LaneID(.task, task.number), isMerged: trace.isMerged, platform: platform)
    }

    private static let ofRule18 = Set(Rules.rule(RuleNumber(18))?.families ?? [])
}

extension NotationSymbol {
    fileprivate var isOfTLS: Bool {
        guard name == EventName.challenge.rawValue, !arguments.isEmpty else { return false }
        return arguments.allSatisfy { pattern in
            if case .exact(let kind) = pattern { kind == "serverTrust" || kind == "clientCert" } else { false }
        }
    }
}

extension Case {
    /// Whether Host and target give the request's URL: no origin has a contrary protocol, and the program sets no Host.
    var hasOwnURLs: Bool { contraryOrigins.isEmpty && !client.contains { $0.sets("Host") } }

    /// Whether a URLProtocol script plays the load, so that a TLS challenge has no handshake on the wire.
    var isScripted: Bool { client.contains { $0.protocolScript != nil } }

    /// Whether the case itself names challenges in lane `session`, so that they stay there.
    var namesSessionChallenges: Bool {
        let name = EventName.challenge.rawValue
        return [lanes["session"], ambient["session"]].contains { $0?.eventNames.contains(name) ?? false }
            || edges.contains { edge in
                [edge.later, edge.earlier].contains { $0.lane.lane == .session && $0.symbol.name == name }
            }
    }

    /// All expressions of the case about lanes that belong to the step.
    func expressions(ofStep step: Int) -> [Notation] {
        let suffix = step == 0 ? "" : "[\(step)]"
        var keys = ["task", "download", "handler"].map { $0 + suffix }
        if step == 0 { keys += ["session", "protocolClient"] }
        return keys.flatMap { [lanes[$0], ambient[$0]].compactMap(\.self) }
    }
}

extension ClientProgram {
    /// Whether the program gives an answer that only this question can get.
    fileprivate func answers(_ question: TraceEventSymbol) -> Bool {
        onChallenge.contains { answer in
            switch answer {
            case .trust: question.argument == "serverTrust"
            case .identity: question.argument == "clientCert"
            default: false
            }
        }
    }

    /// Whether the result of the load depends on a question: its answer is not the default, or answers to later
    /// questions follow it in the list.
    fileprivate var answersInTurn: Bool {
        if onChallenge.count > 1 { return !onChallenge.allSatisfy(\.isDefault) }
        return onChallenge.contains { !$0.isDefault && !$0.isOfHTTPAlone }
    }
}

extension ClientProgram.ChallengeAnswer {
    fileprivate var isDefault: Bool { if case .performDefault = self { true } else { false } }

    /// Whether the answer is a user and a password, which a TLS challenge ignores: it then continues by default.
    fileprivate var isOfHTTPAlone: Bool { if case .use = self { true } else { false } }
}
