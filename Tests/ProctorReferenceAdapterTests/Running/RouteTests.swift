import ProctorDialling
import ProctorHTTP
import ProctorProgram
import ProctorRecorder
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorReference
@testable import ProctorReferenceAdapter

/// By which way an assignment has a session come to its servers.
struct RouteTests {
    private static func setup(
        proxy: String? = nil, names: [Assignment.NamedHost]? = nil, namesProxy: String? = nil
    ) -> SessionSetup {
        var setup = SessionSetup()
        setup.proxy = proxy
        setup.names = names
        setup.namesProxy = namesProxy
        return setup
    }

    private static let home = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:4711")]
    private static let origin = Origin(scheme: .http, host: "home.example.org", port: 80)

    @Test func `names have addresses, and then their proxy is left alone`() throws {
        let setup = Self.setup(names: Self.home, namesProxy: "127.0.0.1:8080")
        #expect(setup.missingRoute == nil)
        #expect(setup.proxyOrigin == nil && !setup.sparesLoopback)
        #expect("\(try #require(try setup.hostTable().address(of: Self.origin)))" == "127.0.0.1:4711")
    }

    @Test func `who prefers the proxy of names comes by it alone, but for what has an address`() throws {
        var setup = Self.setup(names: Self.home, namesProxy: "127.0.0.1:8080")
        setup.preferNamesProxy()
        #expect(setup.missingRoute == nil)
        #expect(setup.proxyOrigin?.description == "http://127.0.0.1:8080" && setup.sparesLoopback)
        #expect(try setup.hostTable().isEmpty)
        let assignment = Assignment(scenario: "a/b", caseName: "c", base: "", session: setup, steps: [])
        let configuration = try ReferenceConfiguration(assignment, breaking: nil)
        #expect(!configuration.speaksHTTP2)
        #expect(configuration.proxy == setup.proxyOrigin && configuration.sparesLoopback && configuration.names.isEmpty)
    }

    @Test func `where nothing has a name, to prefer the proxy changes nothing`() {
        for names in [nil, Self.home] {
            var setup = Self.setup(names: names)
            setup.preferNamesProxy()
            #expect(setup == Self.setup(names: names))
        }
    }

    @Test func `the proxy of the assignment precedes both, and no host bypasses it`() throws {
        var setup = Self.setup(proxy: "127.0.0.1:3128", names: Self.home, namesProxy: "127.0.0.1:8080")
        for _ in 0..<2 {
            #expect(setup.missingRoute == nil)
            #expect(setup.proxyOrigin?.description == "http://127.0.0.1:3128" && !setup.sparesLoopback)
            #expect(try setup.hostTable().isEmpty)
            setup.preferNamesProxy()
        }
    }

    struct Bad: Sendable, CustomTestStringConvertible {
        let setup: SessionSetup
        let complaint: String
        var testDescription: String { complaint }
    }

    @Test(arguments: [
        Bad(setup: setup(proxy: "a b"), complaint: "proxy: 'a b' is no address of a proxy; expected a host and a port"),
        Bad(setup: setup(proxy: "127.0.0.1:65536"), complaint: "proxy: '127.0.0.1:65536' is no address of a proxy"),
        Bad(setup: setup(namesProxy: ""), complaint: "namesProxy: '' is no address of a proxy"),
        Bad(setup: setup(proxy: "127.0.0.1:1/a"), complaint: "proxy: '127.0.0.1:1/a' is no address of a proxy"),
        Bad(setup: setup(proxy: "u:p@127.0.0.1:1"), complaint: "proxy: 'u:p@127.0.0.1:1' is no address of a proxy"),
        Bad(
            setup: setup(names: [Assignment.NamedHost(name: "a.test", port: 0, address: "127.0.0.1:1")]),
            complaint: "names: the port 0 of a.test is none"),
        Bad(
            setup: setup(names: [Assignment.NamedHost(name: "a.test", port: 80, address: "127.0.0.1")]),
            complaint: "is no address for a.test"),
    ])
    func `a way that can't be read is refused in a sentence`(bad: Bad) throws {
        let sentence = try #require(bad.setup.missingRoute)
        #expect(sentence.contains(bad.complaint), "\(sentence)")
    }
}

