internal import Foundation
internal import ProctorEvents
internal import ProctorProgram
internal import ProctorRecorder

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

struct StepParts: Sendable {
    let step: Assignment.Step
    let request: URLRequest
    let body: BodySource
    /// The file with the body, when the program uses one.
    let file: URL?
    /// Records when the last part of a bound pair was written.
    let notes: StepNotes

    /// The file of an upload task; a stream that reads the file belongs to the request.
    var uploadedFile: URL? { step.bodyForm == .file ? file : nil }

    /// The request with its body, unless an upload task has the body or there is none.
    var completeRequest: URLRequest {
        var request = request
        guard step.body != nil else { return request }
        switch step.bodyForm {
        case .requestStream: request.httpBodyStream = body.stream()
        case .requestFileStream: request.httpBodyStream = file.flatMap { InputStream(url: $0) }
        case .requestBoundPair: request.httpBodyStream = body.boundStream(pausing: notes)
        case .data, .file, .stream, .boundPair: request.httpBody = body.data
        }
        return request
    }

    func dataTask(in session: URLSession) -> URLSessionTask {
        if step.body == nil, step.task == .data { return session.dataTask(with: request) }
        switch step.bodyForm {
        case .file:
            return file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        case .stream, .boundPair: return session.uploadTask(withStreamedRequest: request)
        // An upload task would ignore the request's stream and ask for another one.
        case .requestStream, .requestFileStream, .requestBoundPair: return session.dataTask(with: completeRequest)
        case .data:
            return step.task == .upload
                ? session.uploadTask(with: request, from: body.data) : session.dataTask(with: completeRequest)
        }
    }
}

/// Makes the request of a step, without the body when an upload task has it.
enum StepRequest {
    /// nil when the URL is invalid for Foundation.
    static func make(_ step: Assignment.Step) -> URLRequest? {
        guard let url = URL(string: step.url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = step.method
        request.mainDocumentURL = url
        var names: Set<String> = []
        for header in step.headers where header.count == 2 {
            // The first field of a name replaces Foundation's value, further ones are added.
            if names.insert(header[0].lowercased()).inserted {
                request.setValue(header[1], forHTTPHeaderField: header[0])
            } else {
                request.addValue(header[1], forHTTPHeaderField: header[0])
            }
        }
        if let timeout = step.timeout { request.timeoutInterval = seconds(timeout) }
        switch step.cachePolicy {
        case .protocol: request.cachePolicy = .useProtocolCachePolicy
        case .reload: request.cachePolicy = .reloadIgnoringLocalCacheData
        case .reloadAll: request.cachePolicy = .reloadIgnoringLocalAndRemoteCacheData
        case .revalidate: request.cachePolicy = .reloadRevalidatingCacheData
        case .cacheElseLoad: request.cachePolicy = .returnCacheDataElseLoad
        case .cacheOnly: request.cachePolicy = .returnCacheDataDontLoad
        case nil: break
        }
        return request
    }

    /// Seconds for URLSession: on Linux only whole seconds are used, and 0 means none.
    static func seconds(_ milliseconds: Int) -> TimeInterval {
        let seconds = Double(max(1, milliseconds)) / 1000
        #if canImport(Darwin)
            return seconds
        #else
            return seconds.rounded(.up)
        #endif
    }
}

struct FoundationEncoder: ValueEncoder {
    /// A query as Foundation encodes it: `+` is not escaped, which RFC 3986 permits in a query.
    func query(_ pairs: [[String]]) -> String {
        var components = URLComponents()
        components.queryItems = pairs.filter { $0.count == 2 }.map { URLQueryItem(name: $0[0], value: $0[1]) }
        return components.percentEncodedQuery ?? ""
    }

    /// A form in the same encoding, with `+` escaped, since `+` in a form means a space; a space is `%20` here.
    func form(_ pairs: [[String]]) -> String {
        query(pairs).split(separator: "+", omittingEmptySubsequences: false).joined(separator: "%2B")
    }
}
