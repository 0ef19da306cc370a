import ProctorEvents
import ProctorJournal
import ProctorScenario
import Testing

@testable import ProctorGrading

/// What must hold between lanes, and which task a request belongs to.
struct CaseEdgeTests {
    /// Requests at these milliseconds after the beginning.
    static func journal(_ requests: (UInt64, String)...) throws -> [JournalEntry] {
        var script = JournalScript()
        var passed: UInt64 = 0
        for (index, (time, line)) in requests.enumerated() {
            script.wait(milliseconds: time - passed)
            passed = time
            if index == 0 { script.open() }
            try script.request(line)
        }
        return script.entries
    }

    // MARK: Correlation

    static func tasks(_ trace: String, _ journal: [JournalEntry]) throws -> [Int?] {
        WireCorrelation(try TraceScript.events(trace)).tasks(of: WireRecord(journal))
    }

    @Test func `all requests of a single task are its own`() throws {
        let journal = try Self.journal((0, "GET /a"), (500, "GET /b"))
        #expect(try Self.tasks("+5 resume complete(ok)", journal) == [0, 0])
        #expect(try Self.tasks("", journal) == [nil, nil])
    }

    @Test func `of several tasks the one that is under way gets the request`() throws {
        let journal = try Self.journal((2, "GET /a"), (12, "GET /b"), (22, "GET /c"), (32, "GET /d"))
        let trace = "resume +5 complete(ok) +3 [1]resume +5 [2]resume +5 [1]complete(ok) +5 [2]complete(ok)"
        // 1: task 0; 11: task 1; 17: task 2 as well; 23: task 1 ends; 29: task 2 ends.
        #expect(try Self.tasks(trace, journal) == [0, 1, nil, nil])
        #expect(try Self.tasks(trace, try Self.journal((26, "GET /c"))) == [2])
    }

    @Test func `a local port tells tasks apart that run at the same time`() throws {
        var script = JournalScript()
        script.wait(milliseconds: 2)
        script.open(0)
        script.open(1)
        try script.request("GET /a", on: 1)
        try script.request("GET /b", on: 0)
        script.wait(milliseconds: 10)
        try script.request("GET /c", on: 1)
        // The script's connections come from the ports 50 and 51.
        let trace =
            "resume [1]resume +3 response(200){localPort=51} [1]response(200){localPort=50} complete(ok) [1]complete(ok)"
        #expect(try Self.tasks(trace, script.entries) == [0, 1, 0])
        let shared =
            "resume [1]resume +3 response(200){localPort=51} complete(ok) +20 [1]response(200){localPort=51} [1]complete(ok)"
        #expect(try Self.tasks(shared, script.entries) == [0, nil, 1])
    }
}
