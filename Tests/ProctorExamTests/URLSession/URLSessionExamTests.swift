#if os(Linux)
    import ProctorExam
    import ProctorGrading
    import ProctorRules
    import ProctorTestSupport
    import Testing

    /// The verdicts on this machine's URLSession: as its ledger says, and as was observed before there was a ledger.
    @Suite(.timeLimit(.minutes(10)))
    struct URLSessionExamTests {
        @Test func `every case is passed or known`() async throws {
            let walk = try await URLSessionWalk.shared.value
            let report = walk.report
            let summary = report.summary()
            #expect(report.clientVersion != nil, "no adapter wrote a header")
            #expect(report.verdicts.count > 700, "\(summary)")
            guard walk.speaks else { return print(summary) }
            guard report.isFailure else { return print(report.tally) }
            let faults = report.verdicts.filter(\.outcome.isFailure).map(\.description).joined(separator: "\n\n")
            Issue.record("\(summary)\n\n\(faults)")
        }

        @Test func `verdicts agree with what was observed, row by row`() async throws {
            let walk = try await URLSessionWalk.shared.value
            let rows = walk.rows
            #expect(rows.count >= 90)
            #expect(Set(rows.map(\.testDescription)).count == rows.count, "a row stands twice")
            guard walk.speaks else { return }
            var agreeing = 0
            for row in rows {
                guard let verdict = walk.verdict(row.id) else {
                    Issue.record("\(row.testDescription): was not asked")
                    continue
                }
                switch (row.difference(from: verdict), row.difference) {
                case (nil, nil): agreeing += 1
                case (let seen?, nil): Issue.record("\(row.testDescription): \(seen)\n\(verdict)")
                case (nil, let listed?):
                    Issue.record("\(row.testDescription): agrees now; it is listed as: \(listed)")
                case (_?, _?): break
                }
            }
            print("yardstick: \(agreeing) of \(rows.count) rows agree, the others differ as listed")
            #expect(agreeing >= 90)
        }

        @Test func `a deviation that is taken out of the ledger fails, and one that does not happen is fixed`()
            async throws
        {
            let ledger = try Ledger.of(
                """
                client: urlsession-corelibs
                platform: corelibs-6.3
                deviations:
                  plain/get#get:
                    because: it does not happen
                    rules: [R12]
                """)
            let (platform, _) = Platform.parse(
                try Checkout.bytes("clients/platforms/corelibs-6.3.yaml"), file: "corelibs-6.3.yaml")
            let known = try #require(platform)
            try await ExamBench.with { bench in
                let adapter = Adapter(
                    command: [BuiltProduct.urlSessionClient], environment: ["PATH": "/usr/bin:/bin", "HOME": "/tmp"])
                let examiner = Examiner(server: bench.server, adapter: adapter, platform: known, ledger: ledger)
                let unlisted = try await bench.sit("auth/basic/empty-password", "use", with: examiner)
                #expect(unlisted.verdict.outcome == .fail, "\(unlisted.verdict)")
                #expect(unlisted.timeline.description.contains("challenge(basic)"))
                let fixed = try await bench.sit("plain/get", "get", with: examiner)
                #expect(fixed.verdict.outcome == .fixed, "\(fixed.verdict)")
            }
        }
    }
#endif
