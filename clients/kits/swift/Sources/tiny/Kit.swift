import Foundation
import ProctorEvents
import ProctorProgram
import ProctorRecorder
import Synchronization

/// The trace of one assignment: nothing is written behind its end, whatever a step that hangs still does.
final class Trace: Sendable {
    private let recorder: TraceRecorder
    private let isOver = Mutex(false)

    init(writingTo descriptor: Int32) { recorder = TraceRecorder(writingTo: descriptor) }

    func write(_ header: TraceHeader) { recorder.write(header) }

    func record(_ event: TraceEvent) {
        isOver.withLock { isOver in
            if !isOver { recorder.record(event) }
        }
    }

    /// Tells the results of the steps that are open, for an adapter that gives up before the deadline.
    func giveUp() {
        var open: [Int] = []
        for event in recorder.events {
            if event.name == .resume { open.append(event.task) }
            if event.name == .result { open.removeAll { $0 == event.task } }
        }
        let facts = EventFacts([
            EventFact(.error, .text("timedOut")), EventFact(.domain, .text("adapter")),
            EventFact(.message, .text("the step had not ended at the deadline")),
        ])
        for task in open { record(TraceEvent(lane: .harness, task: task, name: .result, facts: facts)) }
    }

    func end() { isOver.withLock { $0 = true } }
}

/// What the frame of an adapter serves.
protocol Adapter: SendableMetatype {
    /// The client's name, version, facts and abilities.
    static var header: TraceHeader { get }
    /// Does the steps of an assignment behind the header; returns when the last one has ended.
    static func runSteps(of assignment: Assignment, _ trace: Trace)
}

/// A client without callbacks, as the kit drives it; ``AsyncClient`` is one whose loads are asynchronous.
protocol Client: Adapter {
    /// One for each assignment: its connections and stores.
    init(_ session: SessionSetup)
    /// Why a step cannot be done, in words that name the key; nil where it can.
    func refusal(of step: Assignment.Step) -> String?
    /// Does a step and returns what the client has in the end, an error among it.
    func load(_ step: Assignment.Step) -> EventFacts
}

extension Client {
    static func runSteps(of assignment: Assignment, _ trace: Trace) {
        let served = Self(assignment.session)
        for (task, step) in assignment.steps.enumerated() {
            if let reason = lack(in: assignment) ?? served.refusal(of: step).map({ "steps[\(task)].\($0)" }) {
                trace.record(TraceEvent(lane: .harness, task: task, name: .unimplemented, argument: reason))
                break
            }
            trace.record(TraceEvent(lane: .harness, task: task, name: .resume))
            trace.record(TraceEvent(lane: .harness, task: task, name: .result, facts: served.load(step)))
        }
    }
}

extension Adapter {
    /// The first need of an assignment that the client has not declared, as an `unimplemented` tells it; nil: none.
    static func lack(in assignment: Assignment) -> String? {
        let has = Set((header.abilities ?? []).map(\.rawValue))
        return assignment.needs?.first { !has.contains($0) }.map { "needs: \(header.client ?? "adapter") has no \($0)" }
    }
}

/// The frame of an adapter: assignments on standard input, traces on standard output (Docs/clients/adapters.md).
///
/// `TraceRecorder` numbers events, takes their times from CLOCK_MONOTONIC (on Darwin CLOCK_MONOTONIC_RAW, the server's
/// clock too) and writes each line before it returns. What the client lacks is told by the abilities of its header.
enum Kit {
    /// Never returns: `_exit` waits for no thread of the client.
    static func serve<Served: Adapter>(_ client: Served.Type) -> Never {
        let name = client.header.client ?? "adapter"
        if CommandLine.arguments.contains("--version") {
            print(name, client.header.clientVersion ?? "")
            exit(0)
        }
        signal(SIGPIPE, SIG_IGN)
        let environment = ProcessInfo.processInfo.environment
        if let address = environment["PROCTOR_ADAPTER"] {
            do {
                try Remote.serve(client, at: address, token: environment["PROCTOR_ADAPTER_TOKEN"] ?? "")
            } catch {
                leave(1, "\(name): \(error)")
            }
            _exit(0)
        }
        let isMany = environment["PROCTOR_ASSIGNMENTS"] == "many"
        if isMany {
            while let line = readLine() { perform(Data(line.utf8), as: client, isMany: true) }
        } else {
            perform(FileHandle.standardInput.readDataToEndOfFile(), as: client, isMany: false)
        }
        _exit(0)
    }

    struct Unreadable: Error {
        let reason: String
    }

    static func assignment(_ input: Data) throws(Unreadable) -> Assignment {
        let assignment: Assignment
        do {
            assignment = try JSONDecoder().decode(Assignment.self, from: input)
        } catch {
            throw Unreadable(reason: "the assignment can't be read: \(error)")
        }
        guard assignment.version == Assignment.currentVersion, !assignment.steps.isEmpty else {
            throw Unreadable(reason: "expected an assignment of version \(Assignment.currentVersion), with steps")
        }
        return assignment
    }

    private static func perform<Served: Adapter>(_ input: Data, as client: Served.Type, isMany: Bool) {
        let assignment: Assignment
        do {
            assignment = try Self.assignment(input)
        } catch {
            leave(64, error.reason)
        }
        let trace = Trace(writingTo: STDOUT_FILENO)
        let watch = watch(assignment, trace, isMany: isMany)
        run(assignment, as: client, trace)
        watch.cancel()
        trace.end()
        var output = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        if poll(&output, 1, 0) > 0, output.revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0 {
            leave(74, "the trace could not be written: nobody reads it")
        }
        if isMany { FileHandle.standardOutput.write(Data("\n".utf8)) }
    }

    /// Writes the header, and does the steps.
    static func run<Served: Adapter>(_ assignment: Assignment, as client: Served.Type, _ trace: Trace) {
        var header = client.header
        header.scenario = assignment.scenario
        header.caseName = assignment.caseName
        header.run = assignment.run
        trace.write(header)
        client.runSteps(of: assignment, trace)
    }

    /// How long the steps may take: an adapter gives up 200 ms before the deadline.
    static func milliseconds(of assignment: Assignment) -> Int { max(100, assignment.deadline - 200) }

    /// Gives up before the deadline: tells the result of the open step, and ends the process.
    private static func watch(
        _ assignment: Assignment, _ trace: Trace, isMany: Bool
    ) -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global())
        timer.schedule(deadline: .now() + .milliseconds(milliseconds(of: assignment)))
        timer.setEventHandler {
            trace.giveUp()
            trace.end()
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
