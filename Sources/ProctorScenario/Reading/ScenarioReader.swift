import ProctorBase
import ProctorDocument

/// Turns the nodes of one file into a scenario; every function reports what is wrong and goes on.
struct ScenarioReader {
    let file: FixtureFile
    let sink: DiagnosticSink
    /// Names by index, `main` first; known before anything else is read.
    var origins = ["main"]

    let fingerprint: Fingerprint
    let literals = LiteralBudget()
    /// Complete before cases are read.
    let guards = GuardTable()
    /// Those that do not speak what their scheme says; known before cases are read.
    var contraryOrigins: [String] = []
    /// Whether any origin speaks TLS; known before cases are read.
    var speaksTLS = false
    /// The profiles of origins' certificates; known before cases are read.
    var certificates: [String] = []
    /// Complete once exchanges are read.
    let turnGroups = TurnGroups()
    /// Of origins, by index; known before cases are read.
    var roles: [Origin.Role] = []
    /// The origin of the effects that are read now, where it speaks no TLS; nil: it does, or is not known.
    var plainOrigin: String?
    /// Complete after cases are read.
    let identities = MentionList()
    /// Complete once the origins are read.
    let unclearOrigins = UnclearOrigins()
    /// Whether the program that is read now sends its requests to a proxy.
    var goesThroughProxy = false
    /// Whether any origin has a name, so that a client is told where names stand; known before cases are read.
    var hasNames = false
    /// Whether the origin of the exchange that is read now is a proxy.
    var isOfProxy = false
    /// Whether targets come to that origin which do not begin with a slash.
    var takesAnyTarget = false
    /// Whether nothing but CONNECT comes to the exchange that is read now.
    var isOfConnect = false

    init(file: FixtureFile, sink: DiagnosticSink, fingerprint: Fingerprint) {
        self.fingerprint = fingerprint
        self.file = file
        self.sink = sink
    }

    static let keys = ["summary", "spec", "sequence", "origins", "guards", "auth", "exchanges", "cases"]

    /// nil, or not to be used, after a diagnostic.
    mutating func scenario(from root: Node) -> Scenario? {
        guard let reader = MappingReader(root, "a scenario", keys: Self.keys, sink: sink) else { return nil }
        origins = originNames(reader["origins"])
        let summary = reader.required("summary").flatMap { sink.nonEmptyText($0, "a summary") }
        let spec = specs(reader["spec"])
        let sequence = reader["sequence"].flatMap { sink.choice($0, "a sequence", among: Scenario.Sequence.self) }
        let origins = self.origins(reader["origins"], scenario: root)
        roles = origins.map(\.role)
        speaksTLS = origins.contains { $0.tls != nil }
        certificates = Array(Set(origins.compactMap(\.tls?.certificate))).sorted()
        hasNames = origins.contains { $0.hostName != nil || unclearOrigins.contains($0) }
        contraryOrigins = origins.filter { ($0.scheme == .https) != ($0.tls != nil) }.map(\.name)
        // A guard that is named can be asked for at any origin.
        plainOrigin = origins.contains { $0.tls != nil } ? nil : origins.first?.name
        let exchanges = guarded(reader) { usual in
            self.exchanges(reader.required("exchanges"), origins: origins, usualGuards: usual)
        }
        turnGroups.check(sequence ?? .free, sink)
        let cases = self.cases(reader["cases"]).map { $0.completed(origins: origins, exchanges: exchanges) }
        for item in cases { SourceCheck(spec: spec, sink: sink).check(item) }
        guard sink.diagnostics.isEmpty, let summary else { return nil }
        let found = Reachability(sequence: sequence ?? .free, exchanges: exchanges).diagnostics()
        for diagnostic in found { sink.report(diagnostic) }
        return Scenario(
            id: file.id, location: root.location, summary: summary, spec: spec, sequence: sequence ?? .free,
            origins: origins, guards: guards.all, exchanges: exchanges, cases: cases,
            rootReason: RootFinder(origins: origins, guards: guards.all, exchanges: exchanges).reason(),
            identityNames: identities.all, fingerprint: fingerprint.value)
    }

    /// `spec:` as one text or a list.
    func specs(_ node: Node?) -> [String] {
        guard let node else { return [] }
        return sink.texts(node, "a document and its section", limit: Bounds.specs).map(\.text)
    }

    private func exchanges(_ node: Node?, origins: [Origin], usualGuards: UsualGuards) -> [Exchange] {
        guard let node, let items = sink.list(node, "exchanges", limit: Bounds.exchanges) else { return [] }
        if items.isEmpty, origins.contains(where: \.expectsRequests) {
            sink.report(
                node, "a scenario needs at least one exchange",
                hint: "only origins with another role than server, with connections: effects or with TLS can do without"
            )
        }
        return items.enumerated().compactMap {
            exchange($0.element, index: $0.offset, origins: origins, usualGuards: usualGuards)
        }
    }

    private func cases(_ node: Node?) -> [Case] {
        guard let node else { return [] }
        guard let entries = node.entries else {
            sink.report(node, "expected cases as a mapping from name to case, found \(node.found)")
            return []
        }
        guard entries.count <= Bounds.cases else {
            sink.report(node, "there are \(entries.count) cases; at most \(Bounds.cases) are permitted")
            return []
        }
        return entries.compactMap(self.case)
    }
}

extension Origin {
    /// Whether requests are sure to come: no handshake can fail before them, and nothing is done to connections.
    fileprivate var expectsRequests: Bool { role.refusal == nil && connectionEffects.isEmpty && tls == nil }
}
