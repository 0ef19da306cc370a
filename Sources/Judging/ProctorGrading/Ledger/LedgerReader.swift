import ProctorBase
public import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorRules
import ProctorScenario

extension Ledger {
    /// Reads `clients/<client>.yaml`; a file with an error gives no ledger.
    ///
    /// `file` is the name that messages use.
    ///
    ///     client: urlsession-corelibs
    ///     version: "6.3"
    ///     adapter: proctor-client-urlsession       # used when this was written
    ///     adapterVersion: "1"
    ///     platform: corelibs-6.3
    ///     rules: { R41: no metrics at all }        # in every case
    ///     never:                                   # never reported; counts as seen when a case expects it
    ///       challenge(serverTrust): the method is never called
    ///     upstream:                                # what its project says about a cause, by the cause's key
    ///       "callback fact realm":
    ///         issue: https://github.com/swiftlang/swift-corelibs-foundation/issues/2
    ///         state: open                          # open, fixed, closed; or unreported, without an issue
    ///         date: 2026-11-25                     # when it was read
    ///         says: the realm is lower case
    ///     deviations:
    ///       body/half-a-head#get:
    ///         because: a head that breaks off is taken as it came
    ///         causes: "end of a load: wanted an error, got ok"   # as records have them, or a list
    ///         also: [body/half-a-status-line#get]  # cases of which the same is true
    ///       auth/basic#use:
    ///         because: the 401 is delivered before the challenge
    ///         rules: [R12]
    ///         lanes: { task: response(401) data+ challenge(basic) response(200) data+ complete(ok) }
    ///       cancel/redirect-answered-late#follow:
    ///         because: https://github.com/swiftlang/swift-corelibs-foundation/issues/1
    ///         outcome: crash                       # or hang
    ///       redirect/307-with-body#follow:
    ///         rule: RFC 9110 §15.4.8
    ///         because: the body is lost
    ///         facts: [body, "wire[1].body"]
    ///         wire: request(POST /a) request(POST /b)
    ///
    /// `fields` are fields of callbacks whose values differ from what the server sent: `[realm, url]`.
    ///
    /// An entry names all that fails by `causes`, `rules`, `outcome`, `facts`, `fields`, `lanes` or `wire`; one that names
    /// nothing is an error. `sometimes: true` is for a deviation that does not happen in every run, `versions: ">=2.28
    /// <2.31"` for one of these versions of the client only (``VersionRange``).
    public static func parse(_ bytes: [UInt8], file: String) -> (ledger: Ledger?, diagnostics: [Diagnostic]) {
        parse(bytes, file: file, permitsNameless: false)
    }

    /// With `permitsNameless`, entries may name nothing: they list no failure, and are there to be written anew.
    package static func parse(
        _ bytes: [UInt8], file: String, permitsNameless: Bool
    ) -> (ledger: Ledger?, diagnostics: [Diagnostic]) {
        let (model, diagnostics) = Document.read(bytes, file: file) {
            LedgerReader(sink: $1, permitsNameless: permitsNameless).ledger($0)
        }
        return (model, diagnostics)
    }
}

/// Builds a ledger from the nodes of its file, and reports every error.
struct LedgerReader {
    let sink: DiagnosticSink
    var permitsNameless = false

    /// The most deviations, more than any library of fixtures has cases.
    private static let mostDeviations = 10_000
    /// The most rules, facts and lanes of one deviation.
    private static let mostParts = 200

    static let keys = [
        "client", "version", "adapter", "adapterVersion", "platform", "rules", "never", "upstream", "invariants",
        "deviations",
    ]

    func ledger(_ root: Node) -> Ledger? {
        guard let reader = MappingReader(root, "a ledger", keys: Self.keys, sink: sink) else { return nil }
        let client = reader.required("client").flatMap { sink.nonEmptyText($0, "the client's name") }
        let version = reader["version"].flatMap { sink.nonEmptyText($0, "a version") }
        let adapter = reader["adapter"].flatMap { sink.nonEmptyText($0, "the adapter's name") }
        let adapterVersion = reader["adapterVersion"].flatMap { sink.nonEmptyText($0, "a version") }
        let platform = reader["platform"].flatMap { sink.nonEmptyText($0, "the name of a platform") }
        let rules =
            reader["rules"].map {
                reasons($0, "rules", of: "rule", limit: Rules.numbers.count, subject: rule)
            } ?? []
        let never =
            reader["never"].map {
                reasons($0, "never", of: "event", limit: Self.mostParts, subject: neverEvent)
            } ?? []
        let upstream = reader["upstream"].map { knownCauses($0) } ?? []
        let invariants =
            reader["invariants"].map {
                reasons($0, "invariants", of: "invariant", limit: Self.mostParts) { name, _ in name }
            } ?? []
        let deviations = reader["deviations"].map { self.deviations($0) } ?? []
        return client.map {
            Ledger(
                client: $0, version: version, adapter: adapter, adapterVersion: adapterVersion, platform: platform,
                rules: rules, never: never, upstream: upstream, invariants: invariants, deviations: deviations)
        }
    }

