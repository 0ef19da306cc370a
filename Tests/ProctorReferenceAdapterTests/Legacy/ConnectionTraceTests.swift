import ProctorProgram
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What NSURLConnection's callbacks are like, and in which order they come.
@Suite(.limit(minutes: 10))
struct ConnectionTraceTests {
    @Test func `a plain load shows its canonical form first, then response, data and the end`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page)
        #expect(trace.calls == "askCredStore canonicalize response(200) data complete(ok)")
        trace.expectNoHit()
        let response = try #require(trace.first(.response))
        #expect(response.family == .connection)
        #expect(response.queue == "D")
        #expect(response.facts.text(.mime) == "text/plain")
        #expect(response.facts.integer(.expectedLength) == 5)
        #expect(response.facts.text(.sel) == "connection:didReceiveResponse:")
        #expect(trace.result?.text(.body) == "hello")
        #expect(trace.result?.text(.error) == nil)
        #expect(trace.first(.resume)?.family == .connection)
    }

    @Test func `the canonical form is what is announced`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page, path: "/b/../a")
        let announced = try #require(trace.first(.canonicalize)?.facts.text(.proposed))
        #expect(announced.hasPrefix("GET http://") && announced.hasSuffix("/a") && !announced.contains(".."))
        trace.expectNoHit()
    }

    struct Redirect: Sendable, CustomTestStringConvertible {
        let answer: Assignment.RedirectAnswer
        let calls: String
        let body: String?
        var testDescription: String { answer.word }
    }

    @Test(arguments: [
        Redirect(
            answer: .follow,
            calls: "askCredStore canonicalize redirect(302) response(200) data complete(ok)", body: "hello"),
        Redirect(
            answer: .refuse,
            calls: "askCredStore canonicalize redirect(302) response(302) data complete(ok)", body: "moved"),
        Redirect(
            answer: .change(method: nil, url: "/c", headers: []),
            calls: "askCredStore canonicalize redirect(302) response(200) data complete(ok)", body: "changed"),
        Redirect(answer: .cancel, calls: "askCredStore canonicalize redirect(302)", body: ""),
    ])
    func `a redirect is answered by return value`(row: Redirect) async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.redirect) {
            $0.onRedirect = [row.answer]
        }
        #expect(trace.calls == row.calls)
        #expect(trace.result?.text(.body) == row.body)
        #expect(trace.answers == (row.body == "" ? "" : "\(row.answer.word) to redirect"))
        trace.expectNoHit()
    }

    struct Challenge: Sendable, CustomTestStringConvertible {
        let answer: Assignment.ChallengeAnswer
        let rest: String
        var delay: Int?
        var testDescription: String { answer.word + (delay == nil ? "" : " later") }
    }

    @Test(arguments: [
        Challenge(
            answer: .use(Assignment.Credential(user: "user", password: "pass")),
            rest: " response(200) data complete(ok)"),
        Challenge(
            answer: .use(Assignment.Credential(user: "user", password: "pass")),
            rest: " response(200) data complete(ok)", delay: 50),
        Challenge(answer: .useNone, rest: " response(401) data complete(ok)"),
        Challenge(answer: .performDefault, rest: " response(401) data complete(ok)"),
        Challenge(answer: .reject, rest: " response(401) data complete(ok)"),
        Challenge(answer: .cancel, rest: " complete(cancelled)"),
        Challenge(answer: .cancelTask, rest: ""),
        Challenge(answer: .cancelTaskThenUse(Assignment.Credential(user: "user", password: "pass")), rest: ""),
        Challenge(
            answer: .cancelTaskThenUse(Assignment.Credential(user: "user", password: "pass")), rest: "", delay: 50),
    ])
    func `a challenge is answered by a call`(row: Challenge) async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.secret) { step in
            step.onChallenge = [row.answer]
            step.answerAfter = row.delay
        }
        #expect(trace.calls == "askCredStore canonicalize challenge(basic)" + row.rest)
        #expect(trace.first(.challenge)?.facts.text(.sel) == "connection:willSendRequestForAuthenticationChallenge:")
        trace.expectNoHit()
    }

    @Test func `a program that has no say in challenges sees none`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.secret)
        #expect(trace.calls == "askCredStore canonicalize response(401) data complete(ok)")
        trace.expectNoHit()
    }

    @Test func `a refused credential counts, and the next answer has its turn`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.secret) { step in
            step.onChallenge = [
                .use(Assignment.Credential(user: "user", password: "no")),
                .use(Assignment.Credential(user: "user", password: "nope")),
                .use(Assignment.Credential(user: "user", password: "pass")),
            ]
        }
        #expect(trace.all(.challenge).map { $0.facts.integer(.failures) } == [0, 1, 2])
        #expect(trace.result?.text(.body) == "welcome")
        trace.expectNoHit()
    }

    // MARK: Bodies

    private static let upload = """
        exchanges:
          - request: { method: POST, path: /a, headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "got it" }
          - request: POST /b
            reply: { status: 200, body: "got it" }
          - request: POST /a
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="lab"' }, body: "denied" }
        """

    struct Body: Sendable, CustomTestStringConvertible {
        let form: Assignment.BodyForm
        let calls: String
        var testDescription: String { form.rawValue }
    }

    private static func body(_ step: inout Assignment.Step, _ form: Assignment.BodyForm) {
        step.method = "POST"
        step.task = .upload
        step.body = Assignment.Bytes(text: "0123456789", count: 100_000)
        step.bodyForm = form
    }

    @Test(arguments: [
        Body(form: .data, calls: "askCredStore canonicalize bodySent response(200) data complete(ok)"),
        Body(form: .file, calls: "askCredStore canonicalize bodySent response(200) data complete(ok)"),
        Body(form: .requestStream, calls: "askCredStore canonicalize bodySent response(200) data complete(ok)"),
        Body(form: .stream, calls: "askCredStore canonicalize needBodyStream bodySent response(200) data complete(ok)"),
        Body(
            form: .boundPair,
            calls: "askCredStore canonicalize needBodyStream bodySent response(200) data complete(ok)"),
    ])
    func `a body is sent in every form`(row: Body) async throws {
        let trace = try await LegacyServer.trace(as: .connection, Self.upload, path: "/b") { Self.body(&$0, row.form) }
        #expect(trace.calls == row.calls)
        #expect(trace.bodyByteCounts == [100_000])
        let last = trace.all(.bodySent).last
        #expect(last?.facts.integer(.total) == 100_000)
        #expect(last?.facts.integer(.expected) == ([.data, .file].contains(row.form) ? 100_000 : -1))
        trace.expectNoHit()
    }

    @Test func `a body that is sent again begins anew, and a stream is asked for again`() async throws {
        for form in [Assignment.BodyForm.data, .stream, .requestStream] {
            let trace = try await LegacyServer.trace(as: .connection, Self.upload) { step in
                Self.body(&step, form)
                step.onChallenge = [.use(Assignment.Credential(user: "user", password: "pass"))]
            }
            #expect(trace.all(.needBodyStream).count == (form == .data ? 0 : form == .stream ? 2 : 1), "\(form)")
            #expect(trace.bodyByteCounts == [100_000, 100_000], "\(form)")
            #expect(trace.result?.text(.body) == "got it", "\(form)")
            trace.expectNoHit()
        }
    }

    @Test func `without a stream the load fails`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, Self.upload, path: "/b") { step in
            Self.body(&step, .stream)
            step.onBodyStream = .none
        }
        #expect(trace.calls == "askCredStore canonicalize needBodyStream complete(requestBodyStreamExhausted)")
        #expect(trace.answers == "none to needBodyStream")
        trace.expectNoHit()
    }

    // MARK: Responses

    @Test func `each part of mixed-replace has a response of its own`() async throws {
        let trace = try await LegacyServer.trace(
            as: .connection,
            """
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  headers: { Content-Type: multipart/x-mixed-replace; boundary=x }
                  body: "--x\\r\\nContent-Type: text/plain\\r\\n\\r\\none\\r\\n--x\\r\\nContent-Type: text/css\\r\\n\\r\\ntwo\\r\\n--x--\\r\\n"
            """)
        #expect(trace.calls == "askCredStore canonicalize response(200) data response(200) data complete(ok)")
        #expect(trace.all(.response).map { $0.facts.text(.mime) } == ["text/plain", "text/css"])
        #expect(trace.result?.text(.body) == "two")
        trace.expectNoHit()
    }

    @Test func `a load that may be stored is asked about where there is a cache`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, headers: { Cache-Control: max-age=60 }, body: "hello" }
            """
        let trace = try await LegacyServer.serve(yaml) { base in
            var assignment = Assignment(
                scenario: "test/legacy", caseName: "test", base: base, deadline: 120_000,
                steps: [Assignment.Step(url: base + "/a")])
            assignment.session.cache = 1 << 20
            return await LegacyServer.trace(of: assignment, as: .connection)
        }
        #expect(trace.calls == "askCredStore canonicalize response(200) data willCache complete(ok)")
        #expect(trace.first(.willCache)?.facts.integer(.bytes) == 5)
        #expect(trace.answers == "store to willCache")
        trace.expectNoHit()
    }

    @Test func `a cancel where it is asked about storing ends the load in silence`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, headers: { Cache-Control: max-age=60 }, body: "hello" }
            """
        let trace = try await LegacyServer.serve(yaml) { base in
            var step = Assignment.Step(url: base + "/a")
            step.cancelAt = Assignment.Moment("willCache")
            var assignment = Assignment(
                scenario: "test/legacy", caseName: "test", base: base, deadline: 120_000, steps: [step])
            assignment.session.cache = 1 << 20
            return await LegacyServer.trace(of: assignment, as: .connection)
        }
        #expect(trace.calls == "askCredStore canonicalize response(200) data willCache")
        trace.expectNoHit()
    }

    @Test func `a connection that breaks fails the load`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.broken("", rest: LegacyScenes.rest))
        #expect(trace.calls == "askCredStore canonicalize response(200) data complete(connectionLost)")
        #expect(trace.result?.text(.error) == "connectionLost")
        trace.expectNoHit()
    }

    @Test func `a server that says nothing is given up`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { effects: [{ at: head, do: stall }] }
            """
        let trace = try await LegacyServer.trace(as: .connection, yaml) { $0.timeout = 200 }
        #expect(trace.calls == "askCredStore canonicalize complete(timedOut)")
        trace.expectNoHit()
    }
}
