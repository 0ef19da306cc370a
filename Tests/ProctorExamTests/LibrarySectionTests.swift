import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorScenario
import ProctorServer
import Testing

@testable import ProctorRules

/// What findings about the shipped library rest on.
struct LibrarySectionTests {
    @Test func `every case rests on a section or a rule, so that every finding does`() throws {
        let loaded = ExamBench.library
        try #require(loaded.isClean, "\(loaded.diagnostics)")
        var without: [String] = []
        for scenario in loaded.scenarios {
            for item in scenario.sittings where (item.spec.isEmpty ? scenario.spec : item.spec).isEmpty {
                without.append("\(scenario.id)#\(item.name)")
            }
        }
        #expect(without.isEmpty, "cases without spec: \(without.joined(separator: ", "))")
    }

    @Test(arguments: [
        ("digest RFC 7616", "auth/digest/"), ("timeout", "time/"), ("rate limit", "example/rate-limit"),
        ("pagination", "example/pages"), ("login", "cookie/login-and-logout"), ("upload", "upload/"),
        ("retry", "h2/retry/"),
    ])
    func `what people search for is among the twenty that are shown`(_ row: (words: String, id: String)) {
        let found = Self.search.find(ScenarioSearch.Question(row.words)).prefix(20).map(\.id)
        #expect(found.contains { $0.hasPrefix(row.id) }, "\(found)")
    }

    private static let search = ScenarioSearch(ExamBench.library.scenarios)

    @Test func `every RFC and every WHATWG standard has a link, and every rule exists`() throws {
        for scenario in ExamBench.library.scenarios {
            for text in scenario.spec + scenario.cases.flatMap(\.spec) {
                let reference = SpecReference(text)
                if text.hasPrefix("RFC") || text.hasPrefix("Fetch") || text.hasPrefix("URL Standard") {
                    #expect(reference.link != nil, "\(scenario.id): \(text)")
                }
                if text.hasPrefix("callback rule R") {
                    let number = Int(text.dropFirst("callback rule R".count).prefix { $0.isNumber })
                    #expect(number.map { Rules.numbers.contains($0) } == true, "\(scenario.id): \(text)")
                }
            }
        }
    }

    /// A finding that has no section of its own has those of its case.
    @Test func `each finding about a broken client has a section`() async throws {
        try await ExamBench.with { bench in
            for script in ["exit 0", "echo '\(Self.header)'"] {
                let sitting = try await bench.sit(
                    "plain/get", "get", with: bench.examiner(script: script))
                #expect(sitting.record.spec.map(\.section) == ["RFC 9110 §9.3.1"])
                #expect(sitting.record.findings.allSatisfy { !$0.spec.isEmpty }, "\(sitting.record.findings)")
                #expect(sitting.record.cause != nil && sitting.record.curl?.hasPrefix("proctor run plain/get ") == true)
            }
        }
    }

    private static let header =
        #"{"trace":"proctor","version":1,"client":"x","clock":"monotonic","unit":"ns","lanes":["task","harness"]}"#
}

/// Patterns of the command line.
struct CaseSelectionTests {
    private func ids(_ patterns: [String]) throws -> [String] {
        try CaseSelection(patterns, among: ExamBench.library.scenarios).cases.map {
            "\($0.scenario.id)#\($0.item.name)"
        }
    }

    @Test func `a star is any text, and a question mark any character`() throws {
        let all = try ids([])
        #expect(try ids(["*"]) == all && ids(["*#*"]) == all)
        #expect(try ids(["plain/"]) == all.filter { $0.hasPrefix("plain/") })
        #expect(try ids(["plain"]) == all.filter { $0.hasPrefix("plain/") })
        #expect(try ids(["pl?in/get#get"]) == ["plain/get#get"])
        #expect(try ids(["*#*@download"]) == all.filter { $0.hasSuffix("@download") })
        #expect(
            try ids(["redirect/#*@download"]) == all.filter { $0.hasPrefix("redirect/") && $0.hasSuffix("@download") })
        #expect(try ids(["*/302-*#fol*w"]).allSatisfy { $0.contains("/302-") && $0.hasSuffix("w") })
        #expect(try ids(["*/302-*#fol*w"]).isEmpty == false)
        #expect(throws: CaseSelection.Failure.self) { try ids(["plain/get#g?"]) }
    }

    @Test(arguments: [1, 2, 7, 1_000])
    func `shards are disjoint and together whole`(count: Int) throws {
        let whole = try CaseSelection([], among: ExamBench.library.scenarios)
        func names(_ selection: CaseSelection) -> [String] {
            selection.cases.map { "\($0.scenario.id)#\($0.item.name)" }
        }
        let parts = (1...count).flatMap { names(whole.shard($0, of: count)) }
        #expect(parts.count == whole.cases.count && Set(parts) == Set(names(whole)))
    }
}
