import Foundation
import ProctorTrace
import Testing

@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(2)))
struct ProtocolClassTests {
    @Test func `a protocol on timers of its own is heard on its client thread`() async {
        let trace = await DrivenTrace.of(TimerProtocol.self)
        #expect(trace.lane(.protocolClient) == "response(200) data data complete(ok)", "\(trace.text)")
        #expect(trace.lane(.proto, 0) == "p.init p.start p.stop p.deinit")
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.first(.response)?.thread == trace.first(.pStart)?.thread)
        #expect(trace.first(.pInit)?.thread != trace.first(.pStart)?.thread)
    }

    @Test func `a class that does not want the request ends the load`() async {
        let trace = await DrivenTrace.of(RefusingProtocol.self)
        #expect(trace.lane(.proto) == "p.canInit")
        #expect(trace.first(.pCanInit)?.facts[.accepts] == .flag(false))
        #expect(trace.events.last?.facts.text(.message) == "RefusingProtocol does not take GET http://example.test/a")
        #expect(trace.rules().isEmpty, "\(trace.report())")
    }

    @Test func `a canonical form that is another each time breaks R52`() async {
        let trace = await DrivenTrace.of(ImpureProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
    }

    @Test func `a field that is another each time breaks R52, though method and URL are the same`() async {
        let trace = await DrivenTrace.of(CountingProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
        let proposals = trace.events.filter { $0.name == .pCanonical }.compactMap { $0.facts.text(.proposed) }
        #expect(proposals.count == 3)
        #expect(proposals.dropFirst().first?.contains("field \"x-count\"") == true)
    }

    @Test func `a canonical form that is not canonical breaks R52`() async {
        let trace = await DrivenTrace.of(GrowingProtocol.self)
        #expect(trace.rules() == [52], "\(trace.report())\n\(trace.text)")
    }

    @Test func `a canonical form that is one breaks nothing and is what the object gets`() async {
        let trace = await DrivenTrace.of(
            LowercasingProtocol.self, DrivenTrace.request("HTTP://EXAMPLE.test/A"))
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.first(.pInit)?.facts.text(.request) == "GET http://example.test/A")
        #expect(trace.first(.response)?.facts.text(.url) == "http://example.test/A")
    }

    @Test func `a protocol that fails a refused certificate of its own says so to nobody else`() async {
        let trace = await DrivenTrace.of(FailingProtocol.self)
        #expect(trace.lane(.protocolClient) == "complete(secureConnectionFailed)")
        #expect(trace.rules().isEmpty, "\(trace.report())")
        #expect(trace.events.last?.facts.integer(.code) == -1200)
    }

    @Test func `an object that is kept alive has no end of its life, and the driver goes on`() async {
        var program = ProtocolProgram.patient
        program.settling = .milliseconds(30)
        let trace = await DrivenTrace.of(LeakingProtocol.self, program: program)
        #expect(trace.lane(.proto, 0) == "p.init p.start p.stop")
        #expect(trace.rules().isEmpty, "\(trace.report())")
        LeakingProtocol.letGo()
    }

    @Test func `a late call from a thread of the protocol's own is heard`() async {
        let trace = await DrivenTrace.of(LateProtocol.self)
        #expect(trace.lane(.protocolClient) == "response(200) complete(ok) data", "\(trace.text)")
        #expect(trace.rules() == [40, 48], "\(trace.report())\n\(trace.text)")
    }

    @Test func `an object that answers although its redirect was followed breaks R51`() async {
        let trace = await DrivenTrace.of(PersistentProtocol.self)
        #expect(trace.lane(.protocolClient, 0) == "redirect(302) response(200)", "\(trace.text)")
        #expect(trace.lane(.protocolClient, 1) == "response(200) complete(ok)", "\(trace.text)")
        #expect(trace.rules() == [51], "\(trace.report())\n\(trace.text)")
        #expect(trace.events.last?.facts.text(.url) == "http://example.test/b")
    }

    @Test func `a cached response is handed to the object`() async throws {
        let url = try #require(URL(string: "http://example.test/a"))
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil))
        let load = ScriptedLoad(DrivenTrace.calls("cached-response-valid,finish"), for: URLRequest(url: url))
        let events = await ProtocolDriver(ScriptedProtocol.self).run(
            load.request, program: .patient,
            cachedResponse: CachedURLResponse(response: response, data: Data("kept".utf8)), deadline: .seconds(20))
        #expect(events.last?.facts.text(.body) == "kept")
        #expect(DrivenTrace(events: events).rules().isEmpty)
    }
}
