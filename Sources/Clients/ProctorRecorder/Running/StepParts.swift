internal import Foundation
internal import ProctorEvents
package import ProctorProgram

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

/// The body of a step in the forms that URLSession accepts.
struct BodySource: Sendable {
    let data: Data

    /// The body; empty without one.
    init(_ bytes: Assignment.Bytes?) { data = Data(bytes?.content ?? []) }

    func stream() -> InputStream { InputStream(data: data) }

    /// The reading end of a bound pair into which another thread writes; nil where bound pairs do not exist.
    ///
    /// With `notes` the second half is written later, and its last part is recorded.
    func boundStream(pausing notes: StepNotes? = nil) -> InputStream? {
        #if canImport(Darwin)
            var input: InputStream?
            var output: OutputStream?
            unsafe Stream.getBoundStreams(withBufferSize: 16_384, inputStream: &input, outputStream: &output)
            guard let output else { return input }
            let handed = Handover(value: StreamFeeder(stream: output, data: data, notes: notes))
            Thread.detachNewThread { handed.value.run() }
            return input
        #else
            return nil
        #endif
    }

    /// Makes a file with the body; the caller removes the file.
    func temporaryFile() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
        try data.write(to: url)
        return url
    }
}

#if canImport(Darwin)
    /// Writes to one end of a bound pair; used by its own thread only.
    private struct StreamFeeder {
        let stream: OutputStream
        let data: Data
        /// nil: all is written at once.
        let notes: StepNotes?

        func run() {
            stream.open()
            let content = [UInt8](data)
            write(content.prefix(content.count / 2))
            if notes != nil { Thread.sleep(forTimeInterval: Double(Assignment.BodyForm.pairPause) / 1000) }
            write(content.dropFirst(content.count / 2))
            notes?.record(.bodyWritten)
            stream.close()
        }

        private func write(_ bytes: ArraySlice<UInt8>) {
            var rest = bytes
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBufferPointer { buffer in
                    guard let start = buffer.baseAddress else { return 0 }
                    return unsafe stream.write(start, maxLength: buffer.count)
                }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
        }
    }
#endif

extension Assignment.Bytes {
    /// The greatest size of a body in bytes that an assignment may ask for.
    package static let limit = 256 << 20

    /// The whole content; invalid base64 counts as empty, see ``fault``.
    package var content: [UInt8] {
        let unit = text.map { Array($0.utf8) } ?? decoded ?? []
        guard let count, !unit.isEmpty else { return unit }
        let length = min(max(count, 0), Self.limit)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length)
        while bytes.count < length { bytes += unit.prefix(length - bytes.count) }
        return bytes
    }

    /// Why a client cannot send it; nil when it can.
    package var fault: String? {
        if base64 != nil, decoded == nil { return "the body's base64 is none" }
        if let count, !(0...Self.limit).contains(count) {
            return "a body has 0 to \(Self.limit) bytes, not \(count)"
        }
        return nil
    }

    private var decoded: [UInt8]? { base64.flatMap { Data(base64Encoded: $0) }.map { Array($0) } }
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
