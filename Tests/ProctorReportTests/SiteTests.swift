import Foundation
import ProctorBase
import ProctorHTML
import ProctorScenario
import Testing

@testable import ProctorGrading
@testable import ProctorReport

/// The pages of a small exam of two clients.
struct SiteTests {
    @Test func `every link leads to a page, and every anchor to an element`() throws {
        let pages = try Self.pages(Self.exams)
        for (path, text) in pages where path.hasSuffix(".html") {
            for link in Self.values(of: "href", in: text) where !link.hasPrefix("https://") && link != "data:," {
                let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
                let target = parts[0].isEmpty ? path : Self.resolve(parts[0], from: path)
                let page = try #require(pages[target], "\(path) links to \(link)")
                guard parts.count == 2 else { continue }
                #expect(page.contains("id=\"\(parts[1])\""), "\(path) links to \(link)")
            }
        }
    }

    @Test func `ids are unique on a page`() throws {
        for (path, text) in try Self.pages(Self.exams) where path.hasSuffix(".html") {
            let ids = Self.values(of: "id", in: text)
            #expect(Set(ids).count == ids.count, "\(path)")
        }
    }

    @Test func `markup of the pages is not escaped`() throws {
        // Rules have such characters in their text.
        for (path, text) in try Self.pages(Self.exams) where path != SitePath.rules {
            for escaped in ["&lt;", "=&quot;"] { #expect(!text.contains(escaped), "\(path)") }
        }
    }

    @Test func `what clients and fixtures say is text`() throws {
        var exams = Self.exams
        exams[0].cases[0].reason = "<script>alert(1)</script>"
        exams[0].cases[0].errorLines = ["</pre><img src=x>"]
        exams[0].cases[0].timeline[0].text = "</text><script>"
        exams[0].header.client = "a\"><b"
        for index in exams[0].cases.indices { exams[0].cases[index].client = exams[0].header.client }
        for (path, text) in try Self.pages(exams) where path.hasSuffix(".html") {
            #expect(!text.contains("<script>") && !text.contains("<img") && !text.contains("\"><b"), "\(path)")
        }
    }

    @Test func `a case shows findings, curl line, the client's words, the fixture and the marked place`() throws {
        let page = try #require(try Self.pages(Self.exams)["case/plain/get/asks.html"])
        for text in [
            "wanted one request", "<dt>wanted</dt><dd><code>1</code></dd>", "<dt>got</dt><dd><code>2</code></dd>",
            "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1", "curl -i http://127.0.0.1:8088/plain/get/",
            "could not connect", "last words", "wanted: the end", "<span id=\"L3\" class=\"own\">",
            "<span id=\"L4\" class=\"broken\">", "id=\"curl\"", "id=\"other-client\"",
        ] { #expect(page.contains(text), "\(text)") }
    }

    @Test func `causes come with their key, an example and what the client's project knows`() throws {
        let pages = try Self.pages(Self.exams)
        let causes = try #require(pages[SitePath.causes])
        for text in [
            "The number of requests is more than was wanted (RFC 9110 §9.3)",
            "<code>fact wire.count: more · RFC 9110 §9.3</code>", "such as <a href=\"case/plain/get/asks.html\">",
            "<a href=\"https://example.org/issues/7\">reported</a> (2026-11-25): it retries",
            "known and reported nowhere (2026-11-25): one is saved", "<h2 id=\"unreported\">",
        ] { #expect(causes.contains(text), "\(text)") }
        for path in ["client/curl.html", "case/plain/get/asks.html"] {
            #expect(pages[path]?.contains("https://example.org/issues/7") == true, "\(path)")
        }
        #expect(pages["client/other-client.html"]?.contains("example.org/issues") == false)
    }

    @Test func `kinds are counted apart, and abilities are neither pass nor failure`() {
        let report = Report(Self.exams)
        #expect(OutcomeCounts(ofClient: 0, .must, report.items) == Self.counts(["fail", "pass"]))
        #expect(OutcomeCounts(ofClient: 0, .should, report.items) == Self.counts(["known"]))
        #expect(OutcomeCounts(ofClient: 1, .must, report.items) == Self.counts(["pass", "lacks"]))
        #expect(OutcomeCounts(ofClient: 1, .must, report.items).judged == 1)
    }

    @Test func `what was judged in part is no pass in any figure`() {
        let some = Self.counts(["pass", "partly", "partly"])
        #expect(some.sentence == "1 of 3 passed, 2 partly")
        #expect(String(decoding: IndexPage.figure(some).bytes, as: UTF8.self).contains(", 2 partly"))
        let none = String(decoding: IndexPage.figure(Self.counts(["partly"])).bytes, as: UTF8.self)
        #expect(none.contains("◐") && !none.contains("✓"), "\(none)")
        #expect(Self.counts(["partly", "fail"]).sentence == "0 of 2 passed, 1 partly")
    }

    @Test func `parts of one client's exam are one client, and the later record counts`() {
        var late = Self.exams[0]
        late.cases = [late.cases[0]]
        late.cases[0].outcome = "pass"
        let report = Report(Self.exams + [late])
        #expect(report.clients.map(\.name) == ["curl", "Other client"])
        #expect(report.record(of: late.cases[0].id, client: 0)?.outcome == "pass")
    }

    @Test func `the marks of each scenario are read from the compact data`() throws {
        let data = try #require(try Self.pages(Self.exams)[SitePath.data])
        let index = try ReportIndex(parsing: Array(data.utf8))
        #expect(index.clients == ["curl", "Other client"])
        let lines = index.lines(of: "plain/get")
        #expect(lines.map(\.kind).sorted() == ["must", "should"])
        let must = try #require(lines.first { $0.kind == "must" })
        #expect(must.failed.map(\.client) == ["curl"])
        #expect(must.failed.map(\.count) == [1])
        #expect(must.passedCount == 1)
        #expect(index.lines(of: "plain/none").isEmpty)
    }

    @Test(arguments: ["", "{}", "[1]", #"{"format":"other"}"#]) func `other files are no data of a report`(text: String)
    {
        #expect(throws: ReportIndex.Fault.self) { try ReportIndex(parsing: Array(text.utf8)) }
    }

    @Test func `signs and letters of outcomes differ, and every outcome has one`() {
        let looks = OutcomeLook.all + [.absent]
        #expect(Set(looks.map(\.sign)).count == looks.count)
        #expect(Set(looks.map(\.letter)).count == looks.count)
        #expect(Set(CaseVerdict.Outcome.words).isSubset(of: Set(looks.map(\.word))))
    }

    @Test func `Docs of the report list every sign`() throws {
        let path = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Docs/use/report.md"
        let text = try String(contentsOfFile: path, encoding: .utf8)
        for look in OutcomeLook.all { #expect(text.contains("| \(look.sign) | `\(look.word)` |"), "\(look.word)") }
    }

    @Test func `a case's lines are its name and what is indented more`() {
        let text = "summary: x\ncases:\n  one:\n    wire: a\n\n    facts: b\n  two:\n    wire: c\nend: 1\n"
        let fixture = FixtureText(file: "f.yaml", text: text, caseLines: ["one": 3, "two": 7, "gone": 99])
        #expect(fixture.lines(ofCase: "one") == 3...6)
        #expect(fixture.lines(ofCase: "two") == 7...8)
        #expect(fixture.lines(ofCase: "two@download") == 7...8)
        #expect(fixture.lines(ofCase: "gone") == nil)
    }
}

extension SiteTests {
    private static func counts(_ outcomes: [String]) -> OutcomeCounts {
        OutcomeCounts(outcomes)
    }

    private static func pages(_ exams: [ExamRecord]) throws -> [String: String] {
        let fixture = FixtureText(
            file: "fixtures/plain/get.yaml", text: "summary: x\ncases:\n  asks:\n    wire: request\n  other: 1\n",
            caseLines: ["asks": 3, "other": 5])
        var pages: [String: String] = [:]
        Site(exams, version: "1").write(fixture: { $0 == "plain/get" ? fixture : nil }) { file in
            pages[file.path] = String(decoding: file.bytes, as: UTF8.self)
        }
        return pages
    }

    static let exams: [ExamRecord] = {
        var failed = CaseRecord(id: CaseID(scenario: "plain/get", name: "asks"), kind: .must, outcome: "fail")
        failed.summary = "One request is sent"
        failed.reason = "wanted one request, got two"
        failed.cause = "fact wire.count: more · RFC 9110 §9.3"
        failed.upstream = UpstreamReport(
            state: .open, issue: "https://example.org/issues/7", date: "2026-11-25", says: "it retries")
        failed.spec = [SpecReference("RFC 9110 §9.3.1"), SpecReference("callback rule R1")]
        failed.curl = "curl -i http://127.0.0.1:8088/plain/get/"
        failed.clientError = "could not connect"
        failed.errorLines = ["last words"]
        var finding = FindingRecord(about: "fact", weight: "failure", sentence: "wanted one request, got two")
        finding.wanted = "1"
        finding.got = "2"
        finding.location = "fixtures/plain/get.yaml:4:5"
        failed.findings = [finding]
        var event = EventRecord(lane: "wire", text: "GET / HTTP/1.1")
        event.nanoseconds = 1_000
        event.connection = 0
        event.details = ["GET / HTTP/1.1", "Host: a"]
        var marked = EventRecord(lane: "task", text: "data")
        marked.nanoseconds = 2_000_000
        marked.wanted = "the end"
        failed.timeline = [event, marked]
        var should = CaseRecord(id: CaseID(scenario: "plain/get", name: "other"), kind: .should, outcome: "fail")
        should.cause = "fact wire.count: less · RFC 9110 §9.3"
        should.upstream = UpstreamReport(state: .unreported, issue: nil, date: "2026-11-25", says: "one is saved")
        should.outcome = "known"
        var deep = CaseRecord(id: CaseID(scenario: "tls/cert/a", name: "asks"), kind: .must, outcome: "pass")
        deep.timeline = [event]
        var passed = failed
        passed.outcome = "pass"
        (passed.cause, passed.upstream, passed.findings, passed.reason) = (nil, nil, [], "")
        var lacks = CaseRecord(id: deep.id, kind: .must, outcome: "lacks")
        lacks.ability = "tls"
        return [
            exam("curl", [failed, should, deep]), exam("Other client", [passed, lacks]),
        ]
    }()

    private static func exam(_ client: String, _ cases: [CaseRecord]) -> ExamRecord {
        ExamRecord(
            header: ExamHeader(client: client, platform: "neutral", proctor: "1"),
            cases: cases.map { record in
                var record = record
                record.client = client
                return record
            })
    }

    /// The values of an attribute, unescaped as far as links need it.
    private static func values(of name: String, in text: String) -> [String] {
        var values: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: " \(name)=\"") {
            rest = rest[start.upperBound...]
            let end = rest.firstIndex(of: "\"") ?? rest.endIndex
            values.append(
                rest[..<end].split(separator: "&amp;", omittingEmptySubsequences: false).joined(separator: "&"))
            rest = rest[end...]
        }
        return values
    }

    private static func resolve(_ link: String, from page: String) -> String {
        var folder = page.split(separator: "/").dropLast().map(String.init)
        for segment in link.split(separator: "/") {
            if segment == ".." { folder.removeLast() } else { folder.append(String(segment)) }
        }
        return folder.joined(separator: "/")
    }
}
