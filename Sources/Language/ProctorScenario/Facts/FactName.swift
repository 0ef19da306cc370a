/// The name of a measurable fact.
package enum FactName: Sendable, Hashable {
    /// `wire.count`, `connections` …: of the run as a whole.
    case run(NamedFact)
    /// `client.…`: what the processes of the client took of the machine.
    case spent(NamedFact)
    /// `wire[N].…`: of a request, in the order of arrival.
    case wire(index: Int, NamedFact)
    /// `connection[N].…`: of a connection, in the order of acceptance.
    case connection(index: Int, NamedFact)
    /// `auth.…` of all guards together (nil), or `auth[NAME].…` of one guard.
    case guarding(guardName: String?, NamedFact)
    /// `tls[N].…`: of a connection on which a handshake began, in order.
    case tls(index: Int, NamedFact)
    /// `dns[N].NAME`, of one of several; `dns.NAME`, of the run, where there is no number: of a group that a module above measures.
    case grouped(FactGroup, index: Int?, NamedFact)
    /// A fact that the client reports: `status`, `url`, `body` …, with its step (0 by default).
    case client(step: Int, NamedFact)
}

extension FactName {
    package var row: FactRow {
        switch self {
        case .run(let fact): FactGroup.run.row(fact)
        case .spent(let fact): FactGroup.spending.row(fact).below("client.", of: "")
        case .wire(let index, let fact): FactGroup.request.row(fact, of: index)
        case .connection(let index, let fact): FactGroup.connection.row(fact, of: index)
        case .guarding(let name?, let fact):
            FactGroup.guarding.row(fact).below("auth[\(name)].", of: "the guard \(name)")
        case .guarding(nil, let fact): FactGroup.guarding.row(fact).below("auth.", of: "all guards")
        case .tls(let index, let fact): FactGroup.handshake.row(fact, of: index)
        case .grouped(let group, let index, let fact): group.row(fact, of: index)
        case .client(0, let fact): FactGroup.told.row(fact)
        case .client(let step, let fact): FactGroup.told.row(fact).below("step[\(step)].", inStep: step + 1)
        }
    }

    /// Whether the fact is about requests that came before replies had gone out.
    package var isOfPipelining: Bool {
        switch self {
        case .run("pipelined"), .wire(_, "behind"): true
        default: false
        }
    }

    /// Whether the fact is about memory and processor time of the client, which must be measured while it runs.
    package var isOfSpending: Bool { if case .spent = self { true } else { false } }

    /// The request whose Cookie field the fact is about, or of which it is one cookie; nil for another fact.
    package var requestOfCookies: Int? {
        guard case .wire(let index, let fact) = self, fact.row.hasPrefix("cookies") || fact.field == "cookie" else {
            return nil
        }
        return index
    }
}

extension NamedFact {
    /// The name of the field that the client looks up for the fact of a step; nil for other facts.
    package var lookedUp: String? { row.hasSuffix("header.\(FactRow.word)") ? word : nil }

    /// The name of the field behind the content that the client looks up for the fact of a step; nil for other facts.
    package var trailerName: String? { row == "trailer.\(FactRow.word)" ? word : nil }

    /// The field of a request whose lines the fact is, in lower case; nil for other facts.
    package var field: String? { row == "headers.\(FactRow.word)" ? word?.lowercased() : nil }
}
