import ProctorBase
import Testing

@testable import ProctorEvents

/// How a long trace is held in memory, and what reading it may cost.
struct TraceCollectorTests {
    private static func collect(_ text: String, within budget: WorkBudget = WorkBudget()) throws -> Trace {
        var collector = TraceCollector()
        try collector.read(Array(text.utf8).span, within: budget)
        return try collector.finish()
    }

    @Test func `an event takes forty bytes, whatever it tells`() {
        #expect(MemoryLayout<TraceEvent>.stride == 40)
    }

    @Test func `events that share what they tell stay values of their own`() throws {
        let line = #"{"lane":"task","ev":"response","arg":"200","queue":"D","thread":"t1","facts":{"status":200}}"#
        let trace = try Self.collect("\(line)\n\(line)\n\(line.replacing("t1", with: "t2"))\n")
        var events = trace.events
        #expect(events.map(\.thread) == ["t1", "t1", "t2"])
        events[0].argument = "204"
        events[0].facts.append(EventFact(.mime, .text("text/plain")))
        #expect(events.map(\.argument) == ["204", "200", "200"])
        #expect(events.map(\.facts.count) == [2, 1, 1])
        #expect(events[1] == trace.events[1])
        #expect(events[0] != trace.events[0])
    }

    @Test func `an event that tells nothing more equals one from which all was taken`() throws {
        var event = try #require(try Self.collect(#"{"lane":"task","ev":"response","arg":"200"}"#).events.first)
        event.argument = nil
        #expect(event == TraceEvent(sequence: 1, lane: .task, name: .response))
    }

    @Test func `each event and each 64 bytes of a trace are a step`() throws {
        let line = #"{"lane":"task","ev":"data"}"# + "\n"
        for count in [100, 200, 400] {
            let budget = WorkBudget()
            _ = try Self.collect(String(repeating: line, count: count), within: budget)
            #expect(budget.stepCount == count + count * line.utf8.count / 64)
        }
        #expect(throws: SpentBudget.steps(limit: 50)) {
            try Self.collect(String(repeating: line, count: 100), within: WorkBudget(stepLimit: 50))
        }
    }
}
