import Foundation
import ProctorEvents
import ProctorProgram
import Synchronization

/// A client whose loads are asynchronous, as the kit drives it: each load is a task of its own.
///
/// Steps that are `together` run beside each other. A step that is to be cancelled is cancelled by its task, as a caller of the
/// client does it, so what the client makes of a cancelled task is what the exam sees.
protocol AsyncClient: Adapter, Sendable {
    /// One for each assignment: its connections and stores.
    init(_ session: SessionSetup) async throws
    /// Why a step cannot be done, in words that name the key; nil where it can.
    func refusal(of step: Assignment.Step) -> String?
    /// Does a step, tells `course` what comes, and returns what the client has in the end; throws what the client throws.
    func load(_ step: Assignment.Step, _ course: LoadCourse) async throws -> [EventFact]
    /// The word of an error that ``load(_:_:)`` threw (Docs/clients/trace.md), such as `connectionLost`.
    static func word(for error: any Error) -> String
    /// Ends what the loads left: connections, event loops.
    func close() async
}

/// Why a client can't be made for a session, in words that name the key.
struct SessionRefusal: Error {
    let reason: String
}

extension AsyncClient {
    static func runSteps(of assignment: Assignment, _ trace: Trace) {
        let hasEnded = DispatchSemaphore(value: 0)
        // Owned by this call, which waits for its end.
        Task.detached {
            await perform(assignment, trace)
            hasEnded.signal()
        }
        hasEnded.wait()
    }

    private static func perform(_ assignment: Assignment, _ trace: Trace) async {
        func refuse(_ task: Int, _ reason: String) {
            trace.record(TraceEvent(lane: .harness, task: task, name: .unimplemented, argument: reason))
        }
        if let reason = lack(in: assignment) { return refuse(0, reason) }
        let client: Self
        do {
            client = try await Self(assignment.session)
        } catch {
            return refuse(0, "session.\((error as? SessionRefusal)?.reason ?? "\(error)")")
        }
        await withTaskGroup(of: Void.self) { group in
            for (task, step) in assignment.steps.enumerated() {
                if !step.isTogether { await group.waitForAll() }
                if let reason = client.refusal(of: step) ?? LoadCourse.refusal(of: step) {
                    await group.waitForAll()
                    return refuse(task, "steps[\(task)].\(reason)")
                }
                let course = LoadCourse(step, task, trace)
                trace.record(TraceEvent(lane: .harness, task: task, name: .resume))
                group.addTask { await perform(step, by: client, course) }
            }
        }
        await client.close()
    }

    private static func perform(_ step: Assignment.Step, by client: Self, _ course: LoadCourse) async {
        let load = Task { try await client.load(step, course) }
        course.begin(cancellingBy: load.cancel)
        switch await load.result {
        case .success(let facts): course.end(facts)
        case .failure(let error): course.end(word: word(for: error), message: "\(error)")
        }
    }
}

/// What comes in a load, as the client tells it.
///
/// Where the step says so, its task is cancelled there. Safe from any thread.
final class LoadCourse: Sendable {
    private struct State {
        var head: [EventFact] = []
        var counts: [String: Int] = [:]
        var isCancelled = false
        var cancel: (@Sendable () -> Void)?
    }

    private let step: Assignment.Step
    private let task: Int
    private let trace: Trace
    private let state = Mutex(State())

    fileprivate init(_ step: Assignment.Step, _ task: Int, _ trace: Trace) {
        (self.step, self.task, self.trace) = (step, task, trace)
    }

    /// The moments at which a load can be cancelled.
    private static let moments = ["response", "data"]

    fileprivate static func refusal(of step: Assignment.Step) -> String? {
        if case .event(let name, _)? = step.cancelAt, !moments.contains(name) {
            return "cancelAt: it is cancelled before and after its resume, and at \(moments.joined(separator: " and "))"
        }
        if step.followsRedirects == nil {
            return "onRedirect: redirects are all followed, or the first one is delivered"
        }
        if step.onResponse != .allow { return "onResponse: a task of Swift has no answer to a head but its own end" }
        if step.suspendAt != nil { return "suspendAt: a task of Swift can't be suspended" }
        return nil
    }

    // MARK: What the client tells

    /// The final head has come; `facts` are those that the caller has from now on: status, url, mime.
    func receivedHead(_ facts: [EventFact]) {
        state.withLock { $0.head = facts }
        reach("response")
    }

    /// A part of the body has come.
    func receivedPart() { reach("data") }

    /// Reads a body to its end, one part after the other: the next part is asked for when the last one was taken, so that a client
    /// with back-pressure reads no further ahead than it would for any caller.
    func facts<Body: AsyncSequence>(reading body: Body) async throws -> [EventFact]
    where Body.Element: Sequence<UInt8> {
        var whole = Data()
        for try await part in body {
            whole.append(contentsOf: part)
            receivedPart()
        }
        return state.withLock(\.head) + Kit.facts(ofBody: whole)
    }

    // MARK: What the kit does

    fileprivate func begin(cancellingBy cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.cancel = cancel
            return state.isCancelled
        }
        if isCancelled { cancel() }
        if step.cancelAt == .beforeResume || step.cancelAt == .afterResume { cancelLoad() }
    }

    private func reach(_ moment: String) {
        let count = state.withLock { state in
            state.counts[moment, default: 0] += 1
            return state.counts[moment, default: 0]
        }
        if step.cancelAt == .event(moment, count: count) { cancelLoad() }
    }

    private func cancelLoad() {
        trace.record(TraceEvent(lane: .harness, task: task, name: .cancel))
        let cancel = state.withLock { state in
            state.isCancelled = true
            return state.cancel
        }
        cancel?()
    }

    fileprivate func end(_ facts: [EventFact]) {
        trace.record(TraceEvent(lane: .harness, task: task, name: .result, facts: EventFacts(facts)))
    }

    /// A failed load has the head that came before, and no body.
    fileprivate func end(word: String, message: String) {
        end(
            state.withLock(\.head)
                + [EventFact(.error, .text(word)), EventFact(.message, .text(String(message.prefix(1_000))))])
    }
}

extension Assignment.Step {
    /// Whether the client follows redirects; nil where it would have to answer them otherwise, or one by one.
    var followsRedirects: Bool? {
        var follows: [Bool] = []
        for answer in onRedirect {
            switch answer {
            case .follow: follows.append(true)
            case .refuse: follows.append(false)
            default: return nil
            }
        }
        return Set(follows).count > 1 ? nil : follows.first ?? true
    }

    /// The content of the request; nil: none.
    var content: Data? {
        guard let body else { return nil }
        if let base64 = body.base64 { return Data(base64Encoded: base64) }
        let text = Data((body.text ?? "").utf8)
        guard let count = body.count, count > text.count, !text.isEmpty else {
            return text.prefix(body.count ?? text.count)
        }
        var content = Data(capacity: count)
        while content.count < count { content.append(text.prefix(count - content.count)) }
        return content
    }
}
