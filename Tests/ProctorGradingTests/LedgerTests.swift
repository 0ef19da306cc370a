import Foundation
import ProctorBase
import ProctorEvents
import Testing

@testable import ProctorGrading
@testable import ProctorNotation

/// Known deviations: read from YAML, and applied to verdicts.
struct LedgerTests {
    static func ledger(_ text: String) throws -> Ledger {
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "clients/curl.yaml")
        #expect(diagnostics.map { "\($0)" } == [])
        return try #require(ledger)
    }

    static let curl = """
        client: curl
        deviations:
          redirect/304#follow:
            rule: RFC 9110 §15.4.5
            because: follows any 3xx with a Location
            wire: request(GET /a) request(GET /b)
          redirect/*#follow: { because: follows everything }
          redirect/30*#follow: { because: follows 30x }
          plain/get#reuse: { because: opens a second connection }
          gone/case#x: { because: it was once so }
        """

    static let failed = WireVerdict(outcome: .fail)
    static let passed = WireVerdict(outcome: .pass)

    @Test func `the model holds what the file says`() throws {
        let ledger = try Self.ledger(Self.curl)
        #expect(ledger.client == "curl")
        #expect(ledger.deviations.count == 5)
        let first = ledger.deviations[0]
        #expect(first.pattern == "redirect/304#follow")
        #expect(first.rule == "RFC 9110 §15.4.5")
        #expect(first.because == "follows any 3xx with a Location")
        #expect(first.wire?.text == "request(GET /a) request(GET /b)")
        #expect(first.location.description == "clients/curl.yaml:3:3")
        #expect(ledger.deviations[1].rule == nil)
        #expect(ledger.deviations[1].isPrefix)
    }

    @Test func `a ledger speaks of the version it was written for`() throws {
        let ledger = try Self.ledger("{ client: curl, version: 7.88 }")
        #expect(ledger.version == "7.88")
        #expect(ledger.speaks(ofVersion: "7.88") && ledger.speaks(ofVersion: "7.88.1"))
        #expect(!ledger.speaks(ofVersion: "7.880") && !ledger.speaks(ofVersion: "7.8") && !ledger.speaks(ofVersion: ""))
        #expect(try Self.ledger("client: curl").speaks(ofVersion: "8.5.0"))
    }

    @Test func `an entry may be of some versions of the client`() throws {
        let ledger = try Self.ledger(
            "client: requests\nversion: \"2.28\"\ndeviations: { a/b#c: { because: x, versions: \">=2.28 <2.31\" }, a/b#d: { because: y } }"
        )
        let id = CaseID(scenario: "a/b", name: "c")
        for version in ["2.28", "2.28.1", "2.30.9", "unknown"] {
            #expect(ledger.deviation(for: id, ofVersion: version) != nil, "\(version)")
        }
        for version in ["2.27.9", "2.31", "2.31.0", "3"] {
            #expect(ledger.deviation(for: id, ofVersion: version) == nil)
        }
        #expect(ledger.deviation(for: id) != nil)
        let other = try #require(ledger.deviation(for: CaseID(scenario: "a/b", name: "d")))
        #expect(ledger.mustHappen(other, inVersion: "2.28.5") && !ledger.mustHappen(other, inVersion: "2.34"))
        #expect(ledger.mustHappen(other, inVersion: nil) && ledger.mustHappen(ledger.deviations[0], inVersion: "2.34"))
    }

    @Test func `a range of versions has up to four bounds of numbers`() {
        for text in ["2", "<=7.88", ">2 <3", ">=1.0 <2 >1 <=1.9"] {
            #expect(VersionRange(parsing: text) != nil, "\(text)")
        }
        for text in ["", " ", "a", ">=", "=2", "2.", "2..1", "2.x", "< 2", "1 2 3 4 5", "99999999999999999999"] {
            #expect(VersionRange(parsing: text) == nil, "\(text)")
        }
        let above = VersionRange(parsing: ">2.28")
        #expect(above?.contains("2.28.1") == false && above?.contains("2.29") == true)
        let upTo = VersionRange(parsing: "<=2.28")
        #expect(upTo?.contains("2.28.9") == true && upTo?.contains("2.29rc1") == false)
        let diagnostics = Ledger.parse(
            Array("client: a\ndeviations: { a/b#c: { because: x, versions: new } }".utf8), file: "l.yaml"
        ).diagnostics
        #expect("\(diagnostics)".contains(#""new" is no range of versions"#), "\(diagnostics)")
    }

    @Test func `the entry that speaks of a case most exactly is taken`() throws {
        let ledger = try Self.ledger(Self.curl)
        let pattern = { (scenario: String, name: String) in
            ledger.deviation(for: CaseID(scenario: scenario, name: name))?.pattern
        }
        #expect(pattern("redirect/304", "follow") == "redirect/304#follow")
        #expect(pattern("redirect/301", "follow") == "redirect/30*#follow")
        #expect(pattern("redirect/loop", "follow") == "redirect/*#follow")
        #expect(pattern("redirect/304", "refuse") == nil)
        #expect(pattern("redirects", "follow") == nil)
        #expect(pattern("plain/get-2", "reuse") == nil)
    }

    @Test func `a listed deviation is known only when it deviates as listed`() throws {
        var audit = LedgerAudit(try Self.ledger(Self.curl))
        let id = CaseID(scenario: "redirect/304", name: "follow")
        let known = try #require(audit.ledger.deviation(for: id))
        #expect(audit.judge(id, Self.failed, entries: try JournalScript.of("GET /a", "GET /b")) == .known(known))
        let other = audit.judge(id, Self.failed, entries: try JournalScript.of("GET /a", "GET /c"))
        guard case .changed(known, let diagnosis) = other else {
            Issue.record("judged \(other)")
            return
        }
        #expect(diagnosis.sentence == "got request(GET /c), wanted request(GET /b)")
        #expect(other.isFailure)
    }

    @Test func `a listed deviation that no longer happens is fixed`() throws {
        var audit = LedgerAudit(try Self.ledger(Self.curl))
        let id = CaseID(scenario: "plain/get", name: "reuse")
        let listed = try #require(audit.ledger.deviation(for: id))
        #expect(audit.judge(id, Self.passed, entries: []) == .fixed(listed))
        #expect(audit.fixed == [listed])
        #expect(audit.unseen.count == 4)
    }

    @Test func `an entry with a star is fixed only when none of its cases deviates`() throws {
        var audit = LedgerAudit(try Self.ledger(Self.curl))
        let (loop, chain) = (
            CaseID(scenario: "redirect/loop", name: "follow"), CaseID(scenario: "redirect/chain", name: "follow")
        )
        #expect(audit.judge(loop, Self.passed, entries: []) == .asExpected)
        #expect(audit.fixed.map(\.pattern) == ["redirect/*#follow"])
        #expect(!audit.judge(chain, Self.failed, entries: []).isFailure)
        #expect(audit.fixed.isEmpty)
    }

    @Test func `a failure that is not listed stays a failure`() throws {
        var audit = LedgerAudit(try Self.ledger("client: curl"))
        let id = CaseID(scenario: "plain/get", name: "reuse")
        #expect(audit.judge(id, Self.failed, entries: []) == .unlisted)
        #expect(audit.judge(id, Self.passed, entries: []) == .asExpected)
        #expect(audit.judge(id, WireVerdict(outcome: .observed), entries: []) == .asExpected)
        #expect(audit.judge(id, WireVerdict(outcome: .setupFailed("x")), entries: []) == .notJudged)
        #expect(id.description == "plain/get#reuse")
    }

    @Test func `everything that is wrong with a file is told with its place`() {
        let text = """
            clinet: curl
            deviations:
              redirect/304: { because: x }
              redirect/*4#follow: { because: x }
              "#follow": { because: x }
              a#b: { rule: x }
              c#d: { because: "", wire: request(GET) }
              e#f: text
              g#h: { because: x, why: y }
            """
        let (ledger, diagnostics) = Ledger.parse(Array(text.utf8), file: "c.yaml")
        #expect(ledger == nil)
        #expect(
            diagnostics.map { "\($0)" } == [
                #"c.yaml:1:1: error: unknown key "clinet" in a ledger; did you mean "client"?"#,
                #"c.yaml:1:1: error: a ledger needs the key "client""#,
                ##"c.yaml:3:3: error: "redirect/304" is not a scenario, '#' and a case: redirect/302#follow"##,
                "c.yaml:4:3: error: '*' stands only at the end of the scenario: redirect/*#follow",
                ##"c.yaml:5:3: error: "#follow" is not a scenario, '#' and a case: redirect/302#follow"##,
                #"c.yaml:6:8: error: a deviation needs the key "because""#,
                "c.yaml:7:19: error: expected a reason, found empty text",
                "c.yaml:7:37: error: 'GET' is not a method, one space and a target; write request(GET /a), "
                    + "and several in full: request(GET /a|HEAD /a)",
                #"c.yaml:8:8: error: expected a deviation as a mapping, found "text""#,
                #"c.yaml:9:22: error: unknown key "why" in a deviation; known keys: rule, because, wire, rules, outcome, facts, fields, lanes, sometimes, versions"#,
            ])
    }

    @Test func `deviations that are no mapping are refused`() {
        let (ledger, diagnostics) = Ledger.parse(Array("client: curl\ndeviations: [a]\n".utf8), file: "c.yaml")
        #expect(ledger == nil)
        #expect(
            diagnostics.map { "\($0)" } == [
                "c.yaml:2:13: error: expected deviations as a mapping from case to reason, found a list"
            ])
    }
}

/// The ledger that Docs/adapters.md shows.
struct LedgerDocTests {
    @Test func `the ledger of a client that is never asked can be read`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("Docs/adapters.md"), encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\nclient:"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        let ledger = try LedgerTests.ledger("client:" + page[start.upperBound..<end.lowerBound])
        #expect(ledger.never.map(\.rule) == [RuleNumber(18), RuleNumber(18)])
    }
}
