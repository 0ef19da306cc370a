import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorProgram
import ProctorTLSWire

struct RequestSubject {
    package let exchanges: [Exchange]
    package let origins: [Origin]

    /// Whether the server's record of requests alone decides the case.
    ///
    /// When a case expects more requests than it has steps, the further requests show that the client has read a reply.
    /// One request is enough for a case with a plain reply.
    package func isWhole(of item: Case) -> Bool {
        let saysMore =
            !item.lanes.isEmpty || !item.edges.isEmpty
            || item.facts.contains { $0.name.subject == .reply || $0.name.subject == .connections }
        guard !saysMore, item.wire != nil || item.cookies != nil || !item.facts.isEmpty else { return false }
        if needsFurtherRequests(item) { return true }
        return item.client.count == 1 && item.client.allSatisfy(isPlain) && !mayHaveNone(item)
    }

    /// Whether the case expects a request that the client only sends after it has read a reply.
    private func needsFurtherRequests(_ item: Case) -> Bool {
        if let wire = item.wire { return wire.fewestOccurrences(of: EventName.request.rawValue) > item.client.count }
        return item.facts.contains { fact in
            guard case .wire(let index, _) = fact.name, fact.expected != .absent else { return false }
            return index >= item.client.count
        }
    }

    /// Whether the case may expect no request at all; then the client's result must show that it has tried.
    private func mayHaveNone(_ item: Case) -> Bool {
        if let wire = item.wire { return wire.fewestOccurrences(of: EventName.request.rawValue) == 0 }
        return !item.facts.contains { fact in
            if case .wire = fact.name { fact.expected != .absent } else { false }
        }
    }

    /// Whether the client sends one request and gets a plain reply.
    private func isPlain(_ program: ClientProgram) -> Bool {
        let step = program.step
        guard step.moments.isEmpty, !step.canEndLoad, step.onResponse == .allow,
            origins.allSatisfy(\.connectionEffects.isEmpty)
        else { return false }
        return candidates(program).allSatisfy { exchange in
            exchange.guards.isEmpty && exchange.reads == .all && exchange.replies.allSatisfy(\.isPlain)
        }
    }

    /// The exchanges that may answer the request; all of them when its URL is late-bound.
    private func candidates(_ program: ClientProgram) -> [Exchange] {
        guard !program.isReference, let text = program.url.literalBytes, text.first == UInt8(ascii: "/")
        else { return exchanges }
        let target = Array(text.prefix { $0 != UInt8(ascii: "#") })
        let taking = exchanges.filter { exchange in
            let isOfMethod = exchange.request.methods?.contains(Array(program.method.utf8)) ?? true
            guard isOfMethod else { return false }
            if exchange.request.takes(target: target) { return true }
            return exchange.request.takes(target: Array(target.prefix { $0 != UInt8(ascii: "?") }))
        }
        return taking.isEmpty ? exchanges : taking
    }
}

extension Reply {
    /// Whether the reply is a success that requires no further request or action of the client.
    fileprivate var isPlain: Bool {
        guard effects.isEmpty, rawSlicing == nil, opaque == nil, case .structured(let reply)? = message else {
            return false
        }
        return 200..<300 ~= reply.status && reply.interim.isEmpty && reply.coding == nil && reply.tunnel == nil
            && reply.trailers.isEmpty && reply.pace == nil && reply.slicing == nil && reply.honours.isEmpty
            && reply.framing.isPlain
            && reply.body.allSatisfy { piece in
                if case .bytes = piece { true } else { false }
            }
    }
}

extension StructuredReply.Framing {
    fileprivate var isPlain: Bool {
        switch self {
        case .unspecified, .length, .none: true
        case .chunked, .close: false
        }
    }
}

extension Case {
    /// Adds what follows from the scenario: the needed abilities, and whether requests alone decide the case.
    package func completed(origins: [Origin], exchanges: [Exchange], asksDNS: Bool = false) -> Case {
        var item = self
        item.needs.formUnion(AbilityNeeds(origins: origins, exchanges: exchanges, asksDNS: asksDNS).needs(of: self))
        item.contraryOrigins = origins.filter { ($0.scheme == .https) != ($0.tls != nil) }.map(\.name)
        item.isAboutRequestsAlone = RequestSubject(exchanges: exchanges, origins: origins).isWhole(of: self)
        item.soundProxies = Set(
            origins.filter { $0.role == .proxy && $0.tls?.certificate == TLSProgram().certificate }.map(\.name))
        item.exchangesOfHTTP11 = Set(
            exchanges.filter { $0.replies.contains(where: \.isAboutHTTP11) }.map(\.index))
        item.mistakes = exchanges.mistakes(inCase: name)
        item.offered = OfferedSubject(of: self, exchanges: exchanges)
        return item
    }
}

extension [Exchange] {
    /// The mistakes that fail a case, by the index of the exchange; nil: a run without a case, which no exception
    /// permits.
    package func mistakes(inCase name: String?) -> [Int: String] {
        var mistakes: [Int: String] = [:]
        for exchange in self {
            guard let mistake = exchange.mistake else { continue }
            let isExcepted = name.map(mistake.exceptions.contains) ?? !mistake.exceptions.isEmpty
            if !isExcepted { mistakes[exchange.index] = mistake.sentence }
        }
        return mistakes
    }
}

/// The number of questions that a correct client gets; answers beyond that number need no abilities.
extension Case {
    /// The most redirects that a correct client gets in a step; nil when the case does not say.
    package func redirectCount(ofStep step: Int) -> Int? { count(of: .redirect, step) }

    /// The most challenges that a correct client gets in a step, with those of TLS; nil when the case does not say.
    package func challengeCount(ofStep step: Int) -> Int? { count(of: .challenge, step) }

    /// The greatest count among all expressions for the step: one of them is the one for the client.
    private func count(of name: EventName, _ step: Int) -> Int? {
        let suffix = step == 0 ? "" : "[\(step)]"
        let expressions = ["task", "download"].compactMap { lanes[$0 + suffix] }
        guard !expressions.isEmpty else { return nil }
        var most = 0
        for expression in expressions {
            guard let count = expression.mostOccurrences(of: name.rawValue) else { return nil }
            most = max(most, count)
        }
        return most
    }

    /// The answers to redirects that a correct client uses.
    func redirectAnswersReached(ofStep step: Int) -> [ClientProgram.RedirectAnswer] {
        Self.reached(client[step].onRedirect, redirectCount(ofStep: step))
    }

    /// The answers to challenges that a correct client uses.
    func challengeAnswersReached(ofStep step: Int) -> [ClientProgram.ChallengeAnswer] {
        Self.reached(client[step].onChallenge, challengeCount(ofStep: step))
    }

    private static func reached<Answer>(_ answers: [Answer], _ count: Int?) -> [Answer] {
        count.map { Array(answers.prefix($0)) } ?? answers
    }
}
