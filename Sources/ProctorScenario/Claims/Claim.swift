public import ProctorNotation

/// One thing that a case says, and that a verdict answers: held, broken, or not judged.
public struct Claim: Sendable, Hashable, CustomStringConvertible {
    /// What it is about.
    public let subject: Subject
    /// Which of the case's sayings it is.
    public let saying: Saying
    /// As the fixture writes it: `wire: request(GET /a)`.
    public let description: String

    /// What a claim is about; it says who can tell whether it holds.
    public enum Subject: String, Sendable, CaseIterable {
        /// The requests: the server sees them.
        case request
        /// What the client made of the reply: its result, or its callbacks.
        case reply
        /// The order of callbacks, and what was done inside them.
        case callbacks
        /// Connections, handshakes and tunnels: the server sees them.
        case connections

        /// What claims are about, in words: `request`, or several with commas.
        public static func text(of claims: [Claim]) -> String {
            let subjects = Set(claims.map(\.subject))
            return allCases.filter(subjects.contains).map(\.rawValue).joined(separator: ", ")
        }
    }

    /// Where in the case it stands.
    public enum Saying: Sendable, Hashable {
        /// The expression of the requests.
        case wire
        /// The expression of a lane, by its key.
        case lane(String)
        /// An edge, by its place in ``Case/edges``.
        case edge(Int)
        case fact(FactName)
        /// The demand on Cookie fields.
        case cookies
        /// How a step ended for the client; said by the expression of its lane, or by the reply that it is about.
        case end(step: Int)
    }
}

extension Case {
    /// Everything the case says, in the order of reports: requests, reply, callbacks, facts.
    public var claims: [Claim] {
        var claims: [Claim] = []
        if let wire { claims.append(Claim(subject: .request, saying: .wire, description: "wire: \(wire.text)")) }
        if cookies != nil {
            claims.append(Claim(subject: .request, saying: .cookies, description: "the cookies of all requests"))
        }
        for step in steppedEnds {
            let of = client.count == 1 ? "the load" : "step \(step)"
            claims.append(Claim(subject: .reply, saying: .end(step: step), description: "how \(of) ended"))
        }
        for key in lanes.keys.sorted() {
            let text = lanes[key]?.text ?? ""
            claims.append(Claim(subject: .callbacks, saying: .lane(key), description: "\(key): \(text)"))
        }
        for (index, edge) in edges.enumerated() {
            claims.append(Claim(subject: .callbacks, saying: .edge(index), description: edge.text))
        }
        for fact in facts {
            claims.append(Claim(subject: fact.name.subject, saying: .fact(fact.name), description: fact.name.text))
        }
        return claims
    }

    /// What the case is about, in words: `request`, or several with commas.
    public var subjectText: String {
        Claim.Subject.text(of: claims)
    }

    /// Steps whose end is a claim.
    ///
    /// Where requests alone are asked about, and the reply to them is nothing special, what the client made of it is not
    /// the case's business. A scripted URLProtocol loads nothing.
    private var steppedEnds: [Int] {
        guard !isAboutRequestsAlone else { return [] }
        return client.indices.filter { client[$0].protocolScript == nil }
    }

    /// The expression that says how a step ends; nil where the case has none.
    public func endExpression(ofStep step: Int) -> Notation? {
        endLanes(ofStep: step).first.flatMap { lanes[$0] }
    }

    /// The keys of the lanes that say how a step ends; one of them speaks for each kind of task.
    public func endLanes(ofStep step: Int) -> [String] {
        let suffix = step == 0 ? "" : "[\(step)]"
        return ["task", "download", "handler"].map { $0 + suffix }.filter { lanes[$0] != nil }
    }
}

extension FactName {
    /// Which record tells it.
    public var subject: Claim.Subject {
        switch self {
        case .wire(_, .connection), .wire(_, .opaque), .wire(_, .opaqueLength): .connections
        case .requestCount, .wire, .guarding: .request
        case .tunnelCount, .connectionCount, .connection, .handshakeCount, .handshakeFailureCount, .tls: .connections
        case .client: .reply
        }
    }
}
