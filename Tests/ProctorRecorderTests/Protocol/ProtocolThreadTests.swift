import ProctorEvents
import ProctorRules
import ProctorTestSupport
import Testing

@testable import ProctorAssignments
@testable import ProctorProgram
@testable import ProctorRecorder

/// On which threads the session calls a protocol, as the adapter records it; each in a process of its own.
@Suite(.limit(minutes: 5))
struct ProtocolThreadTests {
    private func report(_ script: String) async throws -> Report {
        // No process listens there: the scripted protocol takes the request.
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

struct RunLoopActivityTests {
    /// Milliseconds, as the activity counts nanoseconds.
    private func at(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

    @Test func `a silence that was seen is told once it is over`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in [20, 40, 60, 80, 101, 120] { #expect(activity.checkSilences(at: at(moment)).isEmpty) }
        activity.turn(at: at(250))
        #expect(activity.checkSilences(at: at(260)) == [250])
        #expect(activity.checkSilences(at: at(270)).isEmpty)
    }

    @Test func `a silence that was not seen is not told`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        #expect(activity.checkSilences(at: at(400)).isEmpty)
        activity.turn(at: at(410))
        #expect(activity.checkSilences(at: at(420)).isEmpty)
    }

    @Test func `time in which the observer did not run either is no silence`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in [20, 190, 200, 210] { #expect(activity.checkSilences(at: at(moment)).isEmpty) }
        activity.turn(at: at(213))
        #expect(activity.checkSilences(at: at(220)).isEmpty)
    }

    @Test func `turns in time are no silence`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in stride(from: 10, to: 1_000, by: 10) {
            activity.turn(at: at(moment))
            #expect(activity.checkSilences(at: at(moment + 5)).isEmpty)
        }
    }

    @Test func `time that the thread itself waited for a processor is left out once it runs again`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        activity.turn(at: at(0), waiting: at(7))
        for moment: UInt64 in stride(from: 20, to: 240, by: 20) {
            #expect(activity.checkSilences(at: at(moment)).isEmpty)
        }
        activity.turn(at: at(240), waiting: at(7 + 150))
        for moment: UInt64 in stride(from: 260, to: 480, by: 20) {
            #expect(activity.checkSilences(at: at(moment)).isEmpty)
        }
        activity.turn(at: at(480), waiting: at(7 + 150 + 130))
        #expect(activity.checkSilences(at: at(490)) == [240])
    }

    #if os(Linux)
        @Test func `the system counts how long a thread waited for a processor`() throws {
            let first = try #require(ProcessorPressure.waitingOfThread)
            #expect(try #require(ProcessorPressure.waitingOfThread) >= first)
        }
    #endif

    @Test func `a silence that lasts at the end is told then`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        for moment: UInt64 in [20, 40, 60, 80, 101] { #expect(activity.checkSilences(at: at(moment)).isEmpty) }
        #expect(activity.finish(at: at(300)) == [300])
        #expect(activity.finish(at: at(310)).isEmpty)
    }

    @Test func `a silence in which threads waited for processors is told beyond a second`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        activity.turn(at: at(0), pressure: at(50))
        for moment: UInt64 in stride(from: 20, to: 1_000, by: 20) {
            #expect(activity.checkSilences(at: at(moment), pressure: at(50 + moment)).isEmpty)
        }
        activity.turn(at: at(990), pressure: at(1_040))
        #expect(activity.checkSilences(at: at(1_000), pressure: at(1_050)).isEmpty)
        for moment: UInt64 in stride(from: 1_010, through: 2_010, by: 20) {
            #expect(activity.checkSilences(at: at(moment), pressure: at(50 + moment)).isEmpty)
        }
        activity.turn(at: at(2_020), pressure: at(2_070))
        #expect(activity.checkSilences(at: at(2_030), pressure: at(2_080)) == [1_030])
    }

    @Test func `time without waiting threads is enough for a silence`() {
        let activity = RunLoopActivity(threshold: .milliseconds(100), at: at(0))
        activity.turn(at: at(0), pressure: at(0))
        // In half of the time some thread waited.
        for moment: UInt64 in stride(from: 20, to: 240, by: 20) {
            #expect(activity.checkSilences(at: at(moment), pressure: at(moment / 2)).isEmpty)
        }
        activity.turn(at: at(240), pressure: at(120))
        #expect(activity.checkSilences(at: at(250), pressure: at(120)) == [240])
    }

    @Test func `the system's count of waiting is read from its first line`() {
        let text =
            "some avg10=98.74 avg60=97.96 avg300=91.08 total=995537866\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"
        #expect(ProcessorPressure.nanoseconds(in: Array(text.utf8)) == 995_537_866_000)
        for text in ["", "some", "full avg10=0.00 total=7", "some avg10=0.00 total=x"] {
            #expect(ProcessorPressure.nanoseconds(in: Array(text.utf8)) == nil, "\(text)")
        }
    }
}
