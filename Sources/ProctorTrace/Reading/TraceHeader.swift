/// The first line of a trace file: whose trace it is, and what that client can report.
public struct TraceHeader: Sendable, Equatable {
    /// The client's name, as in the files of `clients/`.
    public var client: String?
    /// As the client says it.
    public var clientVersion: String?
    /// Whether `ns` is CLOCK_MONOTONIC, so that events can be placed among the server's.
    public var isMonotonic: Bool
    /// What this client is able to report; what a lane not listed here would have shown is unknown.
    public var lanes: [Lane]
    /// The facts that a `result` of this client can hold; nil: all, so that what is missing there was not there.
    public var facts: [FactKey]?
    /// What this client has; nil: everything that its lanes do not rule out.
    public var abilities: Set<Ability>?
    /// The adapter that drove the client, as ledgers name it; nil when it does not say.
    public var adapter: String?
    /// As the adapter says it.
    public var adapterVersion: String?
    /// The id of the scenario.
    public var scenario: String?
    /// The name of the case in it.
    public var caseName: String?
    /// The run on the server.
    public var run: String?

    /// The version of the format that this module writes, and the highest it reads.
    public static let currentVersion = 1

    /// All lanes, when nothing is known of them.
    public init(
        client: String? = nil, clientVersion: String? = nil, isMonotonic: Bool = true, lanes: [Lane] = Lane.allCases,
        facts: [FactKey]? = nil, abilities: Set<Ability>? = nil, adapter: String? = nil, adapterVersion: String? = nil,
        scenario: String? = nil, caseName: String? = nil, run: String? = nil
    ) {
        self.client = client
        self.clientVersion = clientVersion
        self.isMonotonic = isMonotonic
        self.lanes = lanes
        self.facts = facts
        self.abilities = abilities
        self.adapter = adapter
        self.adapterVersion = adapterVersion
        self.scenario = scenario
        self.caseName = caseName
        self.run = run
    }
}
