package import ProctorNotation
import ProctorProgram

/// One claim of a case; a verdict says whether the claim holds, is broken or was not judged.
public struct Claim: Sendable, Hashable, CustomStringConvertible {
    /// The subject, which decides whether server or client can observe the claim.
    package let subject: Subject
    /// The part of the case that makes the claim.
    package let saying: Saying
    /// The claim as the fixture writes it: `wire: request(GET /a)`.
    public let description: String

    /// The subject of a claim; it decides whether server or client can observe the claim.
    package enum Subject: String, Sendable, CaseIterable {
        case request
        /// The client's result or its callbacks.
        case reply
        /// The order of callbacks, and the client's actions inside them.
        case callbacks
        /// Connections, handshakes and tunnels, which the server observes.
        case connections

        /// The names of the subjects: `request`, or several with commas.
        package static func text(of claims: [Claim]) -> String {
            let subjects = Set(claims.map(\.subject))
            return allCases.filter(subjects.contains).map(\.rawValue).joined(separator: ", ")
        }
    }

    /// The part of a case that makes a claim.
    package enum Saying: Sendable, Hashable {
        /// The expression of the expected requests.
        case wire
        /// The expression of a lane, by the key of the lane.
        case lane(String)
        /// A relation between events, by its index in ``Case/edges``.
        case edge(Int)
        case fact(FactName)
        /// The demand on Cookie fields.
        case cookies
        /// The end of a step: in the expression of its lane, or by the reply that the case is about.
        case end(step: Int)
        /// What is asked in every case, and in no part of this one.
        case always
    }

    /// What every case asks of the subject; a verdict has it where a client does not keep to it.
    package static func always(_ subject: Subject) -> Claim {
        let what =
            switch subject {
            case .request: "the requests"
            case .reply: "the content and the end"
            case .callbacks: "the callbacks"
            case .connections: "the connections"
            }
        return Claim(subject: subject, saying: .always, description: "\(what), by the rules for every case")
    }
}

extension Case {
    /// All claims, in the order of reports: requests, reply, callbacks, facts.
    package var claims: [Claim] {
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

    /// The names of the subjects: `request`, or several with commas.
    package var subjectText: String {
        Claim.Subject.text(of: claims)
    }

    /// The steps whose end is a claim.
    ///
    /// There are none in a case about requests alone, which does not judge the client's result. A scripted URLProtocol
    /// loads nothing, so its step is not among them.
    private var steppedEnds: [Int] {
        guard !isAboutRequestsAlone else { return [] }
        return client.indices.filter {
            client[$0].protocolScript == nil && client[$0].bytes.isEmpty && !isControl(step: $0)
        }
    }

    /// Whether a step is asked only to show that the client can do what another one must not: ``given`` alone speaks of it.
    package func isControl(step: Int) -> Bool {
        func isOfStep(_ fact: Fact) -> Bool {
            if case .client(step, _) = fact.name { true } else { false }
        }
        return given.contains(where: isOfStep) && !facts.contains(where: isOfStep) && endLanes(ofStep: step).isEmpty
    }

    package func endExpression(ofStep step: Int) -> Notation? {
        endLanes(ofStep: step).first.flatMap { lanes[$0] }
    }

    /// The keys of the lanes whose expressions contain the end of a step, one for each kind of task.
    package func endLanes(ofStep step: Int) -> [String] {
        let suffix = step == 0 ? "" : "[\(step)]"
        return ["task", "download", "handler"].map { $0 + suffix }.filter { lanes[$0] != nil }
    }
}
