import ProctorEvents
import ProctorGrading
import ProctorReferenceAdapter
import ProctorScenario
import ProctorTestSupport
import Testing

/// A true trace of the whole client passes; with one line edited it fails, and the text names the field.
@Suite(.serialized, .limit(minutes: 10))
struct EditedTraceTests {
    /// What is edited, in the first line that has all of `of`; without `new` the line goes.
    struct Edit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let id: String
        var shape = ReferenceShape.session
        let of: [String]
        /// The member whose value is replaced.
        var key = ""
        var new: String?
        /// Those that the findings name.
        let fields: [String]
    }

    static let edits: [Edit] = [
        Edit(
            testDescription: "a proposed request to somebody else", id: "own/edited#moved", of: [#""ev":"redirect""#],
            key: "proposed", new: #""POST http://evil.example/""#, fields: ["proposed method", "proposed URL"]),
        Edit(
            testDescription: "the same of a connection", id: "own/edited#moved", shape: .connection,
            of: [#""ev":"redirect""#], key: "proposed", new: #""GET http://evil.example/""#, fields: ["proposed URL"]),
        Edit(
            testDescription: "the same of a URLProtocol", id: "own/edited#moved", shape: .urlProtocol,
            of: [#""ev":"redirect""#], key: "proposed", new: #""GET http://evil.example/""#, fields: ["url"]),
        Edit(
            testDescription: "another realm", id: "own/edited#challenged", of: [#""ev":"challenge""#], key: "realm",
            new: #""nobody's""#, fields: ["realm"]),
        Edit(
            testDescription: "another host", id: "own/edited#challenged", of: [#""ev":"challenge""#], key: "host",
            new: #""evil.example""#, fields: ["host"]),
        Edit(
            testDescription: "another port", id: "own/edited#challenged", of: [#""ev":"challenge""#], key: "port",
            new: "1", fields: ["port"]),
        Edit(
            testDescription: "a failure count that nothing was tried for", id: "own/edited#challenged",
            of: [#""ev":"challenge""#], key: "failures", new: "1", fields: ["failures"]),
        Edit(
            testDescription: "another URL of a response", id: "own/edited#parts", of: [#""ev":"response""#], key: "url",
            new: #""http://evil.example/parts""#, fields: ["url"]),
        Edit(
            testDescription: "another length of a response", id: "own/edited#parts", of: [#""ev":"response""#],
            key: "expectedLength", new: "4", fields: ["expectedLength"]),
        Edit(
            testDescription: "another MIME type", id: "own/edited#parts", of: [#""ev":"response""#], key: "mime",
            new: #""image/png""#, fields: ["mime"]),
        Edit(
            testDescription: "a field that nobody sent", id: "own/edited#parts", of: [#""ev":"response""#],
            key: "fields", new: #""X-Made-Up: 1""#, fields: ["field \"X-Made-Up\""]),
        Edit(
            testDescription: "other bytes in a chunk", id: "own/edited#parts", of: [#""ev":"data""#], key: "crc32",
            new: "1", fields: ["bytes", "crc32"]),
        Edit(
            testDescription: "other bytes in the result", id: "own/edited#parts", of: [#""ev":"result""#], key: "body",
            new: #""part one part tvo""#, fields: ["body", "crc32"]),
        Edit(
            testDescription: "one of several chunks lost", id: "own/edited#parts", of: [#""ev":"data""#, #""facts""#],
            fields: ["bytes", "bytes of data", "crc32"]),
        Edit(
            testDescription: "progress that runs backwards", id: "own/edited#file",
            of: [#""ev":"progress""#, #""n":8,"total":17"#], key: "total", new: "3", fields: ["total"]),
        Edit(
            testDescription: "more sent than there is", id: "own/edited#upload", of: [#""ev":"bodySent""#],
            key: "total", new: "999", fields: ["total"]),
        Edit(
            testDescription: "another offset of a resumption", id: "range/resume-after-a-close#resume",
            of: [#""ev":"downloadResumed""#], key: "offset", new: "5", fields: ["offset"]),
        Edit(
            testDescription: "an error whose code is not its name", id: "own/edited#broken", of: [#""ev":"complete""#],
            key: "code", new: "-1009", fields: ["code"]),
        Edit(
            testDescription: "an error of a session that was to finish", id: "own/edited#finished",
            of: [#""ev":"sessionInvalid""#], key: "arg", new: #""cancelled""#, fields: ["error"]),
        Edit(
            testDescription: "a callback that never exits", id: "own/edited#parts",
            of: [#""ev":"response""#, #""phase":"exit""#], fields: ["exit"]),
    ]

    @Test(arguments: edits) func `one edited line is a failure that names its field`(edit: Edit) async throws {
        let (evidence, grader) = try await Self.sit(edit)
        let whole = grader.grade(evidence)
        #expect(whole.outcome == .pass && Self.fields(whole).isEmpty, "\(whole)")
        let lines = evidence.events.map { String(decoding: TraceWriter.line($0), as: UTF8.self) }
        let number = try #require(lines.firstIndex { line in edit.of.allSatisfy(line.contains) }, "\(lines.joined())")
        var edited = lines
        if let new = edit.new {
            let old = try #require(Self.value(of: edit.key, in: lines[number]), "\(lines[number])")
            edited[number] = lines[number].replacing("\"\(edit.key)\":\(old)", with: "\"\(edit.key)\":\(new)")
        } else {
            edited.remove(at: number)
        }
        #expect(edited != lines)
        var other = evidence
        other.events = try Trace(Array(edited.joined().utf8)).events
        let verdict = grader.grade(other)
        #expect(verdict.outcome == .fail, "\(verdict)")
        let fields = Self.fields(verdict)
        #expect(fields.contains { edit.fields.contains($0) }, "\(fields): \(verdict)")
        for finding in verdict.failures {
            guard case .content(let field) = finding.subject else { continue }
            #expect(edit.fields.contains(field) && finding.sentence.contains(field), "\(verdict)")
        }
    }

    private static func fields(_ verdict: CaseVerdict) -> [String] {
        verdict.findings.compactMap { finding in
            if case .content(let field) = finding.subject { return field }
            return nil
        }
    }

    private static func value(of key: String, in line: String) -> Substring? {
        guard let start = line.firstRange(of: "\"\(key)\":")?.upperBound else { return nil }
        let rest = line[start...]
        guard rest.first == "\"" else { return rest.prefix { $0 == "-" || $0.isNumber } }
        var end = rest.index(after: start)
        while end < rest.endIndex, rest[end] != "\"" {
            end = rest.index(end, offsetBy: rest[end] == "\\" ? 2 : 1)
        }
        return rest[start...end]
    }

    private static func sit(_ edit: Edit) async throws -> (CaseEvidence, CaseGrader) {
        let exam = try await edit.id.hasPrefix("own/") ? OwnScenario.exam.value : ExamServer.shared.value
        let entries = exam.scenarios.flatMap { scenario in
            scenario.cases.map { ExamEntry(scenario: scenario, item: $0) }
        }
        let entry = try #require(entries.first { "\($0.id)" == edit.id })
        return try await exam.evidence(of: entry, as: edit.shape)
    }
}

/// What the traces of ``EditedTraceTests`` are of: content that comes in pieces, and every kind of callback.
extension OwnScenario {
    static let edited = #"""
        summary: Content in pieces, a redirect, a challenge, an upload, a break and an end
        spec: RFC 9110 §6.4
        exchanges:
          - request: GET /moved
            reply: { status: 302, headers: { Location: "{{base}}/parts" } }
          - request: GET /parts
            reply: { status: 200, headers: { Content-Type: text/plain }, body: [ "part one ", { do: wait 100ms }, "part two" ] }
          - request: { method: GET, path: /secret, headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "welcome\n" }
          - request: GET /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="the lab"' }, body: "denied\n" }
          - request: POST /upload
            reply: { status: 200, body: "ok\n" }
          - request: GET /broken
            reply: { status: 200, body: "0123456789", effects: [ { at: body 5, do: close } ] }
        cases:
          moved:
            client: { url: /moved }
            task: redirect(302) response(200) data+ complete(ok)
          parts:
            client: { url: /parts }
            task: response(200) data{2} complete(ok)
          file:
            client: { url: /parts, task: download }
            download: progress{2} fileReady complete(ok)
          challenged:
            client: { url: /secret, onChallenge: { use: "user:pass" } }
            task: challenge(basic) response(200) data+ complete(ok)
          upload:
            client: { method: POST, url: /upload, task: upload, body: "0123456789" }
            task: bodySent+ response(200) data+ complete(ok)
          broken:
            client: { url: /broken }
            task: response(200) data* complete(error)
          finished:
            client: { url: /parts, session: { end: finish } }
            task: response(200) data+ complete(ok)
        """#
}
