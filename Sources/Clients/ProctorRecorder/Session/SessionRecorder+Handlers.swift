public import Foundation
internal import ProctorEvents

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Tasks with a completion handler, in lane `handler` (R54).
extension SessionRecorder {
    /// Makes a data task without resuming it; the call of its handler is recorded first.
    public func dataTask(
        in session: URLSession, with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        noted(in: session) { record in
            session.dataTask(with: request) { data, response, error in
                record.called(data, response, error: error) { completionHandler(data, response, error) }
            }
        }
    }

    /// Makes an upload task without resuming it; the call of its handler is recorded first.
    public func uploadTask(
        in session: URLSession, with request: URLRequest, from body: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        noted(in: session) { record in
            session.uploadTask(with: request, from: body) { data, response, error in
                record.called(data, response, error: error) { completionHandler(data, response, error) }
            }
        }
    }

    /// Makes a download task without resuming it; the call of its handler is recorded first, while the file exists.
    public func downloadTask(
        in session: URLSession, with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        noted(in: session) { record in
            session.downloadTask(with: request) { file, response, error in
                record.called(file.map(DownloadedFile.init), response, error: error) {
                    completionHandler(file, response, error)
                }
            }
        }
    }

    private func noted<Made: URLSessionTask>(in session: URLSession, _ make: (HandlerRecord) -> Made) -> Made {
        let record = handlerRecord(session)
        let task = make(record)
        recorder.assign(record.record.number, toTask: task)
        return task
    }

    private func handlerRecord(_ session: URLSession) -> HandlerRecord {
        let record = StepRecord(nil, number: recorder.takeTaskNumber(), family: .sessionHandler, recordingTo: recorder)
        records.add(record)
        return HandlerRecord(record: record, session: session)
    }
}

// The `async` methods of URLSession, in lane `handler`.
//
// Their tasks can't be seen when they are made, so with several calls at a time a callback may be recorded in another
// call's lane.
extension SessionRecorder {
    /// Calls the session's method of that name and records it; pass a ``taskDelegate`` as the task's delegate.
    public func data(
        for request: URLRequest, in session: URLSession, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaiting(in: session, delegate) { try await session.data(for: request, delegate: delegate) }
    }

    /// Calls the session's method of that name and records it; pass a ``taskDelegate`` as the task's delegate.
    public func upload(
        for request: URLRequest, from body: Data, in session: URLSession,
        delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaiting(in: session, delegate) {
            try await session.upload(for: request, from: body, delegate: delegate)
        }
    }

    private func awaiting(
        in session: URLSession, _ delegate: (any URLSessionTaskDelegate)?,
        _ load: () async throws -> (Data, URLResponse)
    ) async throws -> (Data, URLResponse) {
        let record = handlerRecord(session)
        let number = record.record.number
        recorder.expectTask(number)
        defer { recorder.withdrawTask(number) }
        record.record.notes.record(.resume, delegate == nil ? [] : [EventFact(.who, .text("task"))])
        do {
            let (data, response) = try await load()
            record.returned(data, response)
            return (data, response)
        } catch {
            record.threw(error)
            throw error
        }
    }
}

/// Records the arguments of a completion handler and its return.
package struct HandlerRecord: Sendable {
    package let record: StepRecord
    let session: URLSession

    package init(record: StepRecord, session: URLSession) { (self.record, self.session) = (record, session) }

    /// `inside` is called between the beginning and the return of the handler.
    package func called(_ data: Data?, _ response: URLResponse?, error: (any Error)?, inside: () -> Void = {}) {
        write(
            .handler, data.map { KeptBody($0, byteCount: $0.count) }, data.map { .content(of: $0) }, response, error,
            queue: QueueLabel.current(for: session), inside)
    }

    /// Records a download's handler.
    func called(_ file: DownloadedFile?, _ response: URLResponse?, error: (any Error)?, inside: () -> Void = {}) {
        write(.handler, file?.body, file?.facts, response, error, queue: QueueLabel.current(for: session), inside)
    }

    /// Records the return of an awaited or synchronous call.
    package func returned(_ data: Data?, _ response: URLResponse?, error: (any Error)? = nil) {
        let body = data.map { KeptBody($0, byteCount: $0.count) }
        write(.awaited, body, data.map { .content(of: $0) }, response, error)
    }

    package func threw(_ error: any Error) { returned(nil, nil, error: error) }

    /// Records the call, and for the result what the handler received, whatever the callbacks reported.
    private func write(
        _ name: EventName, _ body: KeptBody?, _ content: EventFacts?, _ response: URLResponse?, _ error: (any Error)?,
        queue: String? = nil, _ inside: () -> Void = {}
    ) {
        let end = EventDetail(error)
        let result = response?.resultFacts(asking: record.fieldNames)
        record.receivedWhole(body, response: result)
        record.ended(with: end.argument, response: result)
        let recorded = RecordedCallback(
            TraceEvent(
                lane: .handler, task: record.number, name: name, argument: end.argument, queue: queue,
                family: record.family,
                facts: .outcome(content: content, response: response.map { EventDetail($0).facts }, end: end)),
            recordedBy: record.recorder)
        inside()
        recorded.returns()
        if record.step == nil { record.writeResult(hasEnded: true) }
    }
}

/// A download's file, read while it exists.
struct DownloadedFile {
    /// The length of the file; nil when it can't be read.
    let byteCount: Int?
    /// The first bytes, at most as many as a `result` may contain.
    let start: [UInt8]

    /// `bytes`, and `crc32` where the whole file was read.
    var facts: EventFacts { byteCount == nil ? [] : body.contentFacts }

    /// The content; empty when the file can't be read.
    var body: KeptBody { KeptBody(start, byteCount: byteCount ?? 0) }

    init(_ location: URL) {
        guard let handle = try? FileHandle(forReadingFrom: location), let end = try? handle.seekToEnd() else {
            byteCount = nil
            start = []
            return
        }
        byteCount = Int(clamping: end)
        _ = try? handle.seek(toOffset: 0)
        start = [UInt8]((try? handle.read(upToCount: KeptBody.limit)) ?? Data())
        try? handle.close()
    }
}
