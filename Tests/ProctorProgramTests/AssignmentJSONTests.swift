import Foundation
import ProctorProgram
import Testing

/// What an adapter is told, as JSON and read back by another reader.
struct AssignmentJSONTests {
    private static let identity = Assignment.Identity(
        name: "alice", certificate: "/tmp/ä.pem", key: "/tmp/a.key", pkcs12: "/tmp/a.p12", passphrase: "p\\r")

    private static func full() -> Assignment {
        var step = Assignment.Step(method: "PUT", url: "http://127.0.0.1:1/ä?\"\\")
        step.headers = [["A", "b"], ["a", ""]]
        step.body = .init(text: "x\u{feff}\n", base64: "AP8=", count: 1 << 40)
        step.bodyForm = .boundPair
        step.task = .upload
        step.onRedirect = [.never, .change(method: "GET", url: "/b", headers: [["C", "d"]])]
        step.onChallenge = [
            .use(Assignment.Credential(user: "ü", password: "p:q", persistence: .session)), .cancelTask,
            .twice(Assignment.Credential(user: "", password: "", token: "a.b-c")), .trust, .identity(identity),
        ]
        step.onResponse = .becomeDownload
        step.onBodyStream = .none
        step.onWillCache = .change(.init(body: "b", storage: .notAllowed, notes: ["d": "\"e\"", "c": ""]))
        step.onCanAuthenticate = false
        step.onCredentialStorage = true
        step.onShouldDecode = .byType([.init(type: "a/b", isDecoded: true), .init(type: "a/c", isDecoded: false)])
        step.onCanonicalize = .change(method: "PUT", url: "/c", headers: [["E", "f"]])
        step.answerAfter = 1
        step.cancelAt = .init("data", count: 2)
        step.suspendAt = .init("response")
        step.suspendFor = 3
        step.timeout = 4
        step.resume = 0
        step.isTogether = true
        step.producesResumeData = true
        step.download = Assignment.DownloadFileProgram()
        step.download?.deletesFileUponFailure = false
        step.download?.destination = "a \"b\".txt"
        step.download?.overwrites = true
        step.cachePolicy = .reload
        step.protocolScript = [.init("response", "200 text/html memory"), .init("finish", isOnOtherThread: true)]
        step.protocolScript?[0].headers = [["X-A", "a"], ["X-A", "b"]]
        step.protocolScript?[0].version = "HTTP/1.0"
        step.fieldNames = ["content-LENGTH"]
        step.byHand = [.setCookie("a=\"1\"; Path=/"), .deleteCookies, .removeCached, .deleteCookie("b")]
        step.reads = [.cookies, .cached]
        step.form = [["a", "b&c"], ["a", ""]]
        step.query = [["q", "ü"]]
        step.protocols = ["chat", "b.c"]
        step.conversation = [
            .send(.init(text: "ü"), isText: true), .send(.init(base64: "AP8="), isText: false), .ping, .receive(3),
            .close(code: 1000, reason: "bye"), .close(code: nil, reason: nil), .cancel,
        ]
        var session = SessionSetup()
        session.delegates = .both
        session.without = [.redirect, .shouldDecode]
        session.challengeMethods = .old
        session.queue = .main
        session.end = .finish
        session.endAt = .init("redirect", count: 7)
        session.cookies = .never
        session.cache = 0
        session.requestTimeout = 5
        session.resourceTimeout = 6
        session.connectionsPerHost = 2
        session.proxy = "127.0.0.1:9"
        session.trust = "/tmp/a \"ca\".pem"
        session.identity = identity
        return Assignment(
            scenario: "a/b", caseName: "c\u{7f}", base: "http://127.0.0.1:1", run: "r1", deadline: 9_000,
            session: session,
            steps: [step, Assignment.Step(url: "/")], awaited: ["data", "response"], needs: ["h2", "redirects"],
            protocolName: "h2")
    }

    /// Every key of a value that Swift itself would write, in any depth: `steps.0.cancelAt.count`.
    private static func keys(_ value: Any, _ path: String = "") -> Set<String> {
        if let object = value as? [String: Any] {
            return object.reduce(into: []) {
                $0.formUnion(keys($1.value, path + "." + $1.key).union([path + "." + $1.key]))
            }
        }
        if let list = value as? [Any] {
            return list.enumerated().reduce(into: []) {
                $0.formUnion(keys($1.element, "\(path).\($1.offset)").union(["\(path).\($1.offset)"]))
            }
        }
        return []
    }

