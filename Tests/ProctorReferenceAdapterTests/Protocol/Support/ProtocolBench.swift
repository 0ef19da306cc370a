import Foundation
import ProctorAssignments
import ProctorBase
import ProctorEvents
import ProctorFixtures
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorRecorder
import ProctorReplies
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with one scenario of a test, and ``ReferenceProtocol`` driven against it.
struct ProtocolBench {
    let run: Run

    var base: String { run.base }

    /// What the server saw so far, without a load of ours.
    var seen: LoadedTrace { LoadedTrace(events: [], journal: run.journal.snapshot().entries) }

    /// Turns and journal begin anew.
    func reset() { run.reset() }

    static func with<Result>(
        _ exchanges: String, _ body: (ProtocolBench) async throws -> Result
    ) async throws -> Result {
        let yaml = "summary: a protocol test\nexchanges:\n" + exchanges
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(yaml.utf8), id: "test/one", file: "test/one.yaml", folder: nil)
        let loaded = try #require(scenario, "\(diagnostics)")
        var configuration = ServerConfiguration()
        configuration.limits.stallDuration = .seconds(300)
        configuration.limits.progressDuration = .seconds(300)
        let server = try await Server.start(Catalogue([loaded]), configuration: configuration)
        do {
            let result = try await body(ProtocolBench(run: try await server.run("test/one")))
            await server.stop(grace: .zero)
            return result
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    func request(_ path: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "\(run.base)\(path)")))
        request.timeoutInterval = Double(Patience.seconds)
        return request
    }

    func load(
        _ request: URLRequest, _ program: ProtocolProgram = .patient,
        options: ReferenceProtocol.Options = ReferenceProtocol.Options(), cached: CachedURLResponse? = nil
    ) async -> LoadedTrace {
        let driver = ProtocolDriver(ReferenceProtocol.self) { [options] in
            ReferenceProtocol(request: $0, cachedResponse: $1, client: $2, options: options)
        }
        let events = await driver.run(request, program: program, cachedResponse: cached, deadline: Patience.whole)
        return LoadedTrace(events: events, journal: run.journal.snapshot().entries)
    }
}

/// What a driven load left: its trace and what the server saw.
struct LoadedTrace: Sendable {
    let events: [TraceEvent]
    let journal: [JournalEntry]

    /// The calls of one object, runs of `data` as one.
    func calls(_ object: Int = 0) -> String {
        var symbols: [String] = []
        for event in events where event.lane == .protocolClient && event.phase == .enter && event.object == object {
            let symbol = event.name == .data ? "data+" : event.symbol.description
            if symbol != "data+" || symbols.last != symbol { symbols.append(symbol) }
        }
        return symbols.joined(separator: " ")
    }

    func lane(_ lane: Lane, object: Int? = nil) -> String {
        events.filter { $0.lane == lane && $0.phase == .enter && (object == nil || $0.object == object) }
            .map(\.symbol.description).joined(separator: " ")
    }

    var result: EventFacts { events.last { $0.name == .result }?.facts ?? [] }

    var objects: [Int] { Set(events.compactMap(\.object)).sorted() }

    var heads: [RequestHead] {
        journal.compactMap { entry in
            if case .requestHead(let head, _) = entry.event { head } else { nil }
        }
    }

    /// `GET /a POST /b`.
    var wire: String {
        journal.compactMap { entry -> String? in
            guard case .requestHead(let head, let target) = entry.event else { return nil }
            return "\(head.method) \(EscapedText.escape(target))"
        }.joined(separator: " ")
    }

    /// Lengths of the bodies, and whether they were whole.
    var bodies: String {
        journal.compactMap { entry -> String? in
            guard case .requestBody(let body) = entry.event else { return nil }
            return body.isComplete ? "\(body.byteCount)" : "\(body.byteCount) cut"
        }.joined(separator: " ")
    }

    func field(_ name: String, ofRequest index: Int) -> String? {
        heads.indices.contains(index) ? [HTTPField](heads[index].fields).value(of: name) : nil
    }

    /// Every rule of every family, nothing open, each object stopped once on its thread and let go (R48, R49).
    func expectRightful(_ location: Testing.SourceLocation = #_sourceLocation) {
        var checker = TraceChecker(reportsAnswers: true)
        for event in events { checker.observe(event) }
        let report = checker.finish()
        #expect(report.hits.isEmpty && report.grammarCount == 0, "\(report)\n\(text)", sourceLocation: location)
        for object in objects {
            let life = lane(.proto, object: object)
            #expect(
                life == "p.init p.start p.stop p.deinit" || life == "p.init p.deinit", "\(text)",
                sourceLocation: location)
        }
    }

    var text: String {
        events.map { event in
            let facts = event.facts.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " ")
            return "\(event.sequence) \(event.laneID) \(event.symbol) \(event.phase) \(event.thread ?? "") \(facts)"
        }.joined(separator: "\n") + "\nwire: \(wire)"
    }
}

extension ProtocolProgram {
    /// A crowded machine must not look like a blocked thread, nor like a late call.
    static var patient: ProtocolProgram {
        var program = ProtocolProgram()
        program.blockedThreshold = Patience.whole
        program.settling = Patience.whole
        return program
    }

    func redirecting(_ answers: Assignment.RedirectAnswer...) -> ProtocolProgram {
        var program = self
        program.onRedirect = answers
        return program
    }
}
