internal import Foundation
package import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// What a task of URLSession is made from.
struct StepParts: Sendable {
    let step: Assignment.Step
    let request: URLRequest
    let body: BodySource
    /// The body, where the program wants it from a file.
    let file: URL?

    /// The request with its body in it, unless the task brings the body or the program wants none.
    var completeRequest: URLRequest {
        var request = request
        guard step.body != nil else { return request }
        if step.bodyForm == .requestStream {
            request.httpBodyStream = body.stream()
        } else {
            request.httpBody = body.data
        }
        return request
    }

    /// A task of a step of kind `data` or `upload`.
    func dataTask(in session: URLSession) -> URLSessionTask {
        if step.body == nil, step.task == .data { return session.dataTask(with: request) }
        switch step.bodyForm {
        case .file:
            return file.map { session.uploadTask(with: request, fromFile: $0) } ?? session.dataTask(with: request)
        case .stream, .boundPair: return session.uploadTask(withStreamedRequest: request)
        // No upload task: one made from a streamed request leaves the request's stream aside and asks for another.
        case .requestStream: return session.dataTask(with: completeRequest)
        case .data:
            return step.task == .upload
                ? session.uploadTask(with: request, from: body.data) : session.dataTask(with: completeRequest)
        }
    }
}

/// A step as a request, without the body where the task brings it.
enum StepRequest {
    /// nil when the URL is none for Foundation.
    static func make(_ step: Assignment.Step) -> URLRequest? {
        guard let url = URL(string: step.url) else { return nil }
        var request = URLRequest(url: url)
        request.httpMethod = step.method
        request.mainDocumentURL = url
        var names: Set<String> = []
        for header in step.headers where header.count == 2 {
            // The first of a name replaces what Foundation may have set, the others are more of it.
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
        case .cacheElseLoad: request.cachePolicy = .returnCacheDataElseLoad
        case .cacheOnly: request.cachePolicy = .returnCacheDataDontLoad
        case nil: break
        }
        return request
    }

    /// Milliseconds as URLSession can use them: on Linux only whole seconds work, and 0 is none.
    static func seconds(_ milliseconds: Int) -> TimeInterval {
        let seconds = Double(max(1, milliseconds)) / 1000
        #if canImport(Darwin)
            return seconds
        #else
            return seconds.rounded(.up)
        #endif
    }
}

/// The content of a step, in the forms in which URLSession takes it.
struct BodySource: Sendable {
    let data: Data

    /// Empty where there is none.
    init(_ bytes: Assignment.Bytes?) { data = Data(bytes?.content ?? []) }

    /// A fresh stream, not opened.
    func stream() -> InputStream { InputStream(data: data) }

    /// The reading end of a pair whose other end a thread of its own feeds; nil where there are no pairs.
    func boundStream() -> InputStream? {
        #if canImport(Darwin)
            var input: InputStream?
            var output: OutputStream?
            unsafe Stream.getBoundStreams(withBufferSize: 16_384, inputStream: &input, outputStream: &output)
            guard let output else { return input }
            let handed = Handover(value: StreamFeeder(stream: output, data: data))
            Thread.detachNewThread { handed.value.run() }
            return input
        #else
            return nil
        #endif
    }

    /// Writes the content to a new file, which the caller removes.
    func temporaryFile() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
        try data.write(to: url)
        return url
    }
}

#if canImport(Darwin)
    /// Writes to one end of a bound pair; it is used by its own thread alone.
    private struct StreamFeeder {
        let stream: OutputStream
        let data: Data

        func run() {
            stream.open()
            var rest = [UInt8](data)[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return 0 }
                    return unsafe stream.write(start, maxLength: buffer.count)
                }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            stream.close()
        }
    }
#endif

extension Assignment.Bytes {
    /// Bytes of one body at most: the largest an assignment can ask for.
    package static let limit = 256 << 20

    /// All of it; base64 that is none counts as empty, ``fault`` tells.
    package var content: [UInt8] {
        let unit = text.map { Array($0.utf8) } ?? decoded ?? []
        guard let count, !unit.isEmpty else { return unit }
        let length = min(max(count, 0), Self.limit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += unit.prefix(length - bytes.count) }
        return bytes
    }

    /// Why a client can't send it; nil when it can.
    package var fault: String? {
        if base64 != nil, decoded == nil { return "the body's base64 is none" }
        if let count, !(0...Self.limit).contains(count) {
            return "a body has 0 to \(Self.limit) bytes, not \(count)"
        }
        return nil
    }

    private var decoded: [UInt8]? { base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
}
