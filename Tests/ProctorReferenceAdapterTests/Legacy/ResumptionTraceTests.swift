import ProctorProgram
import ProctorRecorder
import ProctorReference
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// Downloads that go on behind what an earlier connection brought.
@Suite(.limit(minutes: 10))
struct ResumptionTraceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let fields: String
        var rest = LegacyScenes.rest
        let calls: String
        let body: String
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(
            name: "an ETag", fields: #"ETag: '"v1"'"#, calls: "progress downloadResumed(10) progress fileReady",
            body: "0123456789abcdefghij"),
        Row(
            name: "a date", fields: #"Last-Modified: "Fri, 01 Jan 2021 00:00:00 GMT""#,
            calls: "progress downloadResumed(10) progress fileReady", body: "0123456789abcdefghij"),
        Row(
            name: "another entity", fields: #"ETag: '"v1"'"#, rest: #"{ status: 200, body: "all of it anew" }"#,
            calls: "progress downloadResumed(0) progress fileReady", body: "all of it anew"),
        Row(
            name: "an error page", fields: #"ETag: '"v1"'"#, rest: #"{ status: 500, body: "sorry" }"#,
            calls: "progress complete(badServerResponse)", body: ""),
        Row(
            name: "less than was asked for", fields: #"ETag: '"v1"'"#,
            rest: #"{ status: 206, headers: { Content-Range: "bytes 10-14/20" }, body: "abcde" }"#,
            calls: "progress complete(badServerResponse)", body: ""),
        Row(
            name: "a wrong part", fields: #"ETag: '"v1"'"#,
            rest: #"{ status: 206, headers: { Content-Range: "bytes 5-9/20" }, body: "abcde" }"#,
            calls: "progress complete(badServerResponse)", body: ""),
        Row(
            name: "nothing behind it", fields: #"ETag: '"v1"'"#,
            rest: #"{ status: 416, headers: { Content-Range: "bytes */5" } }"#,
            calls: "progress complete(badServerResponse)", body: ""),
        Row(name: "a weak ETag", fields: #"ETag: 'W/"v1"'"#, calls: "progress complete(connectionLost)", body: ""),
        Row(name: "no validator", fields: "", calls: "progress complete(connectionLost)", body: ""),
        Row(
            name: "no ranges", fields: #"ETag: '"v1"', Accept-Ranges: none"#,
            calls: "progress complete(connectionLost)", body: ""),
    ])
    func `a connection's download resumes by itself where it is safe`(row: Row) async throws {
        let trace = try await LegacyServer.trace(
            as: .connectionDownload, LegacyScenes.broken(row.fields, rest: row.rest))
        #expect(trace.calls == "askCredStore canonicalize " + row.calls)
        #expect(trace.result?.text(.body) == row.body)
        trace.expectNoHit()
    }

    /// Each connection brings ten bytes more of a thousand.
    @Test func `it resumes as often as further bytes arrive, up to a bound`() async throws {
        let limit = ReferenceConnectionDownload.resumptionLimit
        let parts = (1...limit + 1).map { number in
            """
              - request: { method: GET, path: /a, headers: { Range: "bytes=\(number)0-" } }
                reply:
                  status: 206
                  headers: { Content-Range: "bytes \(number)0-999/1000", Content-Length: "\(1000 - number * 10)" }
                  body: "0123456789"
                  effects: [{ at: end, do: close }]
            """
        }
        let whole = """
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Length: "1000", ETag: '"v1"' }
                  body: "0123456789"
                  effects: [{ at: end, do: close }]
            """
        let yaml = (["exchanges:"] + parts + [whole]).joined(separator: "\n")
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml)
        let goings = (1...limit).map { "downloadResumed(\($0)0) progress" }.joined(separator: " ")
        #expect(trace.calls == "askCredStore canonicalize progress \(goings) complete(connectionLost)")
        #expect(trace.all(.progress).last?.facts.integer(.total) == (limit + 1) * 10)
        trace.expectNoHit()
    }

    @Test func `a part that ends early is gone on with`() async throws {
        let yaml = """
            exchanges:
              - request: { method: GET, path: /a, headers: { Range: "bytes=13-" } }
                reply: { status: 206, headers: { Content-Range: "bytes 13-19/20" }, body: "defghij" }
              - request: { method: GET, path: /a, headers: { Range: "bytes=10-" } }
                reply: { status: 206, framing: chunked, headers: { Content-Range: "bytes 10-19/20" }, body: "abc" }
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Length: "20", ETag: '"v1"' }
                  body: "0123456789"
                  effects: [{ at: end, do: close }]
            """
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml)
        #expect(
            trace.calls
                == "askCredStore canonicalize progress downloadResumed(10) progress downloadResumed(13) progress fileReady"
        )
        #expect(trace.result?.text(.body) == "0123456789abcdefghij")
        trace.expectNoHit()
    }

    @Test func `a redirect is followed again, and asked about again`() async throws {
        let yaml =
            LegacyScenes.broken(#"ETag: '"v1"'"#, rest: LegacyScenes.rest) + """

                  - request: GET /b
                    reply: { status: 302, headers: { Location: /a } }
                """
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml, path: "/b")
        #expect(
            trace.calls
                == "askCredStore canonicalize redirect(302) progress redirect(302) downloadResumed(10) progress fileReady"
        )
        #expect(trace.result?.text(.body) == "0123456789abcdefghij")
        trace.expectNoHit()
    }

    @Test func `a download leaves data with which another one resumes`() async throws {
        for (rest, call, body) in [
            (LegacyScenes.rest, "downloadResumed(10)", "0123456789abcdefghij"),
            (#"{ status: 200, body: "all of it anew" }"#, "downloadResumed(0)", "all of it anew"),
        ] {
            let trace = try await LegacyServer.trace(
                as: .download, LegacyScenes.broken(#"ETag: '"v1"'"#, rest: rest)
            ) { base in
                var first = Assignment.Step(url: base + "/a")
                first.task = .download
                var second = first
                second.resume = 0
                return [first, second]
            }
            #expect(
                trace.calls(of: 0)
                    == "askCredStore downloadBegin canonicalize response(200) destination(a) destinationCreated progress complete(connectionLost)"
            )
            #expect(trace.calls(of: 1) == "askCredStore downloadBegin canonicalize \(call) progress complete(ok)")
            #expect(trace.result(of: 1)?.text(.body) == body)
            trace.expectNoHit()
        }
    }

    @Test func `a cancelled download leaves it too, if it is told to`() async throws {
        let yaml = """
            exchanges:
              - request: { method: GET, path: /a, headers: { Range: "bytes=10-" } }
                reply: \(LegacyScenes.rest)
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Length: "20", ETag: '"v1"' }
                  body: "0123456789"
                  effects: [{ at: end, do: stall }]
            """
        let trace = try await LegacyServer.trace(as: .download, yaml) { base in
            var first = Assignment.Step(url: base + "/a")
            first.task = .download
            var second = first
            second.resume = 0
            first.cancelAt = .init("progress")
            first.producesResumeData = true
            return [first, second]
        }
        #expect(trace.calls(of: 0).hasSuffix("destinationCreated progress"))
        #expect(
            trace.calls(of: 1) == "askCredStore downloadBegin canonicalize downloadResumed(10) progress complete(ok)")
        #expect(trace.result(of: 1)?.text(.body) == "0123456789abcdefghij")
        trace.expectNoHit()
    }

    @Test func `a step that left nothing can't be gone on with`() async throws {
        let trace = try await LegacyServer.trace(as: .download, LegacyScenes.page) { base in
            var first = Assignment.Step(url: base + "/a")
            first.task = .download
            var second = first
            second.resume = 0
            return [first, second]
        }
        #expect(trace.ending == .unimplemented)
        #expect(trace.events.last?.argument == "steps[1].resume: step 0 left no resume data")
    }
}
