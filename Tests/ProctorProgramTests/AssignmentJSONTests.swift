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
        step.onWillCache = .none
        step.answerAfter = 1
        step.cancelAt = .init("data", count: 2)
        step.suspendAt = .init("response")
        step.suspendFor = 3
        step.timeout = 4
        step.resume = 0
        step.producesResumeData = true
        step.cachePolicy = .reload
        step.protocolScript = [.init("response", "200 text/html memory"), .init("finish", isOnOtherThread: true)]
        var session = SessionSetup()
        session.delegates = .both
        session.queue = .main
        session.end = .finish
        session.endAt = .init("redirect", count: 7)
        session.cookies = .never
        session.cache = 0
        session.requestTimeout = 5
        session.resourceTimeout = 6
        session.proxy = "127.0.0.1:9"
        session.trust = "/tmp/a \"ca\".pem"
        session.identity = identity
        return Assignment(
            scenario: "a/b", caseName: "c\u{7f}", base: "http://127.0.0.1:1", run: "r1", deadline: 9_000,
            session: session,
            steps: [step, Assignment.Step(url: "/")], awaited: ["data", "response"])
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

    @Test func `every key is written and reads back the same`() throws {
        let made = Self.full()
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
        let keys = Self.keys(try JSONSerialization.jsonObject(with: Data(made.json)))
        for key in [
            ".steps.0.protocolScript.1.isOnOtherThread", ".steps.0.onRedirect.1.headers.0.1", ".session.endAt.count",
            ".steps.0.onChallenge.4.identity.pkcs12", ".steps.0.onChallenge.0.persistence", ".awaited.1",
        ] {
            #expect(keys.contains(key), "\(key)")
        }
    }

    @Test func `what is nil is left out, and reads back as nil`() throws {
        let made = Assignment(scenario: "a", caseName: "c", base: "b", steps: [Assignment.Step(url: "/")])
        let text = String(decoding: made.json, as: UTF8.self)
        #expect(!text.contains("null"))
        for key in [
            "run", "body\"", "cancelAt", "timeout", "proxy", "trust", "identity", "endAt", "protocolScript",
            "answerAfter",
        ] {
            #expect(!text.contains("\"\(key)"), "\(key)")
        }
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
    }

    @Test func `a word that is not known is kept, and its property has the default`() throws {
        var text = String(decoding: Self.full().json, as: UTF8.self)
        for (known, word) in [
            ("\"task\":\"upload\"", "\"task\":\"carrier\""), ("\"queue\":\"main\"", "\"queue\":\"long\""),
            ("\"answer\":\"never\"", "\"answer\":\"perhaps\""), ("\"call\":\"finish\"", "\"call\":\"stop\""),
        ] {
            #expect(text.contains(known))
            text = text.replacingOccurrences(of: known, with: word)
        }
        let read = try JSONDecoder().decode(Assignment.self, from: Data(text.utf8))
        #expect(read.session.unknownWords.map(\.key) == ["queue"])
        #expect(read.session.queue == .serial)
        #expect(read.steps[0].unknownWords.map { "\($0.key): \($0.word)" } == ["task: carrier", "onRedirect: perhaps"])
        #expect(read.steps[0].task == .data)
        #expect(read.steps[0].protocolScript?.last?.act == .unreadable("no protocol call \"stop\""))
    }

    @Test func `it is one line`() {
        #expect(!Self.full().json.contains(0x0A))
    }

    @Test func `without a step nothing is lost`() throws {
        let made = Assignment(scenario: "", caseName: "", base: "", steps: [])
        #expect(try JSONDecoder().decode(Assignment.self, from: Data(made.json)) == made)
    }
}
