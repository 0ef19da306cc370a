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
        write(.handler, data.map { .content(of: $0) }, response, error, QueueLabel.current(for: session), inside)
    }

    /// The same for a download.
    func called(
        _ file: DownloadedFile?, _ response: URLResponse?, _ error: (any Error)?, _ inside: () -> Void = {}
    ) {
        if let file { role.received(file, response: response) }
        write(.handler, file?.facts, response, error, QueueLabel.current(for: session), inside)
    }

    func returned(_ data: Data, _ response: URLResponse) {
        role.returned(data, response, outcome: ErrorFacts(nil).name)
        write(.awaited, .content(of: data), response, nil, nil)
    }

    func threw(_ error: any Error) { write(.awaited, nil, nil, error, nil) }

    private func write(
        _ name: EventName, _ content: EventFacts?, _ response: URLResponse?, _ error: (any Error)?, _ queue: String?,
        _ inside: () -> Void = {}
    ) {
        let failure = ErrorFacts(error)
        role.ended(with: failure.name, response: response)
        let facts = (response.map { ResponseFacts($0).facts } ?? []).appending(content ?? [])
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
