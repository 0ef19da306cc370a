import Foundation
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct AssignmentTests {
    private func assignment(_ client: String) throws -> Assignment {
        let scenario = try load(
            """
            summary: s
            origins: { other: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
        let context = TemplateContext(
            base: Array("http://127.0.0.1:1/x".utf8),
            authorities: [Array("127.0.0.1:1".utf8), Array("127.0.0.1:2".utf8)])
        return try #require(scenario.cases.first).assignment(scenario: "a/b", run: "r1", in: context)
    }

    @Test func `late-bound text is filled in`() throws {
        let made = try assignment(
            """
            [{ url: /a, headers: { A: "{{origin.other}}" }, onRedirect: { change: { url: "{{origin.other}}/z" } } },
             { url: "{{origin}}/b" }]
            """)
        #expect(made.base == "http://127.0.0.1:1/x")
        #expect(made.run == "r1" && made.scenario == "a/b" && made.caseName == "c")
        #expect(made.steps.map(\.url) == ["http://127.0.0.1:1/x/a", "http://127.0.0.1:1/b"])
        #expect(made.steps[0].headers == [["A", "http://127.0.0.1:2"]])
        #expect(made.steps[0].onRedirect == [.change(method: nil, url: "http://127.0.0.1:2/z", headers: [])])
        #expect(made.steps[1].onRedirect == [.follow])
        #expect(made.session == SessionSetup())
    }

    @Test func `blanks before a URL stay before the base, and a text in its place is handed over as it is`() throws {
        let made = try assignment(
            #"""
            [{ url: " \t/a " }, { url: "  " }, { url: " {{origin.other}}/b" }, { url: { verbatim: "" } }, { url: { verbatim: /a } },
             { url: { verbatim: "#{{base}}" } }]
            """#)
        #expect(
            made.steps.map(\.url) == [
                " \thttp://127.0.0.1:1/x/a ", "  http://127.0.0.1:1/x", " http://127.0.0.1:2/b", "", "/a", "#{{base}}",
            ])
    }

    @Test func `a scripted redirect is told any Location that stays on this machine`() throws {
        let made = try assignment(
            """
            { url: /a, protocol: [redirect page, "redirect 307 ../b/c?d", "redirect ?q", "redirect #f", "redirect {{origin.other}}/z"] }
            """)
        #expect(
            made.steps[0].protocolScript?.map(\.argument) == [
                "page", "307 ../b/c?d", "?q", "#f", "http://127.0.0.1:2/z",
            ])
    }

    @Test func `a credential goes in parts: user and password, or a token`() throws {
        let made = try assignment(
            """
            { url: /a, onChallenge: [{ use: { user: "a:b", password: c } }, { use: { token: T== }, persistence: permanent },
                                     { twice: { token: U } }, { cancel-task-then-use: { user: "", password: "" } }] }
            """)
        #expect(
            made.steps[0].onChallenge == [
                .use(Assignment.Credential(user: "a:b", password: "c", persistence: .none)),
                .use(Assignment.Credential(user: "", password: "", token: "T==", persistence: .permanent)),
                .twice(Assignment.Credential(user: "", password: "", token: "U", persistence: .none)),
                .cancelTaskThenUse(Assignment.Credential(user: "", password: "", persistence: .none)),
            ])
    }

    @Test func `every key of a program reaches the adapter, and its JSON reads back the same`() throws {
        let made = try assignment(
            """
            [{ method: PUT, url: /a, body: "ä\\"\\n", bodyForm: bound-pair, task: upload, onRedirect: [never, twice, cancel-then-refuse],
               onChallenge: [{ use: "u:p:q", persistence: session }, { twice: "u:p" }, { cancel-task-then-use: "u:p" }, cancel-task],
               onResponse: never, onBodyStream: never, onWillCache: none, answerAfter: 300ms, cancelAt: { event: data, count: 2 },
               suspendAt: response, suspendFor: 1.5s, timeout: 2s, cachePolicy: cache-only,
               protocol: [response 200, data hello world, finish, fail -1004, redirect /b, challenge basic, cancel-challenge,
                          cached-response-valid, wait 50ms, { call: block 300ms, thread: other }, await-answer, await-stop],
               session: { delegates: both, queue: concurrent, end: invalidate, endAt: response, cookies: never, cache: 4096,
                          requestTimeout: 1s, resourceTimeout: 2s, proxy: other } },
             { url: /b, task: download, cancelAt: progress, resumeData: true, body: { base64: "/wA=" },
               schedule: { start: later, on: thread, mode: other } }, { resume: 1, task: download },
             { url: /b, page: "{{origin.other}}/page", fetch: { mode: no-cors, credentials: include, redirect: manual, referrerPolicy: unsafe-url } },
             { url: /b, task: download, download: { deletesFileUponFailure: false, destination: a.txt, overwrites: true } }]
            """)
        let first = made.steps[0]
        #expect(first.body == .init(text: "ä\"\n"))
        #expect(
            first.onChallenge.first == .use(Assignment.Credential(user: "u", password: "p:q", persistence: .session)))
        #expect(first.cancelAt == .init("data", count: 2))
        #expect(first.suspendFor == 1500 && first.answerAfter == 300 && first.timeout == 2000)
        #expect(first.protocolScript?.count == 12)
        #expect(first.protocolScript?[1] == .init("data", "hello world"))
        #expect(first.protocolScript?[4] == .init("redirect", "http://127.0.0.1:1/x/b"))
        #expect(first.protocolScript?[9] == .init("block", "300", isOnOtherThread: true))
        #expect(made.session.proxy == "127.0.0.1:2")
        #expect(made.session.endAt == .init("response"))
        #expect(made.steps[1].body == .init(base64: "/wA="))
        #expect(made.steps[2].resume == 1)
        var schedule = Assignment.Schedule()
        (schedule.start, schedule.place, schedule.mode) = (.later, .thread, .other)
        #expect(made.steps[1].schedule == schedule && first.schedule == nil)
        #expect(made.steps[2].download == nil)
        #expect(made.steps[3].page == "http://127.0.0.1:2/page")
        var fetch = Assignment.FetchOptions()
        (fetch.mode, fetch.credentials, fetch.redirect, fetch.referrerPolicy) = (.noCORS, .include, .manual, .unsafeURL)
        #expect(made.steps[3].fetch == fetch && first.fetch == nil && first.page == nil)
        #expect(made.steps[4].download?.deletesFileUponFailure == false)
        #expect(made.steps[4].download?.destination == "a.txt" && made.steps[4].download?.overwrites == true)
        let read = try JSONDecoder().decode(Assignment.self, from: Data(made.json))
        #expect(read == made)
    }

    @Test func `the calls of a script are told in the words that adapters read`() throws {
        let made = try assignment(
            """
            { url: /a, protocol: [response 204, response 200 memory text/html;a=b, response 200 not-allowed, data, "data  two  words",
              fail timedOut, fail -1004, "fail NSURLErrorDomain#-5", fail NSPOSIXErrorDomain#54, redirect /b, redirect 302 /b,
              "redirect 307 {{origin.other}}/c", challenge clientCert, wait 1.5s, block 100us] }
            """)
        #expect(
            made.steps[0].protocolScript == [
                .init("response", "204"), .init("response", "200 text/html;a=b memory"),
                .init("response", "200 not-allowed"), .init("data", ""), .init("data", " two  words"),
                .init("fail", "-1001"), .init("fail", "-1004"), .init("fail", "-5"),
                .init("fail", "NSPOSIXErrorDomain#54"),
                .init("redirect", "http://127.0.0.1:1/x/b"), .init("redirect", "http://127.0.0.1:1/x/b"),
                .init("redirect", "307 http://127.0.0.1:2/c"), .init("challenge", "clientCert"), .init("wait", "1500"),
                .init("block", "1"),
            ])
    }

    @Test func `every answer is told by its name in the fixture`() throws {
        let redirects = ["follow", "refuse", "cancel", "cancel-then-follow", "cancel-then-refuse", "never", "twice"]
        let plain = ["use-none", "default", "cancel", "cancel-task", "reject", "never"]
        let credentials = ["use", "twice", "cancel-task-then-use"]
        let made = try assignment(
            """
            { url: /a, onRedirect: [\(redirects.joined(separator: ", ")), { change: { method: PUT, headers: { A: b } } }],
              onChallenge: [\(plain.joined(separator: ", ")), \(credentials.map { "{ \($0): 'u:p' }" }.joined(separator: ", "))] }
            """)
        #expect(made.steps[0].onRedirect.map(\.word) == redirects + ["change"])
        #expect(made.steps[0].onRedirect.last == .change(method: "PUT", url: nil, headers: [["A", "b"]]))
        #expect(made.steps[0].onChallenge.map(\.word) == plain + credentials)
        for answer in made.steps[0].onChallenge.suffix(3) {
            #expect(answer.credential == ClientProgram.Credential(user: "u", password: "p"))
        }
    }

    @Test func `moments are told by event and count`() throws {
        let made = try assignment(
            """
            [{ url: /a, cancelAt: before-resume, suspendAt: { event: response } }, { url: /a, cancelAt: after-resume },
             { url: /a, cancelAt: { event: data, count: 3 }, suspendAt: { event: data, count: 2 }, suspendFor: 1s }]
            """)
        #expect(
            made.steps.map(\.cancelAt) == [.init("before-resume"), .init("after-resume"), .init("data", count: 3)])
        #expect(made.steps.map(\.suspendAt) == [.init("response"), nil, .init("data", count: 2)])
        #expect(made.steps.map(\.suspendFor) == [100, 0, 1000])
    }

    @Test func `a long body is given as a unit and a count`() throws {
        let made = try assignment("{ method: POST, url: /a, body: { repeat: ab, bytes: 1000000000 } }")
        #expect(made.steps[0].body == .init(text: "ab", count: 1_000_000_000))
    }

    @Test func `a body that is too long to be spelled out is refused`() throws {
        #expect(throws: AssignmentFailure.self) {
            try assignment("{ method: POST, url: /a, body: { pattern: offset, bytes: 100000000 } }")
        }
    }

    @Test func `the watchdog waits for the program's own waits`() throws {
        let short = try assignment("{ url: /a }")
        let long = try assignment("{ url: /a, timeout: 20s, protocol: [wait 5s, finish] }")
        #expect(long.deadline >= short.deadline + 25_000)
    }
}

struct TrustAssignmentTests {
    private static let alice = Assignment.Identity(
        name: "alice", certificate: "/ca/alice.pem", key: "/ca/alice.key", pkcs12: "/ca/alice.p12",
        passphrase: "proctor")

    private func assignment(_ client: String, trust: TrustFiles?) throws -> Assignment {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https }, plain: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: \(client) } }
            """)
        let context = TemplateContext(
            base: Array("https://127.0.0.1:1".utf8), authorities: ["127.0.0.1:1".bytes, "127.0.0.1:2".bytes],
            schemes: scenario.origins.map(\.scheme), trust: trust)
        return try #require(scenario.cases.first).assignment(scenario: "a/b", run: "r1", in: context)
    }

    private let files = TrustFiles(authority: "/ca/ca.pem", identities: ["alice": alice])

    @Test func `origins have the schemes of their own`() throws {
        let made = try assignment(
            #"[{ url: /a }, { url: "{{origin.plain}}/b" }, { url: "{{origin.main}}/c" }]"#, trust: files)
        #expect(made.steps.map(\.url) == ["https://127.0.0.1:1/a", "http://127.0.0.1:2/b", "https://127.0.0.1:1/c"])
    }

    @Test func `the authority is trusted unless the session says otherwise`() throws {
        #expect(try assignment("{ url: /a }", trust: files).session.trust == "/ca/ca.pem")
        #expect(
            try assignment("{ url: /a, session: { trust: authority } }", trust: files).session.trust == "/ca/ca.pem")
        #expect(try assignment("{ url: /a, session: { trust: none } }", trust: files).session.trust == nil)
        #expect(try assignment("{ url: /a }", trust: nil).session.trust == nil)
    }

    @Test func `an identity comes with its files, for the session and as an answer`() throws {
        let made = try assignment(
            "{ url: /a, onChallenge: [trust, { identity: alice }, default], session: { identity: alice } }",
            trust: files)
        #expect(made.session.identity == Self.alice)
        #expect(
            made.steps[0].onChallenge == [.trust, .identity(Self.alice), .performDefault])
    }
}
