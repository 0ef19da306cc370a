internal import ProctorBase
package import ProctorGrading
internal import ProctorScenario

/// The exams of several clients, arranged for a site: families, their scenarios, and their cases with the record of
/// each client.
package struct Report: Sendable {
    /// The clients, in the order of the exams; their names are unique.
    package let clients: [Client]
    /// The families, sorted by name.
    let families: [Family]
    /// The causes of failures, those with most cases first.
    let causes: [Cause]
    private let byID: [CaseID: Item]

    package struct Client: Sendable {
        package let header: ExamHeader
        /// The name of the client's page, and of its section on other pages.
        let slug: String

        package var name: String { header.client }
    }

    struct Family: Sendable {
        /// The ids of its scenarios without their last segment.
        let name: String
        /// The scenarios, sorted by id.
        let scenarios: [Scenario]

        var cases: some Sequence<Item> { scenarios.lazy.flatMap(\.cases) }
    }

    struct Scenario: Sendable {
        let id: String
        let cases: [Item]
    }

    /// A case, with the records of all clients that have one.
    struct Item: Sendable {
        let id: CaseID
        /// One record for each client, nil when the client's exam does not contain the case; at least one is not nil.
        let records: [CaseRecord?]

        /// A record with the facts about the case itself, which are the same in all records.
        var first: CaseRecord { records.lazy.compactMap { $0 }.first ?? CaseRecord(id: id, kind: .must, outcome: "") }

        var summary: String? { records.lazy.compactMap { $0?.summary }.first }
    }

    struct Cause: Sendable {
        let cause: FailureCause
        /// The clients and cases that failed for this cause, in the order of the report.
        let places: [(client: Int, case: CaseID)]
        /// The reports upstream, for clients whose ledger has one.
        let upstream: [(client: Int, report: UpstreamReport)]
        /// The number of places that no ledger lists.
        let newCount: Int
        /// The number of places where the client was not judged.
        let unjudgedCount: Int
        /// The smallest case.
        let example: CaseID

        var failureCount: Int { places.count - unjudgedCount }

        /// `2 failures, 1 not judged`.
        var counts: String {
            let failures = failureCount == 0 ? nil : Plural.count(failureCount, "failure")
            return [failures, unjudgedCount == 0 ? nil : "\(unjudgedCount) not judged"].compactMap(\.self).joined(
                separator: ", ")
        }

        func upstream(of client: Int) -> UpstreamReport? { upstream.first { $0.client == client }?.report }
    }
}

extension Report {
    /// Arranges exams; of two records about one client and case, the later one counts.
    ///
    /// Exams with the same client name are joined: shards, or a later run of some cases.
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
            ($1.failureCount, $1.places.count, $0.cause.key) < ($0.failureCount, $0.places.count, $1.cause.key)
        }
    }

    var items: [Item] { families.flatMap(\.cases) }
}

extension Report {
    /// What a client was not asked.
    func unasked(by client: Int) -> UnaskedCases {
        UnaskedCases(ExamRecord(header: clients[client].header, cases: items.compactMap { $0.records[client] }))
    }

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
        unjudgedCount = records.count { OutcomeCounts([$0.record.outcome]).failed == 0 }
        newCount = records.count { $0.record.outcome != "known" }
        example = (records.map(\.record).smallest ?? records[0].record).id
    }
}

extension OutcomeCounts {
    /// Counts the outcomes of one client in cases of one kind.
    init(ofClient client: Int, _ kind: Case.Kind, _ items: some Sequence<Report.Item>) {
        self.init(items.compactMap { $0.records[client] }.filter { $0.kind == kind }.map(\.outcome))
    }
}