/// Scripts of a URLProtocol before the shapes of the client.
@Suite(.limit(minutes: 5))
struct ScriptTests {
    private static func trace(as shape: ReferenceShape) async -> LegacyTrace {
        var step = Assignment.Step(url: "http://127.0.0.1:9/start")
        step.task = shape == .connectionDownload || shape == .download ? .download : .data
        step.protocolScript = [
            Assignment.ProtocolCall("redirect", "../moved?q"), Assignment.ProtocolCall("await-stop"),
            Assignment.ProtocolCall("response", "200"), Assignment.ProtocolCall("data", "hello"),
            Assignment.ProtocolCall("finish"),
        ]
        let assignment = Assignment(
            scenario: "test/script", caseName: "test", base: "http://127.0.0.1:9", deadline: 120_000, steps: [step])
        return await LegacyServer.trace(of: assignment, as: shape)
    }

    @Test func `the shape of URLProtocols plays one, and what it redirects to may be a reference`() async throws {
        let trace = await Self.trace(as: .urlProtocol)
        #expect(trace.ending == .finished, "\(trace.events)")
        let result = try #require(trace.result)
        #expect(result.text(.body) == "hello", "\(trace.events)")
        #expect(result.text(.url) == "http://127.0.0.1:9/moved?q", "\(trace.events)")
    }
}

/// Methods and questions that a shape does not have.
@Suite(.limit(minutes: 5))
struct ForeignMethodTests {
    private static func reason(
        as shape: ReferenceShape, _ session: SessionSetup = SessionSetup(),
        _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async -> String? {
        var step = Assignment.Step(url: "http://127.0.0.1:9/a")
        step.task = shape == .connectionDownload || shape == .download ? .download : .data
        change(&step)
        let assignment = Assignment(
            scenario: "test/methods", caseName: "test", base: "http://127.0.0.1:9", deadline: 120_000,
            session: session, steps: [step])
        return await LegacyServer.trace(of: assignment, as: shape).first(.unimplemented)?.argument
    }

    @Test func `questions are asked by the shapes that have them`() async {
        #expect(await Self.reason(as: .session) { $0.onCanonicalize = .accept }?.contains("onCanonicalize") == true)
        #expect(
            await Self.reason(as: .urlProtocol) { $0.onCredentialStorage = false }?.contains("onCredentialStorage")
                == true)
        #expect(await Self.reason(as: .connection) { $0.onShouldDecode = .leave }?.contains("onShouldDecode") == true)
    }
}

/// A step whose text is no URL: a load that fails, in every shape.
@Suite(.limit(minutes: 5))
struct UnreadableURLTraceTests {
    private static func trace(
        as shape: ReferenceShape, _ url: String, task: Assignment.TaskKind = .data
    ) async -> LegacyTrace {
        var step = Assignment.Step(url: url)
        step.task = task == .data ? shape.plainTask : task
        let assignment = Assignment(
            scenario: "test/unreadable", caseName: "test", base: "http://127.0.0.1:1", deadline: 120_000, steps: [step])
        return await LegacyServer.trace(of: assignment, as: shape)
    }

    @Test(arguments: ReferenceShape.allCases)
    func `a port that is none fails the load with badURL`(shape: ReferenceShape) async throws {
        let trace = await Self.trace(as: shape, "http://127.0.0.1:65536/a")
        #expect(trace.ending == .finished, "\(trace.events)")
        let result = try #require(trace.result)
        #expect(result.text(.error) == "badURL", "\(trace.events)")
        #expect(trace.all(.response).isEmpty && trace.all(.canonicalize).isEmpty)
        trace.expectNoHit()
    }

    @Test(arguments: [Assignment.TaskKind.handler, .async, .upload, .download])
    func `every task of a session does so`(task: Assignment.TaskKind) async throws {
        let trace = await Self.trace(as: .session, "http://127.0.0.1:http/a", task: task)
        #expect(trace.ending == .finished)
        #expect(try #require(trace.result).text(.error) == "badURL", "\(trace.events)")
    }
}
