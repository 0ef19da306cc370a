import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

/// What the adapters that are scripts declare of their clients, and what they can tell them.
@Suite(.limit(minutes: 5))
struct ScriptAbilityTests {
    /// Where the library is not installed the test is left out.
    private func adapter(_ name: String, _ options: [String] = []) async throws -> Adapter {
        let outcome = try await Adapter.python(name).run(input: [], arguments: ["--version"])
        if outcome.status == 69 { try Test.cancel("\(outcome.err); Scripts/install-packages.sh test installs it") }
        return Adapter.python(name, options)
    }

    private func abilities(_ adapter: Adapter) async throws -> Set<Ability> {
        // No process listens there.
        let header = try await adapter.run([step("http://127.0.0.1:9/")]).header
        let words = try #require(header?.abilities)
        let abilities = words.compactMap { Ability(rawValue: $0) }
        #expect(abilities.count == words.count, "\(words)")
        return Set(abilities)
    }

    @Test func `each declares abilities that there are, and none that takes callbacks`() async throws {
        let everybody: Set<Ability> = [.methods, .redirects, .redirectRefuse, .cookieJar, .proxy, .trust, .identity]
        let nobody: Set<Ability> = [
            .callbacks, .metrics, .trustQuestion, .identityQuestion, .suspend, .sessionEnd, .urlProtocol, .fetch,
            .foundation,
        ]
        for name in ["curl", "requests", "aiohttp"] {
            let has = try await abilities(adapter(name))
            #expect(has.isSuperset(of: everybody) && has.isDisjoint(with: nobody), "\(name): \(has)")
        }
    }

    @Test func `the jar of aiohttp takes cookies from addresses when it is told to`() async throws {
        #expect(try await !abilities(adapter("aiohttp")).contains(.cookiesFromAddresses))
        #expect(try await abilities(adapter("aiohttp", ["--unsafe-cookies"])).contains(.cookiesFromAddresses))
    }

    @Test(arguments: ["nothing", "closes", "waits", "error", "empty", "zeros"])
    func `who looks at nothing declares all abilities that there are`(name: String) async throws {
        #expect(try await abilities(Adapter.nobody(name)) == Set(Ability.allCases))
    }

    @Test func `who looks at nothing does what it says`() async throws {
        let server = try PlainServer.usual()
        defer { server.stop() }
        let asked = step("\(server.base)/echo?a=b", "POST") { $0.body = Assignment.Bytes(text: "ab") }
        let nothing = try await Adapter.nobody("nothing").run([asked])
        #expect(nothing.status == 0 && nothing.lines.isEmpty && server.requests.isEmpty)
        let first = try await Adapter.nobody("closes").run([asked])
        #expect(first.lines.map(\.symbol) == ["resume"])
        let empty = try await Adapter.nobody("empty").run([asked, step("\(server.base)/moved")])
        #expect(empty.lines.map(\.symbol) == ["resume", "result", "resume", "result"])
        #expect(empty.result(of: 1)?.number("status") == 200 && empty.result(of: 1)?.text("body") == "")
        #expect(empty.result(of: 1)?.text("url") == "\(server.base)/moved" && empty.result(of: 1)?.text("error") == nil)
        // The last of them may have come to the listener alone.
        let seen = server.requests.filter { $0.method == "POST" }
        #expect(seen.count == 2 && seen.allSatisfy { $0.target == "/echo?a=b" && $0.body == "ab" }, "\(seen)")
    }

    // MARK: Redirects

    private static func chain() throws -> PlainServer {
        try PlainServer { request in
            switch request.target {
            case "/one": PlainServer.reply(302, "first", "Location: /two")
            case "/two": PlainServer.reply(302, "second", "Location: /three")
            default: PlainServer.reply(200, "\(request.method) \(request.headers["x-seen"] ?? "no")")
            }
        }
    }

    @Test func `requests answers redirects one by one`() async throws {
        let server = try Self.chain()
        defer { server.stop() }
        let adapter = try await adapter("requests")
        func ask(_ answers: [Assignment.RedirectAnswer]) async throws -> Report {
            try await adapter.run([step("\(server.base)/one") { $0.onRedirect = answers }])
        }
        let refused = try await ask([Assignment.RedirectAnswer.follow, Assignment.RedirectAnswer.refuse])
        #expect(refused.result()?.text("body") == "second" && refused.result()?.text("error") == nil)
        let changed = try await ask([
            Assignment.RedirectAnswer.change(
                method: nil, url: "\(server.base)/elsewhere", headers: [["X-Seen", "yes"]])
        ])
        #expect(changed.result()?.text("body") == "GET yes")
        #expect(changed.result()?.text("url") == "\(server.base)/elsewhere")
        let cancelled = try await ask([Assignment.RedirectAnswer.follow, Assignment.RedirectAnswer.cancel])
        #expect(cancelled.lines.map(\.symbol) == ["resume", "cancel", "result"])
        #expect(cancelled.result()?.text("error") == "cancelled")
        #expect(server.requests.map(\.target) == ["/one", "/two", "/one", "/elsewhere", "/one", "/two"])
    }

    // MARK: Cancelling

    @Test(arguments: ["requests", "aiohttp"], ["response", "data"])
    func `a load is cancelled where it is asked for`(name: String, event: String) async throws {
        let server = try PlainServer { _ in "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nsome" }
        defer { server.stop() }
        let report = try await adapter(name).run([
            step(server.base) { $0.cancelAt = Assignment.Moment(event) }
        ])
        #expect(report.lines.map(\.symbol) == ["resume", "cancel", "result"])
        #expect(report.result()?.text("error") == "cancelled")
        #expect(report.result()?.number("status") == 200)
        #expect((report.result()?.number("bytes") ?? 0 > 0) == (event == "data"))
    }

    // MARK: Credentials

    @Test func `requests answers Digest, and sends no Basic unasked`() async throws {
        let server = try PlainServer { request in
            let scheme = request.target == "/basic" ? "Basic" : "Digest nonce=\"n\", qop=\"auth\","
            return request.headers["authorization"]?.hasPrefix("Digest username=\"u\"") == true
                ? PlainServer.reply(200, "in")
                : PlainServer.reply(401, "no", "WWW-Authenticate: \(scheme) realm=\"it\"")
        }
        defer { server.stop() }
        let adapter = try await adapter("requests")
        let use = [
            Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p")),
            Assignment.ChallengeAnswer.cancel,
        ]
        let asked = ["/digest", "/basic"].map { path in
            step("\(server.base)\(path)") {
                $0.onChallenge = use
                $0.challengeCount = 1
            }
        }
        let report = try await adapter.run(asked)
        #expect(report.result()?.text("body") == "in")
        #expect(report.lines.map(\.ev) == ["resume", "result", "resume", "unimplemented"])
        #expect(report.lines.last?.arg?.hasPrefix("steps[1].onChallenge: requests") == true)
        #expect(server.requests.map { $0.headers["authorization"] != nil } == [false, true, false])
    }

    @Test func `answers behind those that a right client comes to are no reason to refuse`() async throws {
        let server = try PlainServer.usual()
        defer { server.stop() }
        let answers = [
            Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p")),
            Assignment.ChallengeAnswer.cancel,
        ]
        func ask(_ count: Int?) async throws -> Report {
            try await Adapter.curl.run([
                step("\(server.base)/secret") {
                    $0.onChallenge = answers
                    $0.challengeCount = count
                }
            ])
        }
        #expect(try await ask(1).result()?.text("body") == "hello")
        for count in [nil, 2] {
            let refused = try await ask(count)
            #expect(refused.lines.map(\.ev) == ["unimplemented"])
        }
    }
}
