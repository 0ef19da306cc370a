public import Foundation
internal import ProctorEvents

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

// Tasks whose end is told to a completion handler, in lane `handler` (R54).
extension SessionRecorder {
    /// A data task, not resumed, whose handler is called after it was written down.
    public func dataTask(
        in session: URLSession, with request: URLRequest,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDataTask {
        let record = handlerRecord(session)
        let task = session.dataTask(with: request) { data, response, error in
            record.called(data, response, error: error) { completionHandler(data, response, error) }
        }
        recorder.assign(record.record.number, toTask: task)
        return task
    }

    /// An upload task, not resumed, whose handler is called after it was written down.
    public func uploadTask(
        in session: URLSession, with request: URLRequest, from body: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        let record = handlerRecord(session)
        let task = session.uploadTask(with: request, from: body) { data, response, error in
            record.called(data, response, error: error) { completionHandler(data, response, error) }
        }
        recorder.assign(record.record.number, toTask: task)
        return task
    }

    /// A download task, not resumed, whose handler is called after it was written down, while the file is there.
    public func downloadTask(
        in session: URLSession, with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        let record = handlerRecord(session)
        let task = session.downloadTask(with: request) { file, response, error in
            record.called(file.map(DownloadedFile.init), response, error: error) {
                completionHandler(file, response, error)
            }
        }
        recorder.assign(record.record.number, toTask: task)
        return task
    }

    func handlerRecord(_ session: URLSession) -> HandlerRecord {
        let record = StepRecord(nil, number: recorder.takeTaskNumber(), family: .sessionHandler, recordingTo: recorder)
        records.add(record)
        return HandlerRecord(record: record, session: session)
    }
}

// The `async` methods of URLSession, in lane `handler`.
//
// Their task is made out of sight, so that of several calls at a time a callback may be written to another one's lane.
extension SessionRecorder {
    /// Like the session's method; give it a ``taskDelegate`` where a task delegate is wanted.
    public func data(
        for request: URLRequest, in session: URLSession, delegate: (any URLSessionTaskDelegate)? = nil
    ) async throws -> (Data, URLResponse) {
        try await awaiting(in: session, delegate) { try await session.data(for: request, delegate: delegate) }
    }

    /// Like the session's method; give it a ``taskDelegate`` where a task delegate is wanted.
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
        record.record.notes.note(.resume, delegate == nil ? [] : [EventFact(.who, .text("task"))])
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

/// Writes down what a completion handler was given, and that it returned.
struct HandlerRecord: Sendable {
    let record: StepRecord
    let session: URLSession

    /// Runs what belongs into the handler between its beginning and its return.
    func called(_ data: Data?, _ response: URLResponse?, error: (any Error)?, inside: () -> Void = {}) {
        returned(data, response, error: error)
        write(
            .handler, content: data.map { .content(of: $0) }, response, error: error,
            queue: QueueLabel.current(for: session), inside: inside)
    }

    /// The same for a download.
    func called(_ file: DownloadedFile?, _ response: URLResponse?, error: (any Error)?, inside: () -> Void = {}) {
        if let file { record.received(whole: file.body, response: response?.resultFacts) }
        write(
            .handler, content: file?.facts, response, error: error, queue: QueueLabel.current(for: session),
            inside: inside)
    }

    func returned(_ data: Data, _ response: URLResponse) {
        returned(data, response, error: nil)
        write(.awaited, content: .content(of: data), response)
    }

    func threw(_ error: any Error) { write(.awaited, error: error) }

    /// What a handler was given is all there is, whatever callbacks brought.
    private func returned(_ data: Data?, _ response: URLResponse?, error: (any Error)?) {
        record.ended(with: ErrorFacts(error).name, response: nil)
        record.received(whole: data.map { KeptBody($0, byteCount: $0.count) }, response: response?.resultFacts)
    }

    private func write(
        _ name: EventName, content: EventFacts? = nil, _ response: URLResponse? = nil, error: (any Error)? = nil,
        queue: String? = nil, inside: () -> Void = {}
    ) {
        let failure = ErrorFacts(error)
        record.ended(with: failure.name, response: response?.resultFacts)
        let facts = (response.map { ResponseFacts($0).facts } ?? []).appending(content ?? [])
        let recorded = RecordedCallback(
            TraceEvent(
                lane: .handler, task: record.number, name: name, argument: failure.name, queue: queue,
                family: .sessionHandler,
                facts: facts.appending(failure.facts)),
            recordedBy: record.recorder)
        inside()
        recorded.returns()
        if record.step == nil { record.writeResult(hasEnded: true) }
    }
}

/// What a download left in its file, read while the file is there.
struct DownloadedFile {
    /// nil when the file can't be read.
    let byteCount: Int?
    /// At most as many as a `result` takes.
    let start: [UInt8]

    /// `bytes`, and `crc32` where all of it was read.
    var facts: EventFacts { byteCount == nil ? [] : body.contentFacts }

    /// Empty when the file can't be read.
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
