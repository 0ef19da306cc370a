#if os(Linux)
    import ProctorExam
    import ProctorGrading
    import ProctorRules
    import ProctorScenario
    import ProctorTestSupport
    import Testing

    /// One walk of this machine's URLSession through the library, for all tests that look at its verdicts.
    struct URLSessionWalk {
        let report: ExamReport
        let ledger: Ledger
        let rows: [YardstickRow]

        /// Everything whose order a client decides; the families of URLProtocol objects have a driver of their own.
        private static let families = [
            "auth", "body", "broken", "cache", "cancel", "canonical", "coding", "cookie", "fault", "host", "interim",
            "multipart", "plain", "proxy", "range", "redirect", "shape", "time", "tls", "upload", "url",
        ]
        /// They take many seconds and say nothing of order: 100 MiB, and a redirect's body that is copied piece by piece.
        private static let leftOut: Set = ["plain/large-body", "redirect/large-body-is-skipped"]

        /// Begun by the first test that asks for it.
        static let shared = Task { try await walk() }

        /// Whether the ledger speaks of the client that was here; of another one nothing is expected.
        var speaks: Bool { report.clientVersion.map { ledger.speaks(ofVersion: $0) } ?? true }

        func verdict(_ id: String) -> CaseVerdict? { report.verdicts.first { $0.id.description == id } }

        private static func walk() async throws -> URLSessionWalk {
            let text = String(
                decoding: try Checkout.bytes("Tests/ProctorExamTests/urlsession-linux.tsv"), as: UTF8.self)
            let rows = try YardstickRow.all(in: text)
            let ledger = try Ledger.of(
                String(decoding: try Checkout.bytes("clients/urlsession-corelibs.yaml"), as: UTF8.self))
            let name = try #require(ledger.platform)
            let (found, diagnostics) = Platform.parse(
                try Checkout.bytes("clients/platforms/\(name).yaml"), file: "\(name).yaml")
            let platform = try #require(found, "\(diagnostics)")
            let report = try await ExamBench.with { bench in
                let scenarios = bench.scenarios.filter { scenario in
                    families.contains { scenario.id.hasPrefix($0 + "/") } && !leftOut.contains(scenario.id)
                }
                // One case of each scenario, and those that were observed; where everything is asked, every case.
                let cases = scenarios.flatMap { scenario in
                    Extent.of(scenario.cases) { _ in scenario.id }.map { "\(scenario.id)#\($0.name)" }
                }
                let patterns = cases + rows.map(\.id)
                let adapter = Adapter(
                    command: [BuiltProduct.urlSessionClient], environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
                let examiner = Examiner(server: bench.server, adapter: adapter, platform: platform, ledger: ledger)
                // URLSession traps now and then whatever it is asked (#3292, #3505, #5469), and the other tests keep the
                // machine busy; what fails again alone, fails.
                return await ExamWalk(examiner, width: 6, retries: 2).run(
                    try CaseSelection(patterns, among: bench.scenarios))
            }
            return URLSessionWalk(report: report, ledger: ledger, rows: rows)
        }
    }
#endif
