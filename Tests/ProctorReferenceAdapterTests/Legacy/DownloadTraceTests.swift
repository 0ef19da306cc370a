import ProctorProgram
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What the callbacks of the old downloads are like: NSURLConnection's own and NSURLDownload's.
@Suite(.limit(minutes: 10))
struct DownloadTraceTests {
    private static let begin = "askCredStore downloadBegin canonicalize"
    private static let made = "destination(a.txt) destinationCreated"

    @Test func `a connection's download reports progress and its file, and that is its end`() async throws {
        let trace = try await LegacyServer.trace(as: .connectionDownload, LegacyScenes.page)
        #expect(trace.calls == "askCredStore canonicalize progress fileReady")
        #expect(trace.first(.progress)?.family == .connectionDownload)
        #expect(trace.all(.progress).last?.facts.integer(.expected) == 5)
        #expect(trace.first(.fileReady)?.facts.integer(.bytes) == 5)
        #expect(trace.result?.text(.body) == "hello")
        #expect(trace.result?.integer(.status) == 200)
        trace.expectNoHit()
    }

    @Test func `an unknown length is 0`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, framing: chunked, body: "hello" }
            """
        let trace = try await LegacyServer.trace(as: .connectionDownload, yaml)
        #expect(trace.all(.progress).map { $0.facts.integer(.expected) }.allSatisfy { $0 == 0 })
        trace.expectNoHit()
    }

    @Test func `a download says where it goes before it says what came`() async throws {
        let trace = try await LegacyServer.trace(as: .download, LegacyScenes.page)
        #expect(trace.calls == "\(Self.begin) response(200) \(Self.made) progress complete(ok)")
        #expect(trace.events.filter { $0.lane == .task }.allSatisfy { $0.queue == nil && $0.family == .download })
        #expect(Set(trace.events.filter { $0.lane == .task || $0.name == .resume }.map(\.thread)).count == 1)
        #expect(trace.result?.text(.body) == "hello")
        trace.expectNoHit()
    }

    struct Name: Sendable, CustomTestStringConvertible {
        let offered: String
        let name: String
        var testDescription: String { offered }
    }

    @Test(arguments: [
        Name(offered: "report.pdf", name: "report.pdf"),
        Name(offered: "../../../etc/passwd", name: "passwd"),
        Name(offered: "/etc/shadow", name: "shadow"),
        Name(offered: "..\\\\..\\\\boot.ini", name: "boot.ini"),
        Name(offered: "..", name: "a"),
        Name(offered: "   ", name: "a"),
    ])
    func `a hostile name is made harmless`(row: Name) async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, headers: { Content-Disposition: 'attachment; filename="\(row.offered)"' }, body: "hello" }
            """
        let trace = try await LegacyServer.trace(as: .download, yaml)
        #expect(trace.first(.destination)?.argument == row.name)
        let path = try #require(trace.first(.destinationCreated)?.facts.text(.file))
        #expect(path.hasSuffix("/\(row.name)") && !path.contains(".."))
        trace.expectNoHit()
    }

    @Test(arguments: [
        ("application/gzip", "{ base64: \(gzip) }", ".gz"), ("application/x-gzip", "{ base64: \(gzip) }", ".gz"),
        ("application/macbinary", "{ macbinary: \(file) }", ".bin"),
        ("application/binhex", "{ binhex: \(file) }", ".hqx"),
        ("application/mac-binhex40", "{ binhex: \(file) }", ".hqx"),
    ])
    func `an encoded file is asked about and decoded`(type: String, body: String, ending: String) async throws {
        let yaml = """
            exchanges:
              - request: GET /a\(ending)
                reply: { status: 200, headers: { Content-Type: \(type) }, body: \(body) }
            """
        let trace = try await LegacyServer.trace(as: .download, yaml, path: "/a\(ending)")
        #expect(
            trace.calls
                == "\(Self.begin) response(200) shouldDecode(\(type)) destination(a) destinationCreated progress complete(ok)"
        )
        #expect(trace.first(.result)?.facts.text(.body) == "hello")
        trace.expectNoHit()
    }

    private static let gzip = "H4sIAAAAAAAC/8tIzcnJBwCGphA2BQAAAA=="
    private static let file = "{ name: a.txt, type: TEXT, creator: ttxt, data: hello }"

    // MARK: Redirects and challenges

    struct Row: Sendable, CustomTestStringConvertible {
        let shape: ReferenceShape
        let answer: String
        let calls: String
        var testDescription: String { "\(shape.rawValue) \(answer)" }
    }

    @Test(arguments: [
        Row(
            shape: .connectionDownload, answer: "follow",
            calls: "askCredStore canonicalize redirect(302) progress fileReady"),
        Row(
            shape: .connectionDownload, answer: "refuse",
            calls: "askCredStore canonicalize redirect(302) progress fileReady"),
        Row(shape: .connectionDownload, answer: "cancel", calls: "askCredStore canonicalize redirect(302)"),
        Row(
            shape: .download, answer: "follow",
            calls: "\(begin) redirect(302) response(200) destination(b) destinationCreated progress complete(ok)"),
        Row(shape: .download, answer: "refuse", calls: "\(begin) redirect(302)"),
        Row(shape: .download, answer: "cancel", calls: "\(begin) redirect(302)"),
    ])
    func `a redirect is followed, refused or cancelled`(row: Row) async throws {
        let trace = try await LegacyServer.trace(as: row.shape, LegacyScenes.redirect) { step in
            step.onRedirect = [Assignment.RedirectAnswer(word: row.answer) ?? .follow]
        }
        #expect(trace.calls == row.calls)
        trace.expectNoHit()
    }

    @Test(arguments: [
        Row(
            shape: .connectionDownload, answer: "use",
            calls: "askCredStore canonicalize askCanAuth(basic) challenge(basic) progress fileReady"),
        Row(
            shape: .connectionDownload, answer: "cancel",
            calls: "askCredStore canonicalize askCanAuth(basic) challenge(basic) complete(cancelled)"),
        Row(
            shape: .connectionDownload, answer: "cancel-task",
            calls: "askCredStore canonicalize askCanAuth(basic) challenge(basic)"),
        Row(
            shape: .download, answer: "use",
            calls:
                "\(begin) askCanAuth(basic) challenge(basic) response(200) destination(a) destinationCreated progress complete(ok)"
        ),
        Row(
            shape: .download, answer: "default",
            calls:
                "\(begin) askCanAuth(basic) challenge(basic) response(401) destination(a) destinationCreated progress complete(ok)"
        ),
        Row(
            shape: .download, answer: "reject",
            calls:
                "\(begin) askCanAuth(basic) challenge(basic) response(401) destination(a) destinationCreated progress complete(ok)"
        ),
        Row(
            shape: .download, answer: "cancel",
            calls: "\(begin) askCanAuth(basic) challenge(basic) complete(cancelled)"),
    ])
    func `a challenge is asked for by the old methods`(row: Row) async throws {
        let trace = try await LegacyServer.trace(as: row.shape, LegacyScenes.secret) { step in
            step.onChallenge = [
                Assignment.ChallengeAnswer(word: row.answer)
                    ?? .use(Assignment.Credential(user: "user", password: "pass"))
            ]
        }
        #expect(trace.calls == row.calls)
        trace.expectNoHit()
    }

    /// While a question is open only the time for the whole load runs (R45).
    @Test func `a challenge that waits too long is taken back before the load fails`() async throws {
        for shape in [ReferenceShape.connectionDownload, .download] {
            let trace = try await LegacyServer.serve(LegacyScenes.secret) { base in
                var step = Assignment.Step(url: base + "/a")
                step.task = .download
                step.onChallenge = [.never]
                var assignment = Assignment(
                    scenario: "test/legacy", caseName: "test", base: base, deadline: 120_000, steps: [step])
                assignment.session.resourceTimeout = 500
                return await LegacyServer.trace(of: assignment, as: shape)
            }
            #expect(
                trace.calls.hasSuffix("challenge(basic) challengeCancelled(basic) complete(timedOut)"), "\(trace.calls)"
            )
        }
    }

    @Test func `an error page is a file like any other`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 404, headers: { Content-Type: text/plain }, body: "not here" }
            """
        for shape in [ReferenceShape.connectionDownload, .download] {
            let trace = try await LegacyServer.trace(as: shape, yaml)
            #expect(trace.result?.text(.body) == "not here")
            #expect(trace.result?.integer(.status) == 404)
            trace.expectNoHit()
        }
    }

    @Test func `a further part makes what came before it void`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Type: multipart/x-mixed-replace; boundary=x }
                  body: "--x\\r\\n\\r\\nfirst\\r\\n--x\\r\\n\\r\\ntwo\\r\\n--x--\\r\\n"
            """
        for shape in [ReferenceShape.connectionDownload, .download] {
            let trace = try await LegacyServer.trace(as: shape, yaml)
            #expect(trace.result?.text(.body) == "two", "\(trace.calls)")
            trace.expectNoHit()
        }
    }
}