    private func rule(_ text: String, at node: Node) -> RuleNumber? {
        guard let number = RuleNumber(parsing: text), Rules.numbers.contains(number.value) else {
            sink.report(node, "expected a rule from \(Rules.span), found \(quoted(text))")
            return nil
        }
        return number
    }

    private func deviations(_ node: Node) -> [Ledger.Deviation] {
        guard !node.isNull else { return [] }
        let all = entries(
            node, "deviations as a mapping from case to reason", of: "deviation", limit: Self.mostDeviations
        ).flatMap { deviations(of: $0) }
        var known: [String: SourceLocation] = [:]
        for deviation in all where deviation.versions == nil {
            if let other = known.updateValue(deviation.location, forKey: deviation.pattern) {
                sink.report(
                    deviation.location, "\(quoted(deviation.pattern)) stands in line \(other.line) too",
                    hint: "a case has one entry, or several of other versions")
            }
        }
        return all
    }

    /// The entries of a mapping, which messages call `description`; none when there are more than `limit`.
    private func entries(_ node: Node, _ description: String, of noun: String, limit: Int) -> [Node.Entry] {
        guard let entries = node.entries else {
            sink.report(node, "expected \(description), found \(node.found)")
            return []
        }
        guard entries.count <= limit else {
            sink.report(node, "there are \(entries.count) \(noun)s; at most \(limit) are permitted")
            return []
        }
        return entries
    }

    static let entryKeys = [
        "rule", "because", "causes", "wire", "rules", "outcome", "facts", "fields", "lanes", "sometimes", "versions",
        "also",
    ]

    /// The deviations of an entry, one for each of its cases.
    private func deviations(of entry: Node.Entry) -> [Ledger.Deviation] {
        guard let reader = MappingReader(entry.value, "a deviation", keys: Self.entryKeys, sink: sink) else {
            return []
        }
        let because = reader.required("because").flatMap { sink.nonEmptyText($0, "a reason") }
        let rule = reader["rule"].flatMap { sink.nonEmptyText($0, "a rule") }
        let wire = reader["wire"].flatMap { notation($0, lane: .wire) }
        let isSporadic = reader["sometimes"].flatMap { sink.boolean($0, "sometimes") } ?? false
        let versions = reader["versions"].flatMap { self.versions($0) }
        let parts = parts(reader)
        if parts.isEmpty, wire == nil, !permitsNameless, !Self.namingKeys.contains(where: { reader[$0] != nil }) {
            sink.report(
                entry.keyNode, "the entry does not say what is broken",
                hint: #"write causes: "end of a load: wanted an error, got ok", as 'cause' of records says it, or "#
                    + "facts, fields, rules, lanes, wire or outcome; 'proctor exam --write-ledger' writes it")
        }
        let also =
            reader["also"].map { sink.texts($0, "the name of a case", limit: Self.mostDeviations) } ?? []
        return ([(text: entry.key, node: entry.keyNode)] + also).compactMap { name in
            do throws(LedgerPatternError) {
                return try Ledger.Deviation(
                    pattern: name.text, rule: rule, because: because ?? "", wire: wire, parts: parts,
                    isSporadic: isSporadic, versions: versions, location: name.node.location,
                    entry: entry.keyNode.location)
            } catch {
                sink.report(name.node, error.sentence)
                return nil
            }
        }
    }

    /// The keys that name what is broken; a mistake in the value of one is told for itself.
    private static let namingKeys = ["causes", "wire", "rules", "outcome", "facts", "fields", "lanes"]

