internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Content that is ready to be sent, and how long it is.
struct OutgoingBody {
    let source: Source
    /// Bytes in all; nil where only the end of a stream tells.
    let byteCount: Int?

    enum Source {
        case none
        case bytes([UInt8])
        case file(SentFile)
        case stream(BodyStream)
    }

    /// A file that is open while an exchange sends it.
    final class SentFile {
        let path: String
        let file: OpenFile

        init(path: String) throws(CallFailure) {
            self.path = path
            file = try OpenFile(path: path)
        }
    }

    /// Opens what is to be opened: done before a connection is asked for, since it may fail.
    init(_ body: RequestBody) throws(LoadError) {
        switch body {
        case .none:
            source = .none
            byteCount = 0
        case .bytes(let bytes):
            source = bytes.isEmpty ? .none : .bytes(bytes)
            byteCount = bytes.count
        case .file(let path):
            let file = try Self.open(path)
            source = file.file.byteCount == 0 ? .none : .file(file)
            byteCount = file.file.byteCount
        case .stream(let stream):
            guard stream.open() else {
                throw LoadError(
                    .requestBodyStreamExhausted,
                    "the body stream was read from before and can't be sent again; "
                        + "give a new stream, or a body of bytes or of a file, which can be sent as often as needed")
            }
            source = .stream(stream)
            byteCount = stream.byteCount.map { max(0, $0) }
        case .streamOnDemand:
            throw LoadError(.requestBodyStreamExhausted, "no body stream was given when one was needed")
        }
    }

    /// Nothing is to be sent: there is no content, and no stream that could turn out to hold some.
    var isEmpty: Bool { if case .none = source { true } else { false } }

    private static func open(_ path: String) throws(LoadError) -> SentFile {
        do throws(CallFailure) {
            return try SentFile(path: path)
        } catch {
            let isMissing = error.code == ENOENT
            throw LoadError(
                isMissing ? .fileDoesNotExist : .resourceUnavailable,
                "the body's file \"\(PrintableText.of(path, limit: 300))\" can't be sent: \(error.text)")
        }
    }
}
