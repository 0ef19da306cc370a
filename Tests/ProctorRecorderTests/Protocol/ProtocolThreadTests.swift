import ProctorTrace
import Testing

/// On which threads the session calls a protocol, as the adapter records it; each in a process of its own.
@Suite(.timeLimit(.minutes(2)))
struct ProtocolThreadTests {
    private func report(_ script: String) async throws -> Report {
        // Nobody listens there: the scripted protocol takes the request.
        try await Adapter.urlSession.run([
            step("http://127.0.0.1:9/a") { $0.protocolScript = DrivenTrace.calls(script) }
        ])
    }

    private func threads(_ report: Report, _ lane: String) -> [String: String] {
        let lines = report.lines.filter { $0.lane == lane && $0.phase != "exit" }
        return Dictionary(lines.map { ($0.ev, $0.thread ?? "none") }) { first, _ in first }
    }

    /// By the rules, from the lines that the adapter wrote.
    private func rules(_ report: Report) -> Set<Int> {
        var checker = TraceChecker()
        for line in report.lines {
            guard let lane = Lane(rawValue: line.lane), let name = EventName(rawValue: line.ev) else { continue }
            checker.observe(
                TraceEvent(
                    sequence: line.seq, lane: lane, task: line.task ?? 0, object: lane.isOfObject ? 0 : nil, name: name,
                    argument: line.arg, phase: line.phase == "exit" ? .exit : .enter, thread: line.thread))
        }
        return Set(checker.finish().hits.map(\.rule.value))
    }

    @Test func `every call of a protocol has its thread in the trace`() async throws {
        let report = try await report("response 200,wait 20,data x,finish")
        #expect(report.status == 0)
        for lane in ["proto", "protocolClient"] {
            let threads = threads(report, lane)
            #expect(threads.count >= 3, "\(threads)")
            #expect(!threads.values.contains("none"), "\(threads)")
        }
    }

    @Test func `what a script says before its first pause is said on the thread that starts it`() async throws {
        let report = try await report("response 200,data x,finish")
        let started = threads(report, "proto")["p.start"]
        #expect(started != nil)
        let threads = threads(report, "protocolClient")
        #expect(threads["response"] == started)
        #expect(threads["data"] == started)
        #expect(threads["complete"] == started)
        #expect(!rules(report).contains(48))
    }

    #if !canImport(Darwin)
        @Test func `a pause shows that the session's thread runs no run loop, which R48 promises`() async throws {
            let report = try await report("response 200,wait 20,data x,finish")
            let started = threads(report, "proto")["p.start"]
            let threads = threads(report, "protocolClient")
            #expect(threads["response"] == started)
            #expect(threads["data"] != started)
            #expect(threads["data"] == threads["complete"])
            #expect(rules(report).contains(48))
        }
    #endif
}
