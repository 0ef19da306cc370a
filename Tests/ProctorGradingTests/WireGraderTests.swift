import ProctorHTTP
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// Verdicts from the journal alone.
struct WireGraderTests {
    @Test func `the requests that are asked for pass`() throws {
        let entries = try JournalScript.requests("POST /form", "GET /done")
        let verdict = WireGrader(try makeCase(wire: "request(POST /form) request(GET /done)")).grade(entries)
        #expect(verdict.outcome == .pass && verdict.findings.isEmpty, "\(verdict)")
        #expect(verdict.description == "pass")
    }

    @Test func `another request fails and is shown where it stands`() throws {
        let entries = try JournalScript.requests("POST /form", "POST /done")
        let verdict = WireGrader(try makeCase(wire: "request(POST /form) request(GET /done)")).grade(entries)
        #expect(verdict.outcome == .fail)
        let finding = try #require(verdict.findings.first)
        #expect(verdict.findings.count == 1)
        #expect(finding.sequence == 4)
        #expect(finding.wanted == "request(POST /form) request(GET /done)")
        #expect(finding.got == "request(POST /form) request(POST /done)")
        #expect(finding.location == place)
        #expect(
            verdict.description == """
                fail: the second request was POST /done; wanted GET /done
                a.yaml:3:5: wire: got request(POST /done), wanted request(GET /done)
                  matched : request(POST /form)
                  then got: request(POST /done)   [event 2]
                  wanted  : request(GET /done)
                  in      : request(POST /form) request(GET /done)
                                                ^
                """)
    }

    @Test func `a request that never came is missing`() throws {
        let entries = try JournalScript.requests("POST /form")
        let verdict = WireGrader(try makeCase(wire: "request(POST /form) request(GET /done)")).grade(entries)
        #expect(verdict.failures.map(\.sentence) == ["wire: the trace ended, missing request(GET /done)"])
        #expect(verdict.failures.first?.sequence == nil)
    }

    @Test func `a target that is no UTF-8 is escaped and one that is stays`() throws {
        let script = try JournalScript.opened("GET /a")
        guard case .requestHead(let head, _) = script.entries[1].event else { return }
        for (target, written) in [([0x2F, 0xE9], "GET /\\\\xE9"), (Array("/ż".utf8), "GET /ż")] as [([UInt8], String)] {
            var entries = script.entries
            entries[1] = JournalEntry(
                sequence: 2, nanoseconds: 0, connection: 0, request: 0, event: .requestHead(head, target: target))
            #expect(WireGrader(try makeCase(wire: #"request("\#(written)")"#)).grade(entries).outcome == .pass)
        }
    }

    @Test func `requests may be interleaved with an ambient expression`() throws {
        let entries = try JournalScript.requests("GET /favicon.ico", "GET /a", "GET /favicon.ico")
        let grade = { (ambient: String?) in
            WireGrader(try makeCase(wire: "request(GET /a)", ambient: ambient)).grade(entries).outcome
        }
        #expect(try grade(nil) == .fail)
        #expect(try grade("request(GET /favicon.ico)*") == .pass)
    }

    @Test func `a case that observes never fails but tells what it saw`() throws {
        let entries = try JournalScript.requests("POST /form")
        let observing = try makeCase(
            kind: .observes, wire: "request(GET /form)", facts: [("wire.count", "2")])
        let verdict = WireGrader(observing).grade(entries)
        #expect(verdict.outcome == .observed)
        #expect(verdict.findings.map(\.weight) == [.observation, .observation])
        #expect(verdict.failures.isEmpty)
        #expect(verdict.findings[1].description == "a.yaml:3:5: observed: wire.count: wanted 2, got 1")
        #expect(WireGrader(try makeCase(kind: .should, wire: "request(GET /form)")).grade(entries).outcome == .fail)
    }

    @Test func `a journal that dropped entries is not judged`() throws {
        let entries = try JournalScript.requests("GET /a")
        let grader = WireGrader(try makeCase(wire: "request(GET /b)"))
        #expect(
            grader.grade(entries, droppedCount: 1)
                == WireVerdict(outcome: .setupFailed("the journal was full and dropped 1 entry")))
        #expect(
            grader.grade(entries, droppedCount: 2).description
                == "setup-failed: the journal was full and dropped 2 entries")
        var script = JournalScript.opened()
        script.skip(3)
        try script.request("GET /a")
        #expect(
            grader.grade(script.entries) == WireVerdict(outcome: .setupFailed("the journal has a gap after entry 1")))
    }

    @Test func `a journal that was emptied before may begin with any entry`() throws {
        var script = JournalScript(firstSequence: 41)
        try script.request("GET /a", on: 7)
        let grader = WireGrader(try makeCase(wire: "request(GET /a)", facts: [("wire[0].connection", "0")]))
        #expect(grader.grade(script.entries).outcome == .pass)
    }

    @Test func `a request that no exchange answers fails the case`() throws {
        var script = JournalScript.opened()
        let request = try script.request("PUT /a")
        script.add(
            .missed(Miss(nearestExchange: 1, differences: ["the method is PUT, wanted GET", "no Cookie"])),
            request: request)
        let verdict = WireGrader(try makeCase()).grade(script.entries)
        #expect(
            verdict.description == """
                fail: the first request was PUT /a, but the method is PUT, wanted GET
                request 0, PUT /a, matches no exchange; nearest is exchange 1: the method is PUT, wanted GET; no Cookie
                """)
        #expect(verdict.findings.first?.sequence == 4)
    }

    @Test func `a fatal violation fails, another one is told`() throws {
        var script = JournalScript.opened()
        let request = try script.request("GET /a")
        script.add(.violation(Violation(.bareLF, at: 3)), request: request)
        let grader = WireGrader(try makeCase(wire: "request(GET /a)"))
        let told = grader.grade(script.entries)
        #expect(told.outcome == .pass)
        #expect(told.findings.map(\.weight) == [.observation])
        #expect(told.findings.first?.got == "bare-lf")
        script.add(.violation(Violation(.badChunkSize, at: 30)), request: request)
        let verdict = grader.grade(script.entries)
        #expect(verdict.outcome == .fail)
        #expect(verdict.findings.map(\.weight) == [.observation, .failure])
        #expect(verdict.failures.first?.sentence.hasPrefix("request 0: bad-chunk-size at byte 30: ") == true)
    }

    @Test func `a violation between requests belongs to its connection`() throws {
        var script = JournalScript.opened()
        script.open(1)
        script.add(.violation(Violation(.tlsHandshake, at: 0)), on: 1)
        let verdict = WireGrader(try makeCase()).grade(script.entries)
        #expect(verdict.outcome == .fail)
        #expect(verdict.failures.first?.sentence.hasPrefix("connection 1: tls-handshake at byte 0: ") == true)
    }

    @Test(arguments: [Violation.Kind.tlsHandshake, .plainHTTP])
    func `a client that believes the scheme of an origin is not at fault where that speaks otherwise`(
        kind: Violation.Kind
    ) throws {
        var script = JournalScript()
        script.open(0, origin: "odd")
        script.add(.violation(Violation(kind, at: 0, detail: [0x16])))
        let verdict = WireGrader(try makeCase(contraryOrigins: ["odd"])).grade(script.entries)
        #expect(verdict.outcome == .pass && verdict.findings.count == 1)
        #expect(WireGrader(try makeCase(contraryOrigins: ["main"])).grade(script.entries).outcome == .fail)
    }

    @Test func `plain HTTP where TLS is spoken is a violation that says what to do`() throws {
        var script = JournalScript.opened()
        script.add(.violation(Violation(.plainHTTP, at: 0, detail: Array("GET / HTTP/1.1".utf8))))
        let verdict = WireGrader(try makeCase()).grade(script.entries)
        #expect(
            verdict.failures.map(\.sentence) == [
                #"connection 0: plain-http at byte 0: the bytes "GET / HTTP/1.1" begin no TLS handshake, but this "#
                    + "port speaks TLS alone; use https:// (RFC 9110 §4.2.2)"
            ])
    }

    @Test func `a client that leaves within its content breaks nothing by that`() throws {
        var script = JournalScript.opened()
        try script.request("POST /a", fields: ["Host: x", "Content-Length: 9"], body: nil)
        script.add(.violation(Violation(.incompleteContent, at: 50)))
        let verdict = WireGrader(try makeCase(wire: "request(POST /a)")).grade(script.entries)
        #expect(verdict.outcome == .pass)
        #expect(verdict.findings.map(\.weight) == [.observation])
        let asked = try makeCase(facts: [("wire[0].violations", "incomplete-content")])
        #expect(WireGrader(asked).grade(script.entries).outcome == .pass)
    }

    @Test func `violations that the case asks for are no finding of their own`() throws {
        var script = JournalScript.opened()
        let request = try script.request("GET /a")
        script.add(.violation(Violation(.badChunkSize, at: 3)), request: request)
        let grade = { (expected: Fact.Expectation) in
            WireGrader(try makeCase(facts: [("wire[0].violations", expected)])).grade(script.entries)
        }
        #expect(try grade(["bad-chunk-size"]).outcome == .pass)
        let verdict = try grade(.absent)
        #expect(verdict.failures.map(\.sentence) == [#"wire[0].violations: wanted nothing, got ["bad-chunk-size"]"#])
        #expect(verdict.findings.count == 1)
    }

    @Test func `facts of the client are left undecided and counted`() throws {
        let asked = try makeCase(facts: [
            ("status", "200"), ("step[1].body", .absent), ("wire.count", .same(.client(step: 0, .status))),
            ("wire.count", "1"),
        ])
        let verdict = WireGrader(asked).grade(try JournalScript.requests("GET /a"))
        #expect(verdict.outcome == .notJudged && verdict.findings.isEmpty)
        #expect(verdict.undecidedFacts == [.client(step: 0, .status), .client(step: 1, .body), .requestCount])
        #expect(verdict.undecidedFactCount == 3)
        #expect(
            verdict.description == "not-judged\nnot judged: how the load ended (the command reports no result)\n"
                + "not judged: status, step[1].body, wire.count (the command reports none)")
    }

    @Test func `late-bound text in a fact stands for the run's own addresses`() throws {
        var script = JournalScript.opened()
        try script.request("GET /a", fields: ["Host: 127.0.0.1:4000", "Referer: http://127.0.0.1:4000/x"])
        let asked = try makeCase(facts: [
            ("wire[0].headers.host", .text(Template(parts: [.authority(0)]))),
            ("wire[0].headers.referer", .text(Template(parts: [.base, .literal(Array("/x".utf8))]))),
        ])
        let context = TemplateContext(
            base: Array("http://127.0.0.1:4000".utf8), authorities: [Array("127.0.0.1:4000".utf8)])
        #expect(WireGrader(asked, context: context).grade(script.entries).outcome == .pass)
        #expect(WireGrader(asked).grade(script.entries).undecidedFactCount == 2)
        let other = TemplateContext(
            base: Array("http://127.0.0.1:5000".utf8), authorities: [Array("127.0.0.1:4000".utf8)])
        #expect(
            WireGrader(asked, context: other).grade(script.entries).failures.map(\.sentence) == [
                #"wire[0].headers.referer: wanted "http://127.0.0.1:5000/x", got "http://127.0.0.1:4000/x""#
            ])
    }
}