    @Test func `a protocol is left out unless it is said, and only h2 is known`() throws {
        var made = Assignment(scenario: "a", caseName: "b", base: "http://127.0.0.1:1", steps: [.init(url: "/")])
        let object = try JSONSerialization.jsonObject(with: Data(made.json)) as? [String: Any]
        #expect(object?["protocol"] == nil && made.unknownWord() == nil)
        made.protocolName = "h2"
        #expect(made.unknownWord() == nil)
        made.protocolName = "h3"
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)).unknownWord() == "protocol: h3")
    }

    @Test func `every key is written and reads back the same`() throws {
        let made = Self.full()
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
        let keys = Self.keys(try JSONSerialization.jsonObject(with: Data(made.json)))
        for key in [
            ".steps.0.protocolScript.1.isOnOtherThread", ".steps.0.onRedirect.1.headers.0.1", ".session.endAt.count",
            ".steps.0.protocolScript.0.headers.1.1", ".steps.0.protocolScript.0.version", ".steps.0.fieldNames.0",
            ".steps.0.onWillCache.notes.c", ".steps.0.byHand.3.text", ".steps.0.reads.1", ".steps.0.form.1.1",
            ".steps.0.query.0.0", ".steps.0.protocols.1", ".steps.0.conversation.1.base64",
            ".steps.0.conversation.4.code",
            ".steps.0.conversation.3.count", ".steps.0.conversation.1.isText",
            ".steps.0.onChallenge.4.identity.pkcs12", ".steps.0.onChallenge.0.persistence", ".awaited.1",
            ".needs.1", ".protocol", ".session.without.1", ".steps.0.onShouldDecode.a/b",
            ".steps.0.onCanonicalize.headers.0.1",
        ] {
            #expect(keys.contains(key), "\(key)")
        }
    }

    @Test func `what is nil is left out, and reads back as nil`() throws {
        let made = Assignment(scenario: "a", caseName: "c", base: "b", steps: [Assignment.Step(url: "/")])
        let text = String(decoding: made.json, as: UTF8.self)
        #expect(!text.contains("null"))
        for key in [
            "without", "challengeMethods", "onCanAuthenticate", "onCredentialStorage", "onShouldDecode",
            "onCanonicalize", "run", "body\"", "cancelAt", "timeout", "proxy", "trust", "identity", "endAt",
            "protocolScript", "answerAfter", "fieldNames", "byHand", "reads", "together", "connectionsPerHost",
            "form\"", "query", "protocols", "conversation",
        ] {
            #expect(!text.contains("\"\(key)"), "\(key)")
        }
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
    }

    @Test func `a word that is not known is kept, and its property has the default`() throws {
        var text = String(decoding: Self.full().json, as: UTF8.self)
        for (known, word) in [
            ("\"task\":\"upload\"", "\"task\":\"carrier\""), ("\"queue\":\"main\"", "\"queue\":\"long\""),
            ("\"answer\":\"never\"", "\"answer\":\"perhaps\""),
            ("\"act\":\"ping\"", "\"act\":\"pong\""),
            ("\"onWillCache\":\"store\"", "\"onWillCache\":\"keep\""), ("\"call\":\"finish\"", "\"call\":\"stop\""),
        ] {
            #expect(text.contains(known))
            text = text.replacingOccurrences(of: known, with: word)
        }
        let read = try JSONDecoder().decode(Assignment.self, from: Data(text.utf8))
        #expect(read.session.unknownWords.map(\.key) == ["queue"])
        #expect(read.session.queue == .serial)
        #expect(
            read.steps[0].unknownWords.map { "\($0.key): \($0.word)" } == [
                "task: carrier", "onRedirect: perhaps", "conversation: pong",
            ])
        #expect(read.steps[0].task == .data)
        #expect(read.steps[1].unknownWords.map { "\($0.key): \($0.word)" } == ["onWillCache: keep"])
        #expect(read.steps[0].protocolScript?.last?.act == .unreadable("no protocol call \"stop\""))
    }

    @Test(arguments: [Assignment.DecodeAnswer.decode, .leave, .byType([.init(type: "a/b", isDecoded: true)])])
    func `an answer to shouldDecode reads back the same`(answer: Assignment.DecodeAnswer) throws {
        var made = Assignment(scenario: "a", caseName: "c", base: "b", steps: [Assignment.Step(url: "/")])
        made.steps[0].onShouldDecode = answer
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
    }

    @Test func `a method, an answer and a file's fate that are not known are kept`() throws {
        var text = String(decoding: Self.full().json, as: UTF8.self)
        for (known, word) in [
            ("\"without\":[\"redirect\"", "\"without\":[\"redirekt\""), ("\"a/c\":\"leave\"", "\"a/c\":\"burn\""),
            ("\"onCanonicalize\":{\"answer\":\"change\"", "\"onCanonicalize\":{\"answer\":\"mend\""),
        ] {
            #expect(text.contains(known))
            text = text.replacingOccurrences(of: known, with: word)
        }
        let read = try JSONDecoder().decode(Assignment.self, from: Data(text.utf8))
        #expect(read.session.unknownWords.map { "\($0.key): \($0.word)" } == ["without: redirekt"])
        #expect(read.session.without == [.shouldDecode])
        #expect(
            read.steps[0].unknownWords.map { "\($0.key): \($0.word)" }
                == ["onShouldDecode: burn", "onCanonicalize: mend"])
    }

    @Test func `protocol classes survive the way through JSON, and unknown words of theirs are kept`() throws {
        var made = Assignment(scenario: "a", caseName: "c", base: "b", steps: [Assignment.Step(url: "/")])
        made.session.protocols = [
            ProtocolClass("first", takes: .path("/app/*"), place: .global), ProtocolClass("second", takes: .https),
        ]
        made.session.isShared = true
        made.session.keepsObjects = true
        made.session.callsAtOnce = true
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
        let text = String(decoding: made.json, as: UTF8.self)
            .replacingOccurrences(of: "\"global\"", with: "\"everywhere\"")
            .replacingOccurrences(of: "\"https\"", with: "\"some\"")
        let read = try JSONDecoder().decode(Assignment.self, from: Data(text.utf8))
        #expect(read.session.unknownWords.map { "\($0.key): \($0.word)" } == ["place: everywhere", "takes: some"])
        #expect(read.session.protocols.map(\.takes) == [.path("/app/*"), .none])
    }

    @Test(arguments: [
        ("all", "http", "/a", true), ("none", "http", "/a", false), ("http", "HTTP", "/a", true),
        ("https", "http", "/a", false), ("/a", "http", "/a", true), ("/a", "http", "/ab", false),
        ("/a*", "http", "/ab", true), ("/app/*", "http", "/app", false),
    ])
    func `a protocol class takes what its word says`(word: String, scheme: String, path: String, isTaken: Bool) throws {
        let takes = try #require(ProtocolClass.Takes(word))
        #expect(takes.text == word)
        #expect(ProtocolClass("p", takes: takes).takes(scheme: scheme, path: path) == isTaken)
    }

    private struct Plain: ValueEncoder {
        func form(_ pairs: [[String]]) -> String { pairs.map { $0.joined(separator: "~") }.joined(separator: "!") }
        func query(_ pairs: [[String]]) -> String { form(pairs) }
    }

    @Test func `values that are to be encoded go into the body and the URL`() {
        var step = Assignment.Step(method: "POST", url: "http://h/a")
        step.form = [["a", "1"], ["b", "2"]]
        step.query = [["c", "3"]]
        var other = step
        other.url = "http://h/a?x"
        other.headers = [["content-type", "text/x-form"]]
        let made = Assignment(scenario: "a", caseName: "c", base: "b", steps: [step, other]).encoded(by: Plain())
        #expect(made.steps.map(\.url) == ["http://h/a?c~3", "http://h/a?x&c~3"])
        #expect(made.steps.map { $0.body?.text } == ["a~1!b~2", "a~1!b~2"])
        #expect(
            made.steps.map(\.headers)
                == [[["Content-Type", "application/x-www-form-urlencoded"]], [["content-type", "text/x-form"]]])
        #expect(made.steps.allSatisfy { $0.form == nil && $0.query == nil })
    }

    @Test func `it is one line`() {
        #expect(!Self.full().json.contains(0x0A))
    }

    @Test func `without a step nothing is lost`() throws {
        let made = Assignment(scenario: "", caseName: "", base: "", steps: [])
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
    }
}
