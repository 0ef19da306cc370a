internal import Foundation
internal import ProctorBase
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a task is made from.
struct StepParts: Sendable {
    let step: Assignment.Step
    let request: URLRequest
    let body: BodySource
    /// The body, where the program wants it from a file.
    let file: URL?
    let resumeData: ResumeData?

    /// The request with its body in it, unless the task brings the body or the program wants none.
    var completeRequest: URLRequest {
        var request = request
        guard step.body != nil else { return request }
        if step.bodyForm == "http-body-stream" {
            request.httpBodyStream = body.stream()
        } else {
            request.httpBody = body.data
        }
        return request
    }

    func makeTask(in session: LiveSession, role: TaskRole) throws -> URLSessionTask {
        switch step.task {
        case "download": return try makeDownload(in: session.session)
        case "handler":
            let handler = HandlerRecord(role: role, recorder: session.recorder, session: session.session)
            if let file {
                return session.session.uploadTask(with: request, fromFile: file) { handler.called($0, $1, $2) }
            }
            return session.session.dataTask(with: completeRequest) { handler.called($0, $1, $2) }
        default: return makeDataTask(in: session.session)
        }
    }

    private func makeDataTask(in session: URLSession) -> URLSessionTask {
        if step.body == nil, step.task == "data" { return session.dataTask(with: request) }
        switch step.bodyForm {
        case "file":
            return file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        case "stream", "bound-pair": return session.uploadTask(withStreamedRequest: request)
        // No upload task: one made from a streamed request leaves the request's stream aside and asks for another.
        case "http-body-stream": return session.dataTask(with: completeRequest)
        default:
            return step.task == "upload"
                ? session.uploadTask(with: request, from: body.data) : session.dataTask(with: completeRequest)
        }
    }

    private func makeDownload(in session: URLSession) throws -> URLSessionTask {
        guard step.resume != nil else { return session.downloadTask(with: completeRequest) }
        guard let resumeData else { throw StepWork.Failure(reason: "the step to resume left no resume data") }
        return session.downloadTask(withResumeData: resumeData.data)
    }
}
