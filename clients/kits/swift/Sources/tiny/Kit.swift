import Foundation
import ProctorEvents
import ProctorProgram
import ProctorRecorder

/// A client without callbacks, as the kit drives it.
protocol Client {
    /// Its name, version, facts and abilities.
    static var header: TraceHeader { get }
    /// One for each assignment: its connections and stores.
    init(_ session: SessionSetup)
    /// Why a step cannot be done, in words that name the key; nil where it can.
    func refusal(of step: Assignment.Step) -> String?
    /// Does a step and returns what the client has in the end, an error among it.
    func load(_ step: Assignment.Step) -> EventFacts
}

/// The frame of an adapter: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
///
/// `TraceRecorder` numbers events, takes their times from CLOCK_MONOTONIC (on Darwin CLOCK_MONOTONIC_RAW, the server's
/// clock too) and writes each line before it returns. What the client lacks is told by the abilities of its header.
enum Kit {
    /// Never returns: `_exit` waits for no thread of the client.
    static func serve<Served: Client>(_ client: Served.Type) -> Never {
        let name = client.header.client ?? "adapter"
        if CommandLine.arguments.dropFirst().first == "--version" {
            print(name, client.header.clientVersion ?? "")
            exit(0)
        }
        signal(SIGPIPE, SIG_IGN)
        let isMany = ProcessInfo.processInfo.environment["PROCTOR_ASSIGNMENTS"] == "many"
        if isMany {
            while let line = readLine() { perform(Data(line.utf8), as: client, name, isMany: true) }
        } else {
            perform(FileHandle.standardInput.readDataToEndOfFile(), as: client, name, isMany: false)
        }
        _exit(0)
    }

    private static func perform<Served: Client>(
        _ input: Data, as client: Served.Type, _ name: String, isMany: Bool
    ) {
        let assignment: Assignment
        do {
            assignment = try JSONDecoder().decode(Assignment.self, from: input)
        } catch {
            leave(64, "the assignment can't be read: \(error)")
        }
        guard assignment.version == Assignment.currentVersion, !assignment.steps.isEmpty else {
            leave(64, "expected an assignment of version \(Assignment.currentVersion), with steps")
        }
        let recorder = TraceRecorder(writingTo: STDOUT_FILENO)
        var header = client.header
        header.scenario = assignment.scenario
        header.caseName = assignment.caseName
        header.run = assignment.run
        recorder.write(header)
        let watch = watch(assignment, recorder, isMany: isMany)
        let served = client.init(assignment.session)
        let has = Set((header.abilities ?? []).map(\.rawValue))
        for (task, step) in assignment.steps.enumerated() {
            let lacking = assignment.needs?.first { !has.contains($0) }.map { "needs: \(name) has no \($0)" }
            if let reason = lacking ?? served.refusal(of: step).map({ "steps[\(task)].\($0)" }) {
                recorder.record(TraceEvent(lane: .harness, task: task, name: .unimplemented, argument: reason))
                break
            }
            recorder.record(TraceEvent(lane: .harness, task: task, name: .resume))
            recorder.record(TraceEvent(lane: .harness, task: task, name: .result, facts: served.load(step)))
        }
        watch.cancel()
        if let failure = recorder.stopWriting() { leave(74, "the trace could not be written: \(failure)") }
        if isMany { FileHandle.standardOutput.write(Data("\n".utf8)) }
    }

    /// Gives up 200 ms before the deadline: tells the result of the open step, and ends the process.
    private static func watch(
        _ assignment: Assignment, _ recorder: TraceRecorder, isMany: Bool
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + .milliseconds(max(100, assignment.deadline - 200)))
        timer.setEventHandler {
            if let last = recorder.events.last, last.name == .resume {
                let message = "the step had not ended at the deadline"
                let facts = EventFacts([
                    EventFact(.error, .text("timedOut")), EventFact(.domain, .text("adapter")),
                    EventFact(.message, .text(message)),
                ])
                recorder.record(TraceEvent(lane: .harness, task: last.task, name: .result, facts: facts))
            }
            _ = recorder.stopWriting()
            if isMany { FileHandle.standardOutput.write(Data("\n".utf8)) }
            _exit(0)
        }
        timer.resume()
        return timer
    }

    private static func leave(_ code: Int32, _ complaint: String) -> Never {
        FileHandle.standardError.write(Data("\(complaint)\n".utf8))
        _exit(code)
    }

    /// `bytes` of a body, and the body itself where a line of 1 MiB holds it.
    static func facts(ofBody body: Data) -> [EventFact] {
        let count = EventFact(.bytes, .integer(body.count))
        guard body.count <= 640 << 10 else { return [count] }
        if let text = String(data: body, encoding: .utf8), !text.contains("\0") {
            return [count, EventFact(.body, .text(text))]
        }
        return [count, EventFact(.bodyBase64, .text(body.base64EncodedString()))]
    }
}
