/// The name of a measurable fact.
package enum FactName: Sendable, Hashable {
    /// `wire.count`, `connections` …: of the run as a whole.
    case run(RunFact)
    /// `client.…`: what the processes of the client took of the machine.
    case spent(Resource)
    /// `wire[N].…`: of a request, in the order of arrival.
    case wire(index: Int, WireFact)
    /// `connection[N].…`: of a connection, in the order of acceptance.
    case connection(index: Int, ConnectionFact)
    /// `auth.…` of all guards together (nil), or `auth[NAME].…` of one guard.
    case guarding(guardName: String?, GuardFact)
    /// `tls[N].…`: of a connection on which a handshake began, in order.
    case tls(index: Int, TLSFact)
    /// `dns[N].NAME`, of one of several; `dns.NAME`, of the run, where there is no number: of a group that a module above measures.
    case grouped(FactGroup, index: Int?, String)
    /// A fact that the client reports: `status`, `url`, `body` …, with its step (0 by default).
    case client(step: Int, ClientFact)

    package enum Resource: String, GroupedFact {
        /// The most bytes of memory that one process of the client had, as resident pages.
        case memory
        /// The milliseconds of processor time of all processes of the client, in the program and in the system.
        case processor

        package var row: FactRow {
            switch self {
            case .memory: FactRow("the memory of the client in bytes", .number)
            case .processor: FactRow("the processor time of the client in milliseconds", .number)
            }
        }
    }
}

extension FactName {
    package var row: FactRow {
        switch self {
        case .run(let fact):
            Self.row(fact, nil, "", fact == .requests ? .request : .connections)
        case .spent(let fact): Self.row(fact, "client", "", .reply)
        case .wire(let index, let fact): fact.row.below("wire[\(index)].", of: "request \(index + 1)")
        case .connection(let index, let fact): Self.row(fact, "connection[\(index)]", "connection \(index + 1)")
        case .guarding(nil, let fact): Self.row(fact, "auth", "all guards", .request)
        case .guarding(let name?, let fact): Self.row(fact, "auth[\(name)]", "the guard \(name)", .request)
        case .tls(let index, let fact): Self.row(fact, "tls[\(index)]", "handshake \(index + 1)", of: .tls)
        case .grouped(let group, let index, let name): group.row(name, of: index)
        case .client(0, let fact): fact.row
        case .client(let step, let fact): fact.row.below("step[\(step)].", inStep: step + 1)
        }
    }

    private static func row(
        _ fact: some GroupedFact, _ group: String?, _ owner: String, _ subject: Claim.Subject = .connections,
        of technology: FactTechnology? = nil
    ) -> FactRow {
        var row = fact.row
        row.name = fact.rawValue
        row.subject = subject
        row.technology = technology ?? row.technology
        return group.map { row.below("\($0).", of: owner) } ?? row
    }

    /// Whether the fact is about requests that came before replies had gone out.
    package var isOfPipelining: Bool {
        switch self {
        case .run(.pipelined), .wire(_, .behind): true
        default: false
        }
    }

    /// Whether the fact is about memory and processor time of the client, which must be measured while it runs.
    package var isOfSpending: Bool { if case .spent = self { true } else { false } }
}
