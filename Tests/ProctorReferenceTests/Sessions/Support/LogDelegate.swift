import ProctorBase
import ProctorHTTP
import ProctorTestSupport

@testable import ProctorReference

/// The calls to delegates and handlers, in order; a test waits for the lines that must come.
final class CallLog: Sendable {
    private let state = Locked(State())

    private struct State {
        var lines: [String] = []
        var waiters: [(line: String, continuation: CheckedContinuation<Void, Never>)] = []
    }

    func add(_ line: String) {
        let woken = state.withLock { state in
            state.lines.append(line)
            let woken = state.waiters.filter { line.hasPrefix($0.line) }
            state.waiters.removeAll { line.hasPrefix($0.line) }
            return woken
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Returns when a line that begins so has come; the suite's time limit bounds it.
    func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let hasCome = state.withLock { state in
                if state.lines.contains(where: { $0.hasPrefix(line) }) { return true }
                state.waiters.append((line, continuation))
                return false
            }
            if hasCome { continuation.resume() }
        }
    }

    var lines: [String] { state.withLock { $0.lines } }

    /// Consecutive calls of one kind, whose number is arbitrary, are one line.
    var folded: [String] {
        var folded: [String] = []
        for line in lines {
            let kind = ["data", "progress", "bodySent"].first { line.hasPrefix($0) }
            if kind == nil || folded.last != kind { folded.append(kind ?? line) }
        }
        return folded
    }
}

/// Logs every call with where it came, and answers as the test says.
final class LogDelegate: ReferenceSessionDelegate {
    struct Script: Sendable {
        var onRedirect: @Sendable (ClientRequest, @escaping @Sendable (ClientRequest?) -> Void) -> Void = { $1($0) }
        /// One for each challenge; none: the 401 is delivered.
        var onChallenge: [ChallengeAnswer] = []
        var onBodyStream: @Sendable () -> BodyStream? = { nil }
        var onResponse: @Sendable (@escaping @Sendable (ResponseDisposition) -> Void) -> Void = { $0(.allow) }
        /// What is said to `willStore`.
        var storing = StoringAnswer.store
        /// In the call that begins so the task is cancelled, and nothing answered.
        var cancelAt: String?
        /// What else is done in a call, by its line.
        var act: @Sendable (ReferenceTask, String) -> Void = { _, _ in }
    }

    let log: CallLog
    private let script: Script
    private let challengeCount = Locked(0)
    private let body = Locked<[UInt8]>([])

    init(_ script: Script = Script(), log: CallLog = CallLog()) {
        self.script = script
        self.log = log
    }

    var content: String { body.withLock { String(decoding: $0, as: UTF8.self) } }

    private func note(_ line: String, _ session: ReferenceSession, _ task: ReferenceTask, _ answer: () -> Void = {}) {
        let isMisplaced = session.queue.isCurrent == (line == "created")
        log.add(isMisplaced ? "\(line) in the wrong place" : line)
        script.act(task, line)
        if let moment = script.cancelAt, line.hasPrefix(moment) { task.cancel() } else { answer() }
    }

    func session(_ session: ReferenceSession, didCreate task: ReferenceTask) { note("created", session, task) }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willRedirectTo request: ClientRequest,
        from response: LoadResponse, answer: @escaping @Sendable (ClientRequest?) -> Void
    ) {
        note("redirect \(response.status)", session, task) { script.onRedirect(request, answer) }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive challenge: LoadChallenge,
        answer: @escaping @Sendable (ChallengeAnswer) -> Void
    ) {
        let index = challengeCount.withLock { count in
            defer { count += 1 }
            return count
        }
        note("challenge \(challenge.space.kind) \(challenge.previousFailureCount)", session, task) {
            answer(index < script.onChallenge.count ? script.onChallenge[index] : .goOnWithout)
        }
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask,
        needsBodyStream answer: @escaping @Sendable (BodyStream?) -> Void
    ) {
        note("needBodyStream", session, task) { answer(script.onBodyStream()) }
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didSendBody progress: TransferProgress) {
        note("bodySent \(progress.total)/\(progress.expected)", session, task)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceiveInterim head: ReplyHead) {
        note("informational \(head.status)", session, task)
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, didReceive response: LoadResponse,
        answer: @escaping @Sendable (ResponseDisposition) -> Void
    ) {
        body.withLock { $0 = [] }
        note("response \(response.status)", session, task) { script.onResponse(answer) }
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didReceive content: [UInt8]) {
        body.withLock { $0 += content }
        note("data", session, task)
    }

    func session(_ session: ReferenceSession, didTurnIntoDownload task: ReferenceTask) {
        note("becameDownload", session, task)
    }

    func session(
        _ session: ReferenceSession, task: ReferenceTask, willStore response: LoadResponse, byteCount: Int,
        answer: @escaping @Sendable (StoringAnswer) -> Void
    ) {
        note("willCache \(byteCount)", session, task) { answer(script.storing) }
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didResumeAt offset: Int, expected: Int) {
        note("resumed at \(offset) of \(expected)", session, task)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didWrite progress: TransferProgress) {
        note("progress \(progress.total)/\(progress.expected)", session, task)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didFinishDownloadingTo path: String) {
        let text = TextFile.read(path)
        body.withLock { $0 = Array((text ?? "no file").utf8) }
        note("fileReady", session, task)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCollect metrics: ReferenceMetrics) {
        note("metrics \(metrics.exchangeCount)", session, task)
    }

    func session(_ session: ReferenceSession, task: ReferenceTask, didCompleteWith error: LoadError?) {
        note("complete \(error.map { "\($0.kind)" } ?? "ok")", session, task)
    }

    func sessionDidBecomeInvalid(_ session: ReferenceSession) { log.add("sessionInvalid") }
}
