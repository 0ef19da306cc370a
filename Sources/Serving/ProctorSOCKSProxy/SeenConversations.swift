internal import ProctorBase
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorSOCKS
internal import ProctorScenario

/// What clients of SOCKS said: the facts `socks[N].…`, of the connections on which it was spoken, in order.
struct SeenConversations: FactGatherer {
    private(set) var all: [Conversation] = []
    /// Indexes in `all`, by the connection.
    private var places: [Int: Int] = [:]

    struct Conversation {
        fileprivate var greeting: (methods: [String], selected: String)?
        fileprivate var login: (user: String, isAccepted: Bool)?
        fileprivate var request: SOCKSRequestNote?
        fileprivate var violations: [ViolationNote] = []
        /// The last entry.
        fileprivate var sequence: UInt64?
    }

    static let group = FactGroup.socks

    static let words = GatheredWords(
        owner: "conversation $ of SOCKS", counted: "conversation of SOCKS", "were begun",
        wrong: "in $ the client broke a rule")

    static let facts: [GatheredFact<Conversation>] = [
        // As the greeting or the request says.
        GatheredFact(
            "version", "the version of $",
            .word(FactWords("version", of: "SOCKS", SOCKSVersion.allCases.map(\.rawValue)))
        ) { Measurement($0.request?.version ?? $0.greeting.map { _ in SOCKSVersion.five.rawValue }) },
        GatheredFact("methods", "the methods that the client offers in $", .list) {
            Measurement(ofList: $0.greeting?.methods)
        },
        GatheredFact("method", "the method that is selected in $") { Measurement($0.greeting?.selected) },
        // Of RFC 1929, or of SOCKS 4.
        GatheredFact("user", "the user of $") { Measurement($0.login?.user ?? $0.request?.user) },
        GatheredFact(
            "login", "what came of the user and password of $",
            .word(FactWords("end", of: "a login", ["accepted", "refused"]))
        ) { Measurement($0.login.map { $0.isAccepted ? "accepted" : "refused" }) },
        GatheredFact("command", "the command of $") { Measurement($0.request?.command) },
        GatheredFact(
            "address-type", "the type of the address of $",
            .word(FactWords("type", of: "an address", ["name", "ipv4", "ipv6"]))
        ) { Measurement($0.request?.addressType) },
        GatheredFact("host", "the host of $") { Measurement($0.request?.host) },
        GatheredFact("port", "the port of $") { Measurement($0.request.map { "\($0.port)" }) },
        GatheredFact(
            "violations", "the violations of $",
            .kinds(FactWords("violation", of: "SOCKS", TableCells.kinds(of: "socks-violations")))
        ) { Measurement(ofValues: $0.violations.map(\.kind)) },
    ]

    mutating func read(_ entry: JournalEntry, on connection: Int?, of request: Int?) {
        guard case .socks(let note) = entry.event, let connection else { return }
        let index = places[connection] ?? all.count
        if index == all.count {
            places[connection] = index
            all.append(Conversation())
        }
        all[index].sequence = entry.sequence
        switch note.event {
        case .greeting(let methods, let selected): all[index].greeting = (methods, selected)
        case .login(let user, let isAccepted): all[index].login = (user, isAccepted)
        case .request(let request): all[index].request = request
        case .violation(let violation, _): all[index].violations.append(violation)
        }
    }

    func sequence(of conversation: Conversation, in record: WireRecord) -> UInt64? { conversation.sequence }

    func faults(of conversation: Conversation, in record: WireRecord) -> [ListedFault] {
        conversation.violations.map { ListedFault($0) }
    }
}
