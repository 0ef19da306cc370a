import Foundation
import ProctorClientTesting
import ProctorEvents
import ProctorProgram
import ProctorRecorder
import ProctorRemoteTesting
import ProctorTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exams whose server is another process.
@Suite(.limit(minutes: 5))
struct RemoteExamTests {
    private func form(_ exam: Exam) -> URLRequest {
        var request = URLRequest(url: exam.url("/form"))
        request.httpMethod = "POST"
        request.httpBody = Data("a=1".utf8)
        return request
    }

    @Test func `the user's own delegate answers and is judged, and the run is deleted`() async throws {
        let server = try await ServerElsewhere.start(token: "secret")
        let place = RemoteServer.server(server.base, token: "secret")
        try await withScenario("redirect/302-post-becomes-get", case: "refuse", on: place) { exam in
            #expect(exam.scenarioID == "redirect/302-post-becomes-get" && exam.caseName == "refuse")
            let count = try await server.openRuns().count
            #expect(count == 1)
            exam.session(delegate: RefusingDelegate()).dataTask(with: form(exam)).resume()
        }
        // Another case of the same client fails, so that something was judged.
        let failure = await thrown {
            try await withScenario("redirect/302-post-becomes-get", case: "follow", on: place) { exam in
                exam.session().dataTask(with: exam.url("/form")).resume()
            }
        }
        #expect(failure.contains("\nfail: redirect/302-post-becomes-get#follow"), "\(failure)")
        #expect(failure.contains("got request(GET /form)"), "\(failure)")
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a URLProtocol of the user's own is driven and judged`() async throws {
        let server = try await ServerElsewhere.start()
        let place = RemoteServer.server(server.base)
        try await withScenario("plain/get", on: place) { exam in
            let events = await exam.load(URLRequest(url: exam.url("/hello")), with: OwnProtocol.self)
            #expect(events.contains { $0.lane == .protocolClient && $0.name == .response })
        }
        let failure = await thrown {
            try await withScenario("plain/get", on: place) { exam in
                _ = await exam.load(URLRequest(url: exam.url("/hello")), with: EndingTwice.self)
            }
        }
        #expect(failure.contains("fail: plain/get#get") && failure.contains("R39"), "\(failure)")
    }

