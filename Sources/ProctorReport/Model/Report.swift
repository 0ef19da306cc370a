internal import ProctorBase
package import ProctorGrading
internal import ProctorScenario

/// The exams of several clients, arranged for a site: families, their scenarios, their cases, each with a mark of each
/// client.
package struct Report: Sendable {
    /// In the order in which they were given; their names differ.
    package let clients: [Client]
    /// Sorted by name.
    let families: [Family]
    /// What failed cases share, most cases first.
    let causes: [Cause]
    private let byID: [CaseID: Item]

    package struct Client: Sendable {
        package let header: ExamHeader
        /// The name of its page and of its section on others.
        let slug: String

        package var name: String { header.client }
    }

    struct Family: Sendable {
        /// The ids of its scenarios without their last segment.
        let name: String
        /// Sorted by id.
        let scenarios: [Scenario]

        var cases: some Sequence<Item> { scenarios.lazy.flatMap(\.cases) }
    }

    struct Scenario: Sendable {
        let id: String
        let cases: [Item]
    }

    /// A case with the records of all clients that have one.
    struct Item: Sendable {
        let id: CaseID
        /// One for each client, nil where the client's exam does not have the case; at least one is not nil.
        let records: [CaseRecord?]

        /// What every record says of the case itself.
        var first: CaseRecord { records.lazy.compactMap { $0 }.first ?? CaseRecord(id: id, kind: .must, outcome: "") }

        var summary: String? { records.lazy.compactMap { $0?.summary }.first }
    }

    struct Cause: Sendable {
        let cause: FailureCause
        /// The clients and cases that fail by it, in the order of the report.
        let places: [(client: Int, case: CaseID)]
        /// Of the clients whose ledger says what their project knows of it.
        let upstream: [(client: Int, report: UpstreamReport)]
        /// How many places no ledger lists.
        let newCount: Int
        /// The smallest case.
        let example: CaseID

        func upstream(of client: Int) -> UpstreamReport? { upstream.first { $0.client == client }?.report }
    }
}

extension Report {
    /// Arranges exams; of two records of one client and case the later one counts.
    ///
    /// Exams of clients with the same name are one: shards of it, or a later run of some cases.
    package init(_ exams: [ExamRecord]) {
        var slugs = PathSegments(reserved: CasePage.ids)
        let byClient = exams.grouped { $0.header.client }
        clients = byClient.map { name, exams in
            Client(header: exams[exams.count - 1].header, slug: slugs.segment(for: name))
        }
        var records: [CaseID: [CaseRecord?]] = [:]
        var order: [CaseID] = []
        for (client, group) in byClient.enumerated() {
            for record in group.elements.lazy.flatMap(\.cases) {
                if records[record.id] == nil { order.append(record.id) }
                records[record.id, default: Array(repeating: nil, count: byClient.count)][client] = record
            }
        }
        let scenarios = order.grouped(by: \.scenario).sorted { $0.key < $1.key }.map { id, cases in
            Scenario(id: id, cases: cases.map { Item(id: $0, records: records[$0] ?? []) })
        }
        families = scenarios.grouped { Self.family(of: $0.id) }.sorted { $0.key < $1.key }.map {
            Family(name: $0.key, scenarios: $0.elements)
        }
        causes = Self.causes(of: families)
        byID = Dictionary(uniqueKeysWithValues: families.flatMap(\.cases).map { ($0.id, $0) })
    }

    static func family(of scenario: String) -> String {
        let segments = scenario.split(separator: "/").dropLast()
        return segments.isEmpty ? "scenarios" : segments.joined(separator: "/")
    }

    private static func causes(of families: [Family]) -> [Cause] {
        var places: [String: [(client: Int, record: CaseRecord)]] = [:]
        for item in families.lazy.flatMap(\.cases) {
            for (client, record) in item.records.enumerated() {
                guard let record, let cause = record.cause else { continue }
                places[cause, default: []].append((client, record))
            }
        }
        return places.map { Cause(FailureCause(key: $0.key), $0.value) }.sorted {
            ($1.places.count, $0.cause.key) < ($0.places.count, $1.cause.key)
        }
    }

    var items: [Item] { families.flatMap(\.cases) }
}

extension Report {
    func record(of id: CaseID, client: Int) -> CaseRecord? { byID[id].flatMap { $0.records[client] } }
}

extension Report.Cause {
    /// `records` is not empty.
    fileprivate init(_ cause: FailureCause, _ records: [(client: Int, record: CaseRecord)]) {
        self.cause = cause
        places = records.map { ($0.client, $0.record.id) }
        upstream = records.grouped { $0.client }.compactMap { client, own in
            own.lazy.compactMap(\.record.upstream).first.map { (client, $0) }
        }
        newCount = records.count { $0.record.outcome != "known" }
        example = (records.map(\.record).smallest ?? records[0].record).id
    }
}

extension OutcomeCounts {
    /// How one client did in some cases of one kind.
    static func of(_ client: Int, _ kind: Case.Kind, _ items: some Sequence<Report.Item>) -> OutcomeCounts {
        items.reduce(into: OutcomeCounts()) { counts, item in
            guard let record = item.records[client], record.kind == kind else { return }
            counts.count(record.outcome)
        }
    }
}