    private func versions(_ node: Node) -> VersionRange? {
        guard let text = sink.nonEmptyText(node, "a range of versions") else { return nil }
        guard let range = VersionRange(parsing: text) else {
            sink.report(
                node, "\(quoted(text)) is no range of versions",
                hint: #"write "2.28" for all that begin so, or up to four bounds: ">=2.28 <2.31""#)
            return nil
        }
        return range
    }

    private func parts(_ reader: MappingReader) -> Ledger.Deviation.Parts {
        var parts = Ledger.Deviation.Parts()
        if let node = reader["causes"] {
            parts.causes = sink.texts(node, "a cause", limit: Self.mostParts).compactMap { cause in
                if !cause.text.isEmpty { return FailureCause(key: cause.text) }
                sink.report(cause.node, "a cause is empty", hint: "records have causes under the key 'cause'")
                return nil
            }
        }
        if let node = reader["rules"] {
            parts.rules = sink.texts(node, "a rule", limit: Self.mostParts).compactMap { rule($0.text, at: $0.node) }
        }
        parts.stop = reader["outcome"].flatMap { sink.choice($0, "an outcome") }
        if let node = reader["facts"] {
            parts.facts = sink.texts(node, "the name of a fact", limit: Self.mostParts).compactMap {
                factName($0.text, at: $0.node)
            }
        }
        if let node = reader["fields"] {
            parts.fields = sink.texts(node, "the field of a callback", limit: Self.mostParts).map(\.text)
        }
        if let node = reader["lanes"] { parts.lanes = lanes(node) }
        return parts
    }

    private func factName(_ text: String, at node: Node) -> FactName? {
        do throws(FactNameError) {
            return try FactName(parsing: text)
        } catch {
            sink.report(node, error.sentence, hint: error.hint)
            return nil
        }
    }

    private func lanes(_ node: Node) -> [String: Notation] {
        var lanes: [String: Notation] = [:]
        for entry in entries(node, "lanes as a mapping from lane to expression", of: "lane", limit: Self.mostParts) {
            guard let lane = CaseLane(entry.key), lane.lane != .wire, lane.lane != .harness else {
                let hint =
                    entry.key == "wire"
                    ? #"the requests stand under the deviation's own key "wire""#
                    : "lanes are task, task[1], download, session, proto, protocolClient and handler"
                sink.report(entry.keyNode, "\(quoted(entry.key)) is no lane of a client", hint: hint)
                continue
            }
            if let notation = notation(entry.value, lane: lane.lane) { lanes[lane.key] = notation }
        }
        return lanes
    }

    private func notation(_ node: Node, lane: Lane) -> Notation? {
        guard let text = sink.text(node, "an expression") else { return nil }
        do throws(NotationError) {
            return try Notation(parsing: text, lane: lane)
        } catch {
            sink.report(node.location(ofTextOffset: error.offset), error.sentence)
            return nil
        }
    }

    private func knownCauses(_ node: Node) -> [Ledger.KnownCause] {
        guard !node.isNull else { return [] }
        return entries(node, "upstream as a mapping from cause to report", of: "cause", limit: Self.mostParts)
            .compactMap { entry in
                guard !entry.key.isEmpty else {
                    sink.report(entry.keyNode, "a cause is empty", hint: "records have causes under the key 'cause'")
                    return nil
                }
                return report(entry.value).map {
                    Ledger.KnownCause(
                        cause: FailureCause(key: entry.key), report: $0, location: entry.keyNode.location)
                }
            }
    }

    private func report(_ node: Node) -> UpstreamReport? {
        guard let reader = MappingReader(node, "a report", keys: ["issue", "state", "date", "says"], sink: sink) else {
            return nil
        }
        let state = reader.required("state").flatMap { sink.choice($0, "a state", among: UpstreamReport.State.self) }
        let date = reader.required("date", hint: "when it was read: 2026-11-25").flatMap { day($0) }
        let says = reader.required("says").flatMap { sink.nonEmptyText($0, "a sentence") }
        let issue = reader["issue"].flatMap { address($0) }
        if let state, state == .unreported, let node = reader["issue"] {
            sink.report(node, "what is unreported has no issue", hint: "write open, fixed or closed as its state")
            return nil
        }
        if let state, state != .unreported, reader["issue"] == nil {
            sink.report(
                node, "a report that is \(state.rawValue) needs the key \(quoted("issue"))",
                hint: "write its address, or unreported as its state")
            return nil
        }
        guard let state, let date, let says else { return nil }
        return UpstreamReport(state: state, issue: issue, date: date, says: says)
    }

    private func day(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "a day") else { return nil }
        if UpstreamReport.isDay(text) { return text }
        sink.report(node, "\(quoted(text)) is no day", hint: "write year, month and day: 2026-11-25")
        return nil
    }

    private func address(_ node: Node) -> String? {
        guard let text = sink.nonEmptyText(node, "the address of an issue") else { return nil }
        if ["https://", "http://"].contains(where: { text.hasPrefix($0) && text.count > $0.count }) { return text }
        sink.report(node, "\(quoted(text)) is no address of an issue", hint: "it begins with https://")
        return nil
    }

    private func neverEvent(_ text: String, at node: Node) -> TraceEventSymbol? {
        do throws(NotationError) {
            let event = try NotationSymbol(parsing: text, lane: .task)
            if event.name == EventName.complete.rawValue {
                sink.report(node, "every load ends; what it says then is judged case by case")
                return nil
            }
            switch event.arguments.first {
            case nil: return TraceEventSymbol(event.name)
            case .exact(let argument)? where event.arguments.count == 1: return TraceEventSymbol(event.name, argument)
            default:
                sink.report(node, "expected an event with one argument or none, found \(quoted(text))")
                return nil
            }
        } catch {
            sink.report(node, error.sentence)
            return nil
        }
    }

    /// A mapping from a deviation to its reason; a wrong entry is reported and left out.
    private func reasons<Subject: Sendable & Equatable>(
        _ node: Node, _ key: String, of what: String, limit: Int, subject: (String, Node) -> Subject?
    ) -> [Ledger.Entry<Subject>] {
        if node.isNull { return [] }
        var known: [Ledger.Entry<Subject>] = []
        for entry in entries(node, "\(key) as a mapping from \(what) to reason", of: what, limit: limit) {
            let because = sink.nonEmptyText(entry.value, "a reason")
            guard let subject = subject(entry.key, entry.keyNode), let because else { continue }
            guard !known.contains(where: { $0.subject == subject }) else {
                sink.report(entry.keyNode, "\(quoted(entry.key)) stands here twice")
                continue
            }
            known.append(Ledger.Entry(subject: subject, because: because, location: entry.keyNode.location))
        }
        return known
    }
}
