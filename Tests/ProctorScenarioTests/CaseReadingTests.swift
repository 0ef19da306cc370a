import ProctorScenario
import ProctorTrace
import Testing

struct CaseReadingTests {
    private func aCase(_ body: String) throws -> Case {
        let scenario = try load(
            "summary: s\norigins: { other: {} }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
                + "cases:\n  c:\n" + body.split(separator: "\n").map { "    \($0)\n" }.joined())
        return try #require(scenario.cases.first)
    }

    @Test func `a client program has defaults`() throws {
        let program = try #require(try aCase("client: { url: /a }").client.first)
        #expect(program.method == "GET")
        #expect(program.task == .data)
        #expect(program.bodyForm == .data)
        #expect(program.onResponse == .allow)
        #expect(program.onBodyStream == .fresh)
        #expect(program.onChallenge.isEmpty)
        #expect(program.cancelAt == nil && program.timeout == nil && program.resume == nil)
        #expect(program.onRedirect.count == 1)
        guard case .follow? = program.onRedirect.first else {
            Issue.record("a redirect is followed when nothing is said")
            return
        }
    }

    @Test func `steps, answers and lanes of steps are read`() throws {
        let found = try aCase(
            """
            kind: observes
            summary: c
            spec: [a, b]
            client:
              - { url: /a, cancelAt: data, timeout: 2.5s, headers: { A: b } }
              - resume: 0
                task: download
                onRedirect: [refuse, cancel, { change: { method: PUT, url: "{{origin.other}}/x", headers: { B: c } } }]
                onChallenge: [{ use: "user:pass:word" }, use-none, default, cancel, reject, never]
            task[0]: response(200) complete(cancelled)
            download[1]: |
              # a comment
              downloadResumed progress*
              fileReady complete(ok)
            session: sessionInvalid?
            with: bodySent* & waiting?
            """)
        #expect(found.kind == .observes)
        #expect(found.spec == ["a", "b"])
        #expect(found.lanes.keys.sorted() == ["download[1]", "session", "task"])
        #expect(found.ambient.keys.sorted() == ["download[1]", "task"])
        #expect(found.client.map(\.resume) == [nil, 0])
        #expect(found.client.first?.timeout == .milliseconds(2500))
        #expect(found.client.first?.cancelAt == "data")
        let second = try #require(found.client.last)
        #expect(
            second.onChallenge == [
                .use(user: "user", password: "pass:word"), .useNone, .performDefault, .cancel, .reject, .never,
            ])
        guard case .change(let method, let url, let headers)? = second.onRedirect.last else {
            Issue.record("the last answer changes the request")
            return
        }
        #expect(method == "PUT")
        #expect(url?.parts == [.origin(1), .literal("/x".bytes)])
        #expect(headers.map(\.name) == ["B".bytes])
    }

    @Test func `what may be interleaved can be said by lane`() throws {
        let found = try aCase(
            """
            client: { url: /a }
            task: response(200) complete
            proto: p.init
            with: { task: bodySent*, proto: p.stop? }
            """)
        #expect(found.ambient.mapValues(\.text) == ["task": "bodySent*", "proto": "p.stop?"])
    }

    @Test func `facts are read with every kind of value`() throws {
        let found = try aCase(
            """
            client: [{ url: /a }, { url: /a }]
            facts:
              wire.count: 2
              wire[0].headers.Cookie: null
              wire[1].fields: [Host, Accept]
              wire[0].gap: { min: 0.5, max: 1e3 }
              connection[0].closedBy: client
              wire[1].connection: { same: "wire[0].connection" }
              url: "{{base}}/a"
              step[1].status: 200
              step[0].body.length: { max: 5 }
            """)
        #expect(
            found.facts.map(\.name.text) == [
                "wire.count", "wire[0].headers.Cookie", "wire[1].fields", "wire[0].gap", "connection[0].closedBy",
                "wire[1].connection", "url", "step[1].status", "body.length",
            ])
        #expect(
            found.facts.map(\.expected) == [
                .text(Template(parts: [.literal("2".bytes)])), .absent,
                .list([Template(parts: [.literal("Host".bytes)]), Template(parts: [.literal("Accept".bytes)])]),
                .range(minimum: 0.5, maximum: 1000), .text(Template(parts: [.literal("client".bytes)])),
                .same(.wire(index: 0, .connection)), .text(Template(parts: [.base, .literal("/a".bytes)])),
                .text(Template(parts: [.literal("200".bytes)])), .range(minimum: nil, maximum: 5),
            ])
    }

    @Test func `every name of a fact reads back as it prints`() throws {
        let names: [FactName] =
            [.requestCount, .connectionCount, .wire(index: 3, .header("X-A")), .wire(index: 0, .bodyLength)]
            + FactName.ConnectionFact.allCases.map { .connection(index: 2, $0) }
            + FactName.ClientFact.allCases.flatMap { [.client(step: 0, $0), .client(step: 4, $0)] }
        for name in names { #expect(try FactName(parsing: name.text) == name) }
    }
}