    @Test func `what is awaited, and the case's own program`() async throws {
        let server = try await ServerElsewhere.start()
        let place = RemoteServer.server(server.base)
        try await withScenario("shape/get", case: "async", on: place) { exam in
            let recorder = exam.recorder()
            let session = recorder.session()
            let (data, _) = try await recorder.data(for: URLRequest(url: exam.url("/page")), in: session)
            #expect(data == Data("hello\n".utf8))
            recorder.invalidate(session)
        }
        // The program is about URLSession's callbacks; beside thousands of tests the pool of tasks may be taken for half a minute.
        try await withScenario(
            "redirect/302-get-stays-get", case: "change", on: place, within: .seconds(250)
        ) { exam in
            let ending = try await exam.performProgram()
            #expect(ending == .finished)
        }
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a reply goes on as soon as the callback has come`() async throws {
        let server = try await ServerElsewhere.start()
        let start = ContinuousClock.now
        try await withScenario(
            yaml: """
                summary: The rest comes when the beginning was seen
                exchanges:
                  - request: GET /page
                    reply: { status: 200, body: hello, effects: [ { at: body 2, do: { await: response, within: 250s } } ] }
                cases:
                  get: { client: { url: /page }, wire: request(GET /page), task: response(200) data+ complete(ok) }
                """, on: .server(server.base)
        ) { exam in
            #expect(exam.scenarioID == "inline" && exam.caseName == "get")
            exam.session().dataTask(with: exam.url("/page")).resume()
        }
        // The bound would be over only then.
        #expect(ContinuousClock.now - start < .seconds(240))
    }

    @Test func `a scenario without cases is judged by what holds for every client`() async throws {
        let server = try await ServerElsewhere.start()
        let yaml = "{ summary: A page, exchanges: [{ request: GET /, reply: { status: 200, body: a } }] }"
        try await withScenario(yaml: yaml, on: .server(server.base)) { exam in
            exam.session().dataTask(with: exam.url("/")).resume()
        }
        let failure = await thrown {
            try await withScenario(yaml: yaml, on: .server(server.base)) { exam in
                exam.session().dataTask(with: exam.url("/other")).resume()
            }
        }
        #expect(failure.contains("fail: inline#requests") && failure.contains("/other"), "\(failure)")
        let program = await thrown {
            try await withScenario(yaml: yaml, on: .server(server.base)) { exam in
                _ = try await exam.performProgram()
            }
        }
        #expect(program == "inline has no case, and so no program: drive a client of your own")
    }

    @Test func `deviations that the ledger lists are known`() async throws {
        let server = try await ServerElsewhere.start()
        let post = { @Sendable (exam: Exam) in
            exam.session().dataTask(with: exam.url("/form")).resume()
        }
        let ledger = """
            client: mine
            deviations:
              redirect/302-post-becomes-get#refuse:
                because: it follows whatever is said
                causes: ["requests: another method", "lane task: got response, wanted redirect", "fact status: more", fact body]
            """
        try await withScenario(
            "redirect/302-post-becomes-get", case: "refuse", on: .server(server.base), ledger: ledger, post)
        let mistake = await thrown {
            try await withScenario(
                "redirect/302-post-becomes-get", case: "refuse", on: .server(server.base), ledger: "clint: mine", post)
        }
        #expect(mistake.contains("body:1:1:") && mistake.contains("did you mean \"client\"?"), "\(mistake)")
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `what a client must trust and show comes as bytes`() async throws {
        let server = try await ServerElsewhere.start()
        let failure = await thrown {
            try await withScenario("tls/client/required", case: "download", on: .server(server.base)) { exam in
                let path = try #require(exam.trust)
                #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("-----BEGIN CERTIFICATE-----"))
                // A SEQUENCE, in DER.
                #expect(exam.trustAnchor?.first == 0x30)
                let assignment = try await exam.assignment()
                #expect(assignment.session.trust?.hasPrefix("data:application/x-pem-file;base64,") == true)
                let identities = assignment.steps.flatMap(\.onChallenge).compactMap { answer in
                    if case .identity(let identity) = answer { identity } else { nil }
                }
                let identity = try #require(identities.first)
                #expect(identity.pkcs12Data?.first == 0x30 && !identity.passphrase.isEmpty)
                throw Path(description: path)
            }
        }
        #expect(failure.hasPrefix("/") && !FileManager.default.fileExists(atPath: failure), "\(failure)")
    }

    private struct Path: Error, CustomStringConvertible {
        let description: String
    }
}

/// Bodies that do not end well, and servers that do not answer.
@Suite(.limit(minutes: 5))
struct RemoteFailureTests {
    @Test func `a redirect without an answer is a hang with its open question`() async throws {
        let server = try await ServerElsewhere.start()
        let failure = await thrown {
            try await withScenario(
                "redirect/302-get-stays-get", case: "follow", on: .server(server.base), within: .seconds(2)
            ) { exam in
                exam.session(delegate: SilentDelegate()).dataTask(with: exam.url("/start")).resume()
            }
        }
        #expect(failure.contains("hang: redirect/302-get-stays-get#follow"), "\(failure)")
        #expect(failure.contains("after redirect(302) of task"), "\(failure)")
        #expect(failure.contains("redirect(302) may never have been answered"), "\(failure)")
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a body that would wait for ever is cancelled, and its verdict is that of the moment before`()
        async throws
    {
        let server = try await ServerElsewhere.start()
        let yaml = """
            summary: The rest never comes
            exchanges:
              - request: GET /page
                reply: { status: 200, body: hello, effects: [ { at: body 2, do: stall } ] }
            cases:
              get: { client: { url: /page }, wire: request(GET /page), task: response(200) data+ complete(ok) }
            """
        let failure = await thrown {
            try await withScenario(yaml: yaml, on: .server(server.base), within: .seconds(2)) { exam in
                exam.session().dataTask(with: exam.url("/page")).resume()
                try? await Task.sleep(for: .seconds(600))
            }
        }
        #expect(failure.contains("hang: inline#get"), "\(failure)")
        #expect(failure.contains("GET /page HTTP/1.1") && !failure.contains("cancelled"), "\(failure)")
        let waiting = await thrown {
            try await withScenario(yaml: yaml, on: .server(server.base), within: .seconds(2)) { exam in
                let recorder = exam.recorder()
                _ = try await recorder.data(for: URLRequest(url: exam.url("/page")), in: recorder.session())
            }
        }
        #expect(waiting.contains("the body had not ended after 2000 ms (within:), so it was cancelled"), "\(waiting)")
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a test that is cancelled, and a body that throws, leave no run`() async throws {
        let server = try await ServerElsewhere.start()
        let task = Task.detached {
            try await withScenario("plain/get", on: .server(server.base)) { _ in
                try await Task.sleep(for: .seconds(600))
            }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        struct Mine: Error {}
        await withKnownIssue {
            await #expect(throws: Mine.self) {
                try await withScenario("plain/get", on: .server(server.base)) { _ in throw Mine() }
            }
        } matching: {
            $0.comments.contains { $0.rawValue.hasPrefix("the body threw Mine(), and this is what was seen") }
        }
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a server that is missing, silent or guarded is told with what to do`() async throws {
        let unnamed = await thrown { try await withScenario("plain/get") { _ in } }
        #expect(unnamed.contains("no server is named: start one with proctor serve"), "\(unnamed)")
        let nobody = await thrown { try await withScenario("plain/get", on: .server("http://127.0.0.1:1")) { _ in } }
        #expect(nobody.hasPrefix("no server answers at http://127.0.0.1:1: "), "\(nobody)")
        let wrong = await thrown { try await withScenario("plain/get", on: .server("127.0.0.1:8088")) { _ in } }
        #expect(wrong.contains("'127.0.0.1:8088' is no URL of a server"), "\(wrong)")

        let server = try await ServerElsewhere.start(token: "secret")
        let without = await thrown { try await withScenario("plain/get", on: .server(server.base)) { _ in } }
        #expect(without.contains("wants its token: say on: .server(URL, token: TEXT)"), "\(without)")
        let other = await thrown {
            try await withScenario("plain/get", on: .server(server.base, token: "guess")) { _ in }
        }
        #expect(other.contains("has another token than the one that was sent"), "\(other)")
    }

    @Test func `an unknown scenario or case is told with the nearest, and leaves no run`() async throws {
        let server = try await ServerElsewhere.start()
        let place = RemoteServer.server(server.base)
        let scenario = await thrown { try await withScenario("plain/gett", on: place) { _ in } }
        #expect(scenario.contains("there is no scenario 'plain/gett'; did you mean 'plain/get'?"), "\(scenario)")
        let item = await thrown {
            try await withScenario("redirect/302-get-stays-get", case: "folow", on: place) { _ in }
        }
        #expect(item.contains("did you mean 'follow'?"), "\(item)")
        let none = await thrown { try await withScenario("redirect/302-get-stays-get", on: place) { _ in } }
        #expect(none.contains("say case: with one of follow, change, refuse, cancel"), "\(none)")
        let broken = await thrown { try await withScenario(yaml: "sumary: A cart", on: place) { _ in } }
        #expect(broken.contains("body:1:1: error: unknown key \"sumary\""), "\(broken)")
        #expect(try await server.openRuns().isEmpty)
    }

    @Test func `a server that ends under an exam is told`() async throws {
        let server = try await ServerElsewhere.start()
        let failure = await thrown {
            try await withScenario("plain/get", on: .server(server.base)) { _ in server.kill() }
        }
        #expect(failure.hasPrefix("plain/get#get was not judged: no server answers at http://127.0.0.1:"), "\(failure)")
    }
}
