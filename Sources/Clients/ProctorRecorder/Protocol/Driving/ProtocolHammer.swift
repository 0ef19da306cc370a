internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorEvents

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Calls a class from two threads at the same time, and makes and releases its objects, as any thread may (R48).
///
/// The threads begin each round together; otherwise, on a busy machine, the first thread may end before the second
/// begins. Each different answer is recorded once, after the threads have ended, so that R52 finds one that depends on
/// the thread.
struct ProtocolHammer: Sendable {
    let run: ProtocolRun
    let maker: ProtocolMaker

    private static let roundCount = 50
    /// A class that blocks its callers for this time is not waited for any longer.
    private static let longestWait = DispatchTimeInterval.seconds(10)

    private struct Answers {
        var accepts: Set<Bool> = []
        /// Canonical forms by request, both as lines.
        var forms: [String: Set<String>] = [:]
    }

    func call(with request: URLRequest) {
        let requests = Handover(value: [request, request.another ?? request])
        let answers = Locked(Answers())
        let group = DispatchGroup()
        let first = DispatchSemaphore(value: 0)
        let second = DispatchSemaphore(value: 0)
        for (number, (own, other)) in [(first, second), (second, first)].enumerated() {
            group.enter()
            Thread.detachNewThread {
                for round in 0..<Self.roundCount {
                    other.signal()
                    // A thread that the class blocks holds up the other one no longer than the whole call.
                    guard own.wait(timeout: .now() + Self.longestWait) == .success else { break }
                    call(requests.value[(number + round) % 2], into: answers)
                }
                group.leave()
            }
        }
        guard group.wait(timeout: .now() + Self.longestWait) == .success else {
            run.record(
                .harness, .blocked, facts: [EventFact(.message, .text("class calls from two threads do not return"))])
            return
        }
        record(answers.withLock { $0 }, of: request)
    }

    /// The object is never started, so nothing stops it.
    private func call(_ request: URLRequest, into answers: Locked<Answers>) {
        let type = maker.protocolClass
        let accepts = type.canInit(with: request)
        let form = type.canonicalRequest(for: request)
        if run.program.asksEquivalence { _ = type.requestIsCacheEquivalent(request, to: form) }
        answers.withLock { answers in
            answers.accepts.insert(accepts)
            answers.forms[request.line, default: []].insert(form.line)
        }
        let client = ProtocolClientRecorder(recorder: run.recorder, object: -1, task: run.task) { _ in }
        _ = maker.make(form, nil, client)
    }

    private func record(_ answers: Answers, of request: URLRequest) {
        for accepts in answers.accepts.sorted(by: { $0 && !$1 }) {
            run.record(
                .proto, .pCanInit, argument: maker.name,
                facts: [EventFact(.request, .text(request.line)), EventFact(.accepts, .flag(accepts))])
        }
        for (line, forms) in answers.forms.sorted(by: { $0.key < $1.key }) {
            for form in forms.sorted() {
                run.record(
                    .proto, .pCanonical,
                    facts: [EventFact(.request, .text(line)), EventFact(.proposed, .text(form))])
            }
        }
    }
}

extension URLRequest {
    /// The request with another query, and so for another resource; nil when its URL can't be read.
    var another: URLRequest? {
        guard let url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return nil }
        parts.percentEncodedQuery = (parts.percentEncodedQuery.map { $0 + "&" } ?? "") + "proctor=another"
        guard let changed = parts.url else { return nil }
        var request = self
        request.url = changed
        return request
    }
}
