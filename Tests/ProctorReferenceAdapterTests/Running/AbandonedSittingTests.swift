import Foundation
import ProctorAssignments
import ProctorBase
import ProctorProgram
import ProctorRecorder
import ProctorReference
import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorReferenceAdapter

/// What a sitting leaves behind that did not come to its end.
@Suite(.limit(minutes: 5))
struct AbandonedSittingTests {
    @Test(arguments: ReferenceShape.allCases)
    func `sittings that end out of time leave no descriptor and no thread`(shape: ReferenceShape) async throws {
        // In a process of its own: other tests open descriptors and start threads at any time.
        await #expect(processExitsWith: .success) { [name = shape.rawValue as String] in
            let shape = try #require(ReferenceShape(rawValue: name))
            try await LegacyServer.serve(Self.stalls) { base in
                // A few times, for what the process makes at first use, or when threads first meet, and keeps.
                for _ in 0..<5 { #expect(await Self.sit(as: shape, at: base).ending == .outOfTime) }
                let before = try await Self.settled(wanting: nil)
                for _ in 0..<(Extent.isWhole ? 50 : 15) {
                    let trace = await Self.sit(as: shape, at: base)
                    #expect(trace.ending == .outOfTime)
                }
                let after = try await Self.settled(wanting: before)
                #expect(after.descriptors <= before.descriptors, "\(after) after, \(before) before")
                #expect(after.threads <= before.threads, "\(after) after, \(before) before")
            }
        }
    }

    @Test(arguments: ReferenceShape.allCases)
    func `what is cancelled at the end of a sitting is not taken for its end`(shape: ReferenceShape) async throws {
        try await LegacyServer.serve(Self.stalls) { base in
            let assignment = Self.assignment(as: shape, at: base)
            let runner = ReferenceRunner(assignment, as: shape, recordingTo: TraceRecorder())
            #expect(await runner.run() == .outOfTime)
            let count = runner.recorder.events.count
            let late = await runner.recorder.event(within: .milliseconds(500)) { $0.name == .complete }
            #expect(late == nil)
            #expect(runner.recorder.events.count == count)
        }
    }

    @Test(arguments: [ReferenceShape.connection, .connectionDownload, .download])
    func `an end that does not come is waited for until its time is over`(shape: ReferenceShape) async throws {
        let gate = Gate()
        defer { gate.open() }
        var blocking = Breakage("block", "block the loading thread")
        blocking.makeActionFilter = { gate }
        try await LegacyServer.serve(Self.stalls) { [blocking] base in
            let assignment = Self.assignment(as: shape, at: base)
            let client = try shape.client(for: assignment, breaking: blocking, recordingTo: TraceRecorder())
            let step = try #require(assignment.steps.first)
            let ending = await client.perform(step, index: 0, before: Self.soon)
            #expect(ending == .outOfTime)
            #expect(await client.finish(before: Self.soon) == false)
            gate.open()
            #expect(await client.finish(before: MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds))
        }
    }

    // MARK: Helpers

    /// A head and a part of the content, and nothing after that.
    private static let stalls = """
        exchanges:
          - request: GET /a
            reply:
              status: 200
              headers: { Content-Length: "20" }
              body: "0123456789"
              effects: [{ at: end, do: stall }]
        """

    private static var soon: UInt64 { MonotonicClock.nanoseconds + Duration.milliseconds(200).wholeNanoseconds }

    private static func assignment(as shape: ReferenceShape, at base: String) -> Assignment {
        var step = Assignment.Step(url: base + "/a")
        step.task = shape.plainTask
        var assignment = Assignment(
            scenario: "test/abandoned", caseName: "test", base: base, deadline: 100, steps: [step])
        assignment.session.requestTimeout = Patience.seconds * 1000
        return assignment
    }

    private static func sit(as shape: ReferenceShape, at base: String) async -> LegacyTrace {
        await LegacyServer.trace(of: assignment(as: shape, at: base), as: shape)
    }

    private struct Facts: Sendable {
        let descriptors: Int
        /// Those that a client makes; the runtime makes and ends its own as it likes.
        let threads: Int

        static var now: Facts {
            Facts(descriptors: OpenDescriptors.count(of: getpid()), threads: threadNames.count(where: isOurs))
        }

        private static func isOurs(_ name: String) -> Bool { ["D", "session", "legacy-network"].contains(name) }

        /// None where the system does not tell.
        private static var threadNames: [String] {
            let folder = "/proc/self/task"
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return threads.compactMap { try? String(contentsOfFile: "\(folder)/\($0)/comm", encoding: .utf8) }
                .map { $0.trimmingCharacters(in: .newlines) }
        }
    }

    /// The facts as soon as they are no more than wanted, without any thread of a client where nothing else is.
    private static func settled(wanting wanted: Facts?) async throws -> Facts {
        let end = MonotonicClock.nanoseconds + Patience.whole.wholeNanoseconds
        var facts = Facts.now
        while facts.threads > wanted?.threads ?? 0 || facts.descriptors > wanted?.descriptors ?? .max,
            MonotonicClock.nanoseconds < end
        {
            try await Task.sleep(for: .milliseconds(5))
            facts = .now
        }
        return facts
    }
}

extension ReferenceShape {
    /// The task by which the shape gets a URL.
    var plainTask: Assignment.TaskKind {
        switch self {
        case .session, .connection, .urlProtocol, .sequence: .data
        case .connectionDownload, .download: .download
        case .connectionSync: .synchronous
        case .connectionQueued: .queued
        }
    }
}

/// Keeps a loading thread from going on until it is opened.
private final class Gate: ActionFilter, Sendable {
    private let isOpen = DispatchSemaphore(value: 0)

    func open() { isOpen.signal() }

    func filter(_ actions: [LoadAction], after event: LoadEvent, of loader: Loader) -> [LoadAction] {
        _ = isOpen.wait(timeout: .now() + .seconds(Patience.seconds))
        isOpen.signal()
        return actions
    }
}
