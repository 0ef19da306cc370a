import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorProgram

/// Finds out whether a case asks about requests alone, so that its client may make of the replies what it likes.
struct RequestSubject {
    let exchanges: [Exchange]
    let origins: [Origin]

    /// Whether all that the case says is decided when the requests are seen.
    ///
    /// More requests than steps can only come of a client that read a reply. One request shows nothing but itself: it
    /// decides a case whose reply is nothing special, and that does nothing to the client.
    func isWhole(of item: Case) -> Bool {
        let saysMore =
            !item.lanes.isEmpty || !item.edges.isEmpty
            || item.facts.contains { $0.name.subject == .reply || $0.name.subject == .connections }
        guard !saysMore, item.wire != nil || item.cookies != nil || !item.facts.isEmpty else { return false }
        if needsFurtherRequests(item) { return true }
        return item.client.count == 1 && item.client.allSatisfy(isPlain) && !mayHaveNone(item)
    }

    /// Whether the case cannot be met without a request that follows from a reply.
    private func needsFurtherRequests(_ item: Case) -> Bool {
        if let wire = item.wire { return wire.fewestOccurrences(of: EventName.request.rawValue) > item.client.count }
        return item.facts.contains { fact in
            guard case .wire(let index, _) = fact.name, fact.expected != .absent else { return false }
            return index >= item.client.count
        }
    }

    /// That no request comes is only worth something where the client is seen to have tried.
    private func mayHaveNone(_ item: Case) -> Bool {
        if let wire = item.wire { return wire.fewestOccurrences(of: EventName.request.rawValue) == 0 }
        return !item.facts.contains { fact in
            if case .wire = fact.name { fact.expected != .absent } else { false }
        }
    }

    /// Whether the client has one request to send, and gets a plain reply.
    private func isPlain(_ program: ClientProgram) -> Bool {
        guard program.cancelAt == nil, program.suspendAt == nil, program.timeout == nil, program.onResponse == .allow,
            origins.allSatisfy(\.connectionEffects.isEmpty)
        else { return false }
        return candidates(program).allSatisfy { exchange in
            exchange.guards.isEmpty && exchange.reads == .all && exchange.replies.allSatisfy(\.isPlain)
        }
    }

    /// The exchanges that may answer the program's request; all, where its target is not known before a run.
    private func candidates(_ program: ClientProgram) -> [Exchange] {
        guard let text = program.url.literalBytes, text.first == UInt8(ascii: "/") else { return exchanges }
        let target = Array(text.prefix { $0 != UInt8(ascii: "#") })
        let found = exchanges.filter { exchange in
            let isOfMethod = exchange.request.methods?.contains(Array(program.method.utf8)) ?? true
            guard isOfMethod else { return false }
            if exchange.request.target.matches(target) { return true }
            return exchange.request.target.matches(Array(target.prefix { $0 != UInt8(ascii: "?") }))
        }
        return found.isEmpty ? exchanges : found
    }
}

extension Reply {
    /// Whether it is a success that any client takes without doing more.
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
    /// With what follows from the scenario around it: what a client needs, and whether requests decide it.
    func completed(origins: [Origin], exchanges: [Exchange]) -> Case {
        var item = self
        item.needs.formUnion(AbilityNeeds(origins: origins, exchanges: exchanges).of(self))
        item.contraryOrigins = origins.filter { ($0.scheme == .https) != ($0.tls != nil) }.map(\.name)
        item.isAboutRequestsAlone = RequestSubject(exchanges: exchanges, origins: origins).isWhole(of: self)
        return item
    }
}

/// How many questions of a kind a right client is asked, by what a case expects; answers beyond are no need of the case.
extension Case {
    /// Redirects that a right client meets at most in a step; nil where the case does not say.
    public func redirectCount(ofStep step: Int) -> Int? { count(of: .redirect, step) }

    /// Challenges that a right client meets at most in a step; nil where the case does not say.
    ///
    /// Questions of TLS count: their answers stand in the same list.
    public func challengeCount(ofStep step: Int) -> Int? { count(of: .challenge, step) }

    /// Of all expressions that speak for the step, since one of them is the client's.
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

    /// The answers to redirects that a right client comes to.
    func redirectAnswersReached(ofStep step: Int) -> [ClientProgram.RedirectAnswer] {
        Self.reached(client[step].onRedirect, redirectCount(ofStep: step))
    }

    /// The answers to challenges that a right client comes to.
    func challengeAnswersReached(ofStep step: Int) -> [ClientProgram.ChallengeAnswer] {
        Self.reached(client[step].onChallenge, challengeCount(ofStep: step))
    }

    private static func reached<Answer>(_ answers: [Answer], _ count: Int?) -> [Answer] {
        count.map { Array(answers.prefix($0)) } ?? answers
    }
}
