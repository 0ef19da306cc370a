import ProctorDocument
import ProctorEvents
import ProctorHTTP
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorNotation
@testable import ProctorScenario

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

    @Test func `a case of data tasks with an expression for downloads has a sitting as a download`() throws {
        let found = try aCase(
            """
            client: [{ url: /a }, { url: /a, task: download }, { url: /a }]
            task: response(200) complete(ok)
            download: fileReady complete(ok)
            download[1]: fileReady complete(ok)
            task[2]: response(200) complete(ok)
            with: bodySent*
            facts: { status: 200 }
            """)
        let other = try #require(found.asDownload)
        #expect(other.name == "c@download")
        #expect(other.isDownloadSitting && !found.isDownloadSitting)
        #expect(other.client.map(\.task) == [.download, .download, .download])
        #expect(other.lanes.keys.sorted() == ["download", "download[1]"])
        #expect(other.ambient.keys.sorted() == ["download", "download[1]"])
        #expect(other.facts.count == 1)
        #expect(other.asDownload == nil)
        #expect(try aCase("client: { url: /a }\ntask: response(200) complete(ok)").asDownload == nil)
        #expect(try aCase("client: { url: /a, task: download }\ndownload: fileReady complete(ok)").asDownload == nil)
    }

    @Test(arguments: [
        ("client: { url: /a, task: upload }", "task: upload is no download"),
        ("client: { url: /a, task: handler }", "task: handler is no download"),
        ("client: { url: /a, onResponse: cancel }", "onResponse: a download task asks for no disposition"),
        ("client: { url: /a, onWillCache: none }", "onWillCache: a download asks for no storing"),
        ("client: { url: /a, cancelAt: data }", #"cancelAt: "data" never comes for a download"#),
        ("client: { url: /a, body: x, bodyForm: stream }", "bodyForm: a download is given its content as data"),
        (
            "client: [{ url: /a }, { url: /a, suspendAt: response }]",
            #"step 1: suspendAt: "response" never comes for a download"#
        ),
    ])
    func `a case that no download can take has no expression for one`(client: String, reason: String) throws {
        let text =
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\ncases:\n  c:\n    \(client)\n"
            + "    download: fileReady complete(ok)\n"
        let (_, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: "s", file: "s.yaml")
        #expect(
            diagnostics.map(\.description) == [
                "s.yaml:6:5: error: the case can't be taken as a download: \(reason); leave \"download\" out"
            ])
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
        #expect(found.client.first?.timeout == 2500)
        #expect(found.client.first?.cancelAt == .event("data", count: 1))
        let second = try #require(found.client.last)
        #expect(
            second.onChallenge == [
                .use(ClientProgram.Credential(user: "user", password: "pass:word")), .useNone, .performDefault,
                .cancel, .reject, .never,
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

    private func program(_ keys: String) throws -> ClientProgram {
        try #require(try aCase("client: { url: /a, \(keys) }").client.first)
    }

    @Test func `a key that is left out has a default`() throws {
        let program = try #require(try aCase("client: { url: /a }").client.first)
        #expect(program.onWillCache == .store)
        #expect(program.answerAfter == nil && program.suspendAt == nil && program.cachePolicy == nil)
        #expect(!program.producesResumeData)
        #expect(program.protocolScript == nil && program.session == nil)
        #expect(try self.program("session: {}").session == SessionProgram())
        #expect(try self.program("protocol: []").protocolScript == [])
    }

    @Test func `every word of a client program stands for its value`() throws {
        for value in ClientProgram.TaskKind.allCases {
            #expect(try program("task: \(value.rawValue)").task == value)
        }
        for value in ClientProgram.Schedule.Start.allCases {
            #expect(try program("schedule: { start: \(value.rawValue) }").schedule?.start == value)
        }
        for value in ClientProgram.Schedule.Place.allCases {
            #expect(try program("schedule: { start: later, on: \(value.rawValue) }").schedule?.place == value)
        }
        for value in ClientProgram.FetchOptions.Mode.allCases {
            #expect(try program("page: /, fetch: { mode: \(value.rawValue) }").fetch?.mode == value)
        }
        for value in ClientProgram.FetchOptions.ReferrerPolicy.allCases {
            #expect(try program("page: /, fetch: { referrerPolicy: \(value.rawValue) }").fetch?.referrerPolicy == value)
        }
        for value in ClientProgram.BodyForm.allCases {
            #expect(try program("body: x, bodyForm: \(value.rawValue)").bodyForm == value)
        }
        for value in ClientProgram.ResponseAnswer.allCases {
            #expect(try program("onResponse: \(value.rawValue)").onResponse == value)
        }
        for value in ClientProgram.BodyStreamAnswer.allCases {
            #expect(try program("onBodyStream: \(value.rawValue)").onBodyStream == value)
        }
        for value in ClientProgram.WillCacheAnswer.plain {
            #expect(try program("onWillCache: \(value.word)").onWillCache == value)
        }
        #expect(
            try program("method: POST, form: { a: [b, ''], c: d }").form == [["a", "b"], ["a", ""], ["c", "d"]])
        #expect(try program("query: { a: 1 }").query == [["a", "1"]])
        #expect(
            try program(
                "task: websocket, conversation: [{ send: hi }, { send: { hex: 00ff } }, { send: hi, as: binary }, ping, "
                    + "receive, { receive: 2 }, { close: 1001, reason: off }]"
            ).conversation
                == [
                    .send(.init(text: "hi"), isText: true), .send(.init(base64: "AP8="), isText: false),
                    .send(.init(text: "hi"), isText: false), .ping, .receive(1), .receive(2),
                    .close(code: 1001, reason: "off"),
                ])
        #expect(try program("task: websocket, conversation: close").conversation == [.close(code: nil, reason: nil)])
        #expect(try program("task: websocket, protocols: [a, b]").protocols == ["a", "b"])
        #expect(
            try program("byHand: [delete-cookies, { set-cookie: a=1 }, remove-cached, { delete-cookie: b }]").byHand
                == [.deleteCookies, .setCookie("a=1"), .removeCached, .deleteCookie("b")])
        #expect(
            try program("onWillCache: { change: { body: a, storage: memory, notes: { b: c } } }").onWillCache
                == .change(Assignment.CachedChange(body: "a", storage: .memory, notes: ["b": "c"])))
        for value in ClientProgram.CachePolicy.allCases {
            #expect(try program("cachePolicy: \(value.rawValue)").cachePolicy == value)
        }
        #expect(try program("answerAfter: 1.5ms").answerAfter == 2)
    }

    @Test func `answers of old delegates stand for their values`() throws {
        let old = "session: { challengeMethods: old }"
        #expect(try program("onCanAuthenticate: false, \(old)").onCanAuthenticate == false)
        #expect(try program("onCredentialStorage: false").onCredentialStorage == false)
        #expect(try program("onShouldDecode: leave").onShouldDecode == .leave)
        let mixed = try #require(try program("onShouldDecode: { b/d: leave, a/c: decode }").onShouldDecode)
        #expect(mixed == .byType([.init(type: "a/c", isDecoded: true), .init(type: "b/d", isDecoded: false)]))
        #expect(mixed.decodes("A/C") && !mixed.decodes("b/d") && !mixed.decodes("x/y"))
        for word in ["accept", "refuse"] {
            #expect(try program("onCanonicalize: \(word)").onCanonicalize?.word == word)
        }
        #expect(try program("onCanonicalize: { change: { method: PUT } }").onCanonicalize?.word == "change")
        #expect(try program("timeout: 1s").onCanonicalize == nil)
    }

    @Test func `methods that a delegate lacks are read in order`() throws {
        for value in DelegateMethod.allCases {
            #expect(try program("session: { without: \(value.rawValue) }").session?.without == [value])
        }
        #expect(
            try program("session: { without: [willCache, redirect] }").session?.without == [.willCache, .redirect])
        for value in SessionProgram.ChallengeMethods.allCases {
            let session = try program("session: { challengeMethods: \(value.rawValue) }").session
            #expect(session?.challengeMethods == value)
        }
    }

    @Test func `every word of a session stands for its value`() throws {
        for value in SessionProgram.Delegates.allCases {
            #expect(try program("session: { delegates: \(value.rawValue) }").session?.delegates == value)
        }
        for value in SessionProgram.Queue.allCases {
            #expect(try program("session: { queue: \(value.rawValue) }").session?.queue == value)
        }
        for value in SessionProgram.Cookies.allCases {
            #expect(try program("session: { cookies: \(value.rawValue) }").session?.cookies == value)
        }
        for value in SessionProgram.End.allCases {
            let session = try program("session: { end: \(value.rawValue), endAt: { event: data, count: 2 } }").session
            #expect(session?.end == value && session?.endAt == .event("data", count: 2))
        }
        let session = try program("session: { cache: 0, requestTimeout: 1s, resourceTimeout: 2m, proxy: other }")
            .session
        #expect(session?.cache == 0 && session?.proxy == 1 && session?.endAt == nil)
        #expect(session?.requestTimeout == 1_000 && session?.resourceTimeout == 120_000)
    }

    @Test func `a moment may be any event that the task can bring`() throws {
        #expect(try program("cancelAt: before-resume").cancelAt == .beforeResume)
        #expect(try program("cancelAt: { event: after-resume, count: 1 }").cancelAt == .afterResume)
        for name in [
            "redirect", "challenge", "needBodyStream", "bodySent", "response", "data", "willCache", "complete",
        ] {
            #expect(try program("cancelAt: \(name)").cancelAt == .event(name, count: 1))
        }
        for name in ["progress", "fileReady", "downloadResumed", "complete"] {
            #expect(try program("task: download, cancelAt: \(name)").cancelAt == .event(name, count: 1))
            #expect(try program("onResponse: becomeDownload, cancelAt: \(name)").cancelAt == .event(name, count: 1))
        }
        #expect(try program("task: async, suspendAt: redirect").suspendAt == .event("redirect", count: 1))
        #expect(try program("task: download, cancelAt: progress, resumeData: true").producesResumeData)
    }

    @Test func `a script is read call by call`() throws {
        let script = try program(
            "protocol: [response 200 text/plain allowed, { call: data x, thread: other }, { call: finish, thread: client }, "
                + "fail A#-7, redirect 308 /b, block 20ms, cancel-challenge, cached-response-valid, await-answer, await-stop]"
        ).protocolScript
        #expect(
            script == [
                ProtocolCall(.response(status: 200, mime: "text/plain", storage: .allowed)),
                ProtocolCall(.data("x"), isOnOtherThread: true), ProtocolCall(.finish),
                ProtocolCall(.fail(domain: "A", code: -7)),
                ProtocolCall(.redirect(status: 308, target: Template(parts: [.literal("/b".bytes)]))),
                ProtocolCall(.block(.milliseconds(20))), ProtocolCall(.cancelChallenge),
                ProtocolCall(.cachedResponseIsValid), ProtocolCall(.awaitAnswer), ProtocolCall(.awaitStop),
            ])
    }

    @Test func `edges and broken rules are read, alone or in a list`() throws {
        let one = try aCase("client: { url: /a }\nedges: wire request[1] after harness answer(follow)\nbreaks: r39")
        #expect(one.edges.map(\.text) == ["wire request[1] after harness answer(follow)"])
        #expect(one.edges.first?.later.count == 2)
        #expect(one.breaks == [RuleNumber(39)])
        let two = try aCase(
            "client: [{ url: /a }, { url: /a }]\nedges: [task data after task response, 'handler[1] handler(ok) after task[1] metrics']\nbreaks: [R1, R58]"
        )
        #expect(two.edges.map(\.later.lane) == [LaneID(.task, 0), LaneID(.handler, 1)])
        #expect(two.breaks == [RuleNumber(1), RuleNumber(58)])
    }

    private static let clientFacts: [FactName.ClientFact] = [
        .status, .url, .body, .bodyLength, .mime, .textEncodingName, .suggestedName, .expectedLength, .statusText,
        .error,
        .errorMessage, .errorMessageLength, .header("X-A"), .proposedStorage, .measuredProtocol, .storedCookies,
        .storedCookie("a.b"), .storedProperty(.httpOnly, name: "a.b"), .cached(.body), .cachedNote("n"),
        .redirect(index: 3, .status), .redirect(index: 0, .url),
        .redirect(index: 1, .header("content-LENGTH")),
    ]

    @Test func `every name of a fact reads back as it prints`() throws {
        let names: [FactName] =
            [.requestCount, .connectionCount, .wire(index: 3, .header("X-A")), .wire(index: 0, .bodyLength)]
            + FactName.ConnectionFact.allCases.map { .connection(index: 2, $0) }
            + [.wire(index: 1, .query("a.b"))]
            + Self.clientFacts.flatMap { [.client(step: 0, $0), .client(step: 4, $0)] }
        for name in names { #expect(try FactName(parsing: name.text) == name) }
    }
}

/// `cookies:` of a case as a mapping.
struct CookieDemandReadingTests {
    @Test func `a demand on cookies pins an edition and says what the order weighs`() throws {
        let rows: [(String, Case.CookieDemand)] = [
            ("conforming: any", Case.CookieDemand()), ("conforming: rfc6265", Case.CookieDemand(edition: .rfc6265)),
            ("conforming: rfc6265bis", Case.CookieDemand(edition: .rfc6265bis)),
            ("conforming: any, order: required", Case.CookieDemand(order: .required)),
            ("order: recommended, conforming: any", .conforming),
            ("conforming: any, order: any", .conformingInAnyOrder),
            ("conforming: rfc6265bis, order: any", Case.CookieDemand(edition: .rfc6265bis, order: .any)),
        ]
        for (text, demand) in rows {
            let cases = try load(
                """
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, cookies: { \(text) } } }
                """
            ).cases
            #expect(cases.map(\.cookies) == [demand], "\(text)")
        }
    }
}
