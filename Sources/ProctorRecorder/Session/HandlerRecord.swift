internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Writes down what a completion handler was given, and that it returned.
struct HandlerRecord: Sendable {
    let role: TaskRole
    let recorder: TraceRecorder
    let session: URLSession

    /// Runs what belongs into the handler between its beginning and its return.
    func called(
        _ data: Data?, _ response: URLResponse?, _ error: (any Error)?, _ inside: () -> Void = {}
    ) {
        role.returned(data, response, outcome: ErrorFacts(error).name)
        write(.handler, byteCount: data?.count, response, error, QueueLabel.current(for: session), inside)
    }

    /// The same for a download.
    func called(
        _ file: DownloadedFile?, _ response: URLResponse?, _ error: (any Error)?, _ inside: () -> Void = {}
    ) {
        if let file { role.received(file, response: response) }
        write(.handler, byteCount: file?.byteCount, response, error, QueueLabel.current(for: session), inside)
    }

    func returned(_ data: Data, _ response: URLResponse) {
        role.returned(data, response, outcome: ErrorFacts(nil).name)
        write(.awaited, byteCount: data.count, response, nil, nil)
    }

    func threw(_ error: any Error) { write(.awaited, byteCount: nil, nil, error, nil) }

    private func write(
        _ name: EventName, byteCount: Int?, _ response: URLResponse?, _ error: (any Error)?, _ queue: String?,
        _ inside: () -> Void = {}
    ) {
        let failure = ErrorFacts(error)
        role.ended(with: failure.name, response: response)
        var facts = response.map { ResponseFacts($0).facts } ?? []
        facts.add(.bytes, byteCount)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: .handler, task: role.number, name: name, argument: failure.name, queue: queue, family: .HT,
                facts: facts.appending(failure.facts)),
            recordedBy: recorder)
        inside()
        recorded.returns()
        if role.step == nil { ResultFacts(role).record(to: recorder, hasEnded: true) }
    }
}
