import ProctorJournal
import ProctorScenario

/// What a client of SOCKS said on one connection.
struct SeenSOCKS {
    private var greeting: (methods: [String], selected: String)?
    private var login: (user: String, isAccepted: Bool)?
    private var request: SOCKSRequestNote?
    private(set) var violations: [ViolationNote] = []
    /// The last entry.
    private(set) var sequence: UInt64?

    func adding(_ note: SOCKSNote, at entry: JournalEntry) -> SeenSOCKS {
        var seen = self
        seen.sequence = entry.sequence
        switch note.event {
        case .greeting(let methods, let selected): seen.greeting = (methods, selected)
        case .login(let user, let isAccepted): seen.login = (user, isAccepted)
        case .request(let request): seen.request = request
        case .violation(let violation, _): seen.violations.append(violation)
        }
        return seen
    }

    func measure(_ fact: FactName.SOCKSFact) -> Measurement {
        switch fact {
        case .version: Measurement(request?.version ?? greeting.map { _ in "SOCKS5" })
        case .methods: Measurement(ofList: greeting?.methods)
        case .method: Measurement(greeting?.selected)
        case .user: Measurement(login?.user ?? request?.user)
        case .login: Measurement(login.map { $0.isAccepted ? "accepted" : "refused" })
        case .command: Measurement(request?.command)
        case .addressType: Measurement(request?.addressType)
        case .host: Measurement(request?.host)
        case .port: Measurement(request.map { "\($0.port)" })
        case .violations: Measurement(ofValues: violations.map(\.kind))
        }
    }
}

extension WireRecord {
    /// The conversation of that number, counted over connections on which SOCKS was spoken; nil when there were fewer.
    func socks(_ index: Int) -> SeenSOCKS? {
        socksConnections.indices.contains(index) ? connections[socksConnections[index]].socks : nil
    }
}
