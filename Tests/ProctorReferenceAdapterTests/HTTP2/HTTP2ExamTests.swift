import ProctorFixtures
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorReferenceAdapter
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// The reference client against the real server over HTTP/2, whole and with each mistake that its frames show.
@Suite(.serialized, .limit(minutes: 10))
struct HTTP2ExamTests {
    private static let exam = Task { try await ExamServer(of: load()) }

    private static func load() throws -> [Scenario] {
        try [("own/h2", plain), ("own/h2-tls", secured)].map { id, text in
            let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id).yaml")
            return try #require(scenario, "\(diagnostics)")
        }
    }

    private static let plain = #"""
        summary: Requests and replies on streams
        spec: RFC 9113 §8
        origins:
          main: { protocols: [h2] }
        exchanges:
          - request: GET /page
            reply:
              { status: 200, framing: chunked, body: "page\n", trailers: { X-After: "1" }, interim: [{ status: 103 }] }
          - request: POST /form
            reply: { status: 200, body: "taken\n" }
          - request: GET /start
            reply: { status: 302, headers: { Location: /page } }
          - request: GET /refused
            reply:
              - effects: [{ at: head, do: rst REFUSED_STREAM }]
              - { status: 200, body: "again\n" }
          - request: GET /pushed
            reply:
              status: 200
              effects:
                - at: head
                  do: { frame: { type: PUSH_PROMISE, promised: 2, fields: [{ ":method": GET }, { ":scheme": http }, { ":authority": a }, { ":path": /page }] } }
                - { at: head, do: wait 300ms }
        cases:
          repeats-refused:
            client: { url: /refused }
            wire: request(GET /refused){2}
            task: response(200) data+ complete(ok)
          refuses-push:
            client: { url: /pushed }
            wire: request(GET /pushed) goaway(PROTOCOL_ERROR)
            task: response(200)? complete(error)
          get:
            client: { url: /page }
            wire: request(GET /page)
            task: informational(103) response(200) data+ complete(ok)
          redirect:
            client: { url: /start, onRedirect: follow }
            wire: request(GET /start) request(GET /page)
            task: redirect(302) informational(103) response(200) data+ complete(ok)
          upload:
            client: { method: POST, url: /form, task: upload, body: { pattern: offset, bytes: 200000 } }
            wire: request(POST /form)
            task: bodySent+ response(200) data+ complete(ok)
          three-at-once:
            client:
              - { url: /page }
              - { url: /page, together: true }
              - { url: /page, together: true }
            wire: request(GET /page){3}
            facts: { connections: 1 }
        """#

    private static let secured = #"""
        summary: The same over TLS, where ALPN chooses it
        spec: RFC 9113 §3.2
        origins:
          main: { scheme: https, protocols: [h2] }
        exchanges:
          - request: GET /page
            reply: { status: 200, body: "page\n" }
          - request: GET /moved
            reply:
              - { status: 421 }
              - { status: 200, body: "here\n" }
        cases:
          asks-elsewhere:
            client: { url: /moved }
            wire: request(GET /moved){2}
            task: challenge(serverTrust)* response(200) data+ complete(ok)
            facts: { h2.connections: 2 }
          get:
            client: { url: /page }
            wire: request(GET /page)
            task: challenge(serverTrust)? response(200) data+ complete(ok)
        """#

    @Test(arguments: [
        "own/h2#get", "own/h2#redirect", "own/h2#upload", "own/h2#three-at-once", "own/h2-tls#get",
        "own/h2#repeats-refused", "own/h2#refuses-push", "own/h2-tls#asks-elsewhere",
    ])
    func `the whole client passes, and breaks no rule of frames`(id: String) async throws {
        let (evidence, grader) = try await Self.sit(id)
        let verdict = grader.grade(evidence)
        #expect(verdict.outcome == .pass, "\(verdict)\n\(Timeline(evidence, verdict: verdict))")
        #expect(Self.violations(in: evidence) == [])
        let versions = (evidence.journal ?? []).compactMap { entry -> UInt32? in
            guard case .requestHead(let head, _) = entry.event else { return nil }
            return head.stream
        }
        #expect(!versions.isEmpty)
    }

    @Test(arguments: [
        ("h2-upper-case-names", "get", "upper-case-name"), ("h2-connection-field", "get", "connection-specific-field"),
        ("h2-no-path", "get", "pseudo-field-missing"), ("h2-path-last", "get", "pseudo-field-misplaced"),
        ("h2-even-streams", "get", "wrong-stream-parity"),
        ("h2-wrong-length", "upload", "content-length-differs"),
    ])
    func `a mistake in frames is seen by the server`(label: String, name: String, kind: String) async throws {
        let breakage = try #require(Breakage.http2.first { $0.label == label })
        let (evidence, grader) = try await Self.sit("own/h2#\(name)", breaking: breakage)
        #expect(Self.violations(in: evidence).contains(kind), "\(Self.violations(in: evidence))")
        #expect(grader.grade(evidence).outcome == .fail)
    }

    /// Docs/inside/mistakes-http2.md has these as observed alone.
    @Test(arguments: [
        ("h2-never-repeats-refused", "own/h2#repeats-refused"), ("h2-takes-push", "own/h2#refuses-push"),
        ("h2-ignores-421", "own/h2-tls#asks-elsewhere"),
    ])
    func `what no document demands of all clients is demanded of this one`(label: String, id: String) async throws {
        let breakage = try #require(Breakage.http2.first { $0.label == label })
        let (evidence, grader) = try await Self.sit(id, breaking: breakage)
        #expect(grader.grade(evidence).outcome == .fail)
    }

    @Test func `every mistake has a label of its own`() {
        let labels = Breakage.all.map(\.label)
        #expect(Set(labels).count == labels.count)
    }

    private static func sit(
        _ id: String, breaking breakage: Breakage? = nil
    ) async throws -> (CaseEvidence, CaseGrader) {
        let exam = try await exam.value
        let entry = try #require(
            exam.scenarios.flatMap { scenario in scenario.cases.map { ExamEntry(scenario: scenario, item: $0) } }
                .first { "\($0.id)" == id })
        return try await exam.evidence(of: entry, as: .session, breaking: breakage, deadline: 20_000)
    }

    private static func violations(in evidence: CaseEvidence) -> [String] {
        (evidence.journal ?? []).compactMap { entry in
            guard case .frameViolation(let note) = entry.event else { return nil }
            return note.kind
        }
    }
}
