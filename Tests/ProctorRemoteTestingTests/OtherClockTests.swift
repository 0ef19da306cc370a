import Foundation
import ProctorAssignments
import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorRecorder
import ProctorRemoteTesting
import ProctorTestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A recorder whose clock is not the server's, as on a device.
@Suite(.limit(minutes: 5))
struct OtherClockTests {
    private static let hour: UInt64 = 3_600_000_000_000

    /// An hour before this machine's, and started apart from it.
    private static let device = RecordingClock(identity: "of a device") { MonotonicClock.nanoseconds &+ hour }

    private func client(_ server: ServerElsewhere, _ clock: RecordingClock) throws -> ControlClient {
        var client = ControlClient(base: try #require(URL(string: server.base)))
        client.clock = clock
        return client
    }

    @Test func `a clock is known by what it is and by what it reads`() async throws {
        let server = try await ServerElsewhere.start()
        let own = RecordingClock.system
        #expect(try await client(server, own).sharesClock())
        #expect(try await client(server, RecordingClock(identity: nil, now: own.now)).sharesClock())
        #expect(try await !client(server, Self.device).sharesClock())
        #expect(try await !client(server, RecordingClock(identity: own.identity, now: Self.device.now)).sharesClock())
        #expect(try await !client(server, RecordingClock(identity: nil, now: Self.device.now)).sharesClock())
        #expect(try await !client(server, RecordingClock(identity: "of a device", now: own.now)).sharesClock())
    }

    /// By the device's clock every callback comes an hour after the last request.
    @Test func `with a device's clock the order of callbacks and wire is not judged, and all else is`() async throws {
        let server = try await ServerElsewhere.start()
        let client = try client(server, Self.device)
        let run = try await client.createRun(of: "redirect/302-get-stays-get")
        var assignment = try await client.assignment(of: "follow", in: run.run)
        // A machine that does much else takes long.
        assignment.deadline = 100_000
        let recorder = TraceRecorder(clock: Self.device)
        let runner = AssignmentRunner(assignment, recordingTo: recorder)
        #expect(await runner.run() == .finished)
        #expect(runner.header.isMonotonic)
        let verdict = try await client.grade(recorder.events, header: runner.header, of: "follow", in: run.run)
        #expect(verdict.outcome == "pass" || verdict.outcome == "partly", "\(verdict.text)")
        #expect(verdict.text.contains("the trace has no times of the server's clock"), "\(verdict.text)")
        // The same trace is wrong where its times are believed.
        var lines = TraceWriter.line(runner.header)
        for event in recorder.events { lines += TraceWriter.line(event) }
        let believed = try await client.grade(trace: lines, of: "follow", in: run.run)
        #expect(believed.outcome == "fail", "\(believed.text)")
        try await client.deleteRun(run.run)
    }

    @Test func `an exam of a device passes, and a failing one has a trace that says so`() async throws {
        let server = try await ServerElsewhere.start()
        let place = RemoteServer.server(server.base).recording(by: Self.device)
        let failure = await thrown {
            try await withScenario("redirect/302-post-becomes-get", case: "refuse", on: place) { exam in
                var request = URLRequest(url: exam.url("/form"))
                request.httpMethod = "POST"
                request.httpBody = Data("a=1".utf8)
                exam.session(delegate: RefusingDelegate()).dataTask(with: request).resume()
            }
        }
        #expect(failure.isEmpty, "\(failure)")
        let wrong = await thrown {
            try await withScenario("redirect/302-post-becomes-get", case: "refuse", on: place) { exam in
                exam.session().dataTask(with: exam.url("/form")).resume()
            }
        }
        #expect(wrong.contains("fail: redirect/302-post-becomes-get#refuse"), "\(wrong)")
        #expect(wrong.contains("the wire:"), "\(wrong)")
    }
}
