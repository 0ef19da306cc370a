public import Foundation
internal import ProctorTrace

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
            record.called(data, response, error) { completionHandler(data, response, error) }
        }
        recorder.assign(record.role.number, toTask: task)
        return task
    }

    /// An upload task, not resumed, whose handler is called after it was written down.
    public func uploadTask(
        in session: URLSession, with request: URLRequest, from body: Data?,
        completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionUploadTask {
        let record = handlerRecord(session)
        let task = session.uploadTask(with: request, from: body) { data, response, error in
            record.called(data, response, error) { completionHandler(data, response, error) }
        }
        recorder.assign(record.role.number, toTask: task)
        return task
    }

    /// A download task, not resumed, whose handler is called after it was written down, while the file is there.
    public func downloadTask(
        in session: URLSession, with request: URLRequest,
        completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
    ) -> URLSessionDownloadTask {
        let record = handlerRecord(session)
        let task = session.downloadTask(with: request) { file, response, error in
            record.called(file.map(DownloadedFile.init), response, error) { completionHandler(file, response, error) }
        }
        recorder.assign(record.role.number, toTask: task)
        return task
    }

    private func handlerRecord(_ session: URLSession) -> HandlerRecord {
        HandlerRecord(role: newHandlerRole(), recorder: recorder, session: session)
    }

    func newHandlerRole() -> TaskRole {
        let role = TaskRole(number: recorder.takeTaskNumber(), family: .HT)
        roles.add(role)
        return role
    }
}
