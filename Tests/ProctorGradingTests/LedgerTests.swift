import Foundation
import ProctorBase
import ProctorEvents
import ProctorReport
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

    private static let upstream = """
        client: requests
        upstream:
          "credential: wrong-quoting":
            issue: https://github.com/psf/requests/issues/5745
            state: open
            date: 2026-11-25
            says: algorithm and qop are quoted
          "end of a load: wanted an error, got ok":
            { state: unreported, date: 2026-11-24, says: too short a body is whole }
          "end of a load: wanted an error, got ok · RFC 9112 §9.8":
            { issue: "https://example.org/2", state: closed, date: 2026-11-24, says: close_notify is not asked for }
        """

    @Test func `a ledger says what a project knows of a cause, or of every cause of a kind`() throws {
        let ledger = try Self.ledger(Self.upstream)
        let quoting = try #require(ledger.upstream(of: FailureCause(key: "credential: wrong-quoting")))
        #expect(quoting.state == .open && quoting.issue == "https://github.com/psf/requests/issues/5745")
        #expect(quoting.date == "2026-11-25" && quoting.says == "algorithm and qop are quoted")
        #expect(quoting.text == "reported: https://github.com/psf/requests/issues/5745 (2026-11-25)")
        let end = "end of a load: wanted an error, got ok"
        #expect(ledger.upstream(of: FailureCause(key: "\(end) · RFC 9112 §8"))?.state == .unreported)
        #expect(ledger.upstream(of: FailureCause(key: "\(end) · RFC 9112 §9.8"))?.state == .closed)
        #expect(ledger.upstream(of: FailureCause(key: "credential: wrong-uri")) == nil)
        let met: Set = [FailureCause(key: "\(end) · RFC 9112 §8")]
        #expect(
            ledger.unmet(by: met) == [
                #"clients/curl.yaml:3:3: no failure has the cause "credential: wrong-quoting" that upstream names"#,
                #"clients/curl.yaml:10:3: no failure has the cause "\#(end) · RFC 9112 §9.8" that upstream names"#,
            ])
    }

    @Test func `a verdict and its record have what the ledger says of the cause`() throws {
        let ledger = try Self.ledger(
            "{ client: c, upstream: { 'fact status': { state: unreported, date: 2026-11-25, says: so } } }")
        let item = try makeCase(facts: [("status", "404")])
        let verdict = try grade(item, "resume response(200) data{n=1} complete(ok)", ledger: ledger)
        let report = UpstreamReport(state: .unreported, issue: nil, date: "2026-11-25", says: "so")
        #expect(verdict.upstream == report && CaseRecord(verdict).upstream == report)
        #expect(CaseRecord(verdict).cause == "fact status")
        let other = try makeCase(facts: [("mime", "a/b")])
        let unlike = try grade(other, "resume response(200){mime=x/y} data{n=1} complete(ok)", ledger: ledger)
        #expect(unlike.upstream == nil)
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
}

/// The ledgers that Docs/clients/adapters.md and ledgers.md show.
struct LedgerDocTests {
    private static func ledger(of name: String) throws -> (ledger: Ledger, page: String) {
        let path = URL(filePath: #filePath).appending(path: "../../../Docs/clients/\(name).md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        let start = try #require(page.range(of: "```yaml\nclient:"))
        let end = try #require(page.range(of: "\n```", range: start.upperBound..<page.endIndex))
        return (try LedgerTests.ledger("client:" + page[start.upperBound..<end.lowerBound]), page)
    }

    @Test func `the ledger of a client that is never asked can be read`() throws {
        let ledger = try Self.ledger(of: "adapters").ledger
        #expect(ledger.never.map(\.rule) == [RuleNumber(18), RuleNumber(18)])
    }

    @Test func `the ledger of the page on ledgers can be read, and the page has each key`() throws {
        let (ledger, page) = try Self.ledger(of: "ledgers")
        #expect(ledger.rules.count == 1 && ledger.never.count == 1 && ledger.deviations.count == 2)
        for key in LedgerReader.keys + LedgerReader.entryKeys { #expect(page.contains("`\(key)`"), "\(key)") }
    }
}
