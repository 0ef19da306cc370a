internal import Dispatch
internal import Foundation
internal import ProctorBase
internal import ProctorLoop

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The content of a body stream, copied while it is read, since a URLProtocol can't ask for another stream (R24).
///
/// 1 MiB stays in memory; longer content goes to a file without a name. Any thread may call it.
final class BodyCopy: @unchecked Sendable {
    // Unchecked: only the queue uses the stream and the copy.
    /// nil: unknown, and the content is sent in chunks.
    let byteCount: Int?
    private let stream: InputStream
    private let queue = DispatchQueue(label: "proctor-body-copy")
    private var kept: Kept
    private var readByteCount = 0
    private var isEnded = false
    /// The whole content, once it has ended within the memory's bound.
    private let whole = Locked<Data?>(nil)

    private enum Kept {
        case inMemory([UInt8])
        /// The file has all bytes that were read.
        case inFile(ScratchFile)
        case nothing
    }

    /// The most bytes in memory; longer content goes to a file.
    static let memoryByteCount = 1 << 20
    /// The most bytes of a copy; longer content is not copied, so that it can be sent only once.
    static let mostByteCount = 1 << 30
    private static let pieceByteCount = 65_536

    /// `stream` is not yet open; without `keepsContent` its content can be sent once.
    init(_ stream: InputStream, byteCount: Int? = nil, keepsContent: Bool = true) {
        (self.stream, self.byteCount) = (stream, byteCount)
        kept = keepsContent ? .inMemory([]) : .nothing
    }

    deinit { stream.close() }

    /// The content from its beginning, for one transmission.
    func bodyStream() -> BodyStream {
        let offset = Locked(0)
        return BodyStream(byteCount: byteCount) {
            let start = offset.withLock { $0 }
            // A read may block, as for a bound pair.
            let piece: [UInt8]? = try await withCheckedThrowingContinuation { continuation in
                self.queue.async { continuation.resume(with: Result { try self.piece(at: start) }) }
            }
            offset.withLock { $0 += piece?.count ?? 0 }
            return piece
        }
    }

    /// The content from its beginning, for the request that follows a redirect.
    func inputStream() -> InputStream { whole.withLock { $0 }.map { InputStream(data: $0) } ?? CopiedBody(self) }

    /// A part of the content for ``bodyStream()``; blocks the calling thread.
    fileprivate func waitForPiece(at offset: Int) throws -> [UInt8]? {
        let piece = Locked<Result<[UInt8]?, any Error>>(.success(nil))
        let isOver = DispatchSemaphore(value: 0)
        queue.async {
            let read = Result { try self.piece(at: offset) }
            piece.withLock { $0 = read }
            isOver.signal()
        }
        isOver.wait()
        return try piece.withLock { $0 }.get()
    }

    // MARK: On the queue

    /// A part of the content; nil at the end.
    private func piece(at offset: Int) throws(LoadError) -> [UInt8]? {
        guard offset >= readByteCount else { return try keptPiece(at: offset) }
        guard !isEnded else { return nil }
        let piece = try read()
        isEnded = piece.isEmpty
        if isEnded {
            if case .inMemory(let bytes) = kept { whole.withLock { $0 = Data(bytes) } }
            return nil
        }
        readByteCount += piece.count
        append(piece)
        return piece
    }

    private func keptPiece(at offset: Int) throws(LoadError) -> [UInt8] {
        switch kept {
        case .inMemory(let bytes): return Array(bytes[offset..<min(bytes.count, offset + Self.pieceByteCount)])
        case .inFile(let scratch):
            do throws(CallFailure) {
                return try scratch.file.bytes(from: offset, byteCount: Self.pieceByteCount)
            } catch {
                throw LoadError(.requestBodyStreamExhausted, "the copy of the body stream can't be read: \(error)")
            }
        case .nothing:
            throw LoadError(
                .requestBodyStreamExhausted,
                "the body stream was read before, and there is no copy of it; one of up to \(Self.mostByteCount) bytes is kept"
            )
        }
    }

    private func append(_ piece: [UInt8]) {
        guard readByteCount <= Self.mostByteCount else { return kept = .nothing }
        do throws(CallFailure) {
            switch kept {
            case .inMemory(var bytes):
                kept = .nothing
                bytes += piece
                kept = bytes.count <= Self.memoryByteCount ? .inMemory(bytes) : .inFile(try ScratchFile(of: bytes))
            case .inFile(let file): try file.append(piece)
            case .nothing: break
            }
        } catch {
            // A full disk must not end a load, which may not need the copy.
            kept = .nothing
        }
    }

    /// Reads from the stream; empty at the end.
    private func read() throws(LoadError) -> [UInt8] {
        if stream.streamStatus == .notOpen { stream.open() }
        let capacity = Self.pieceByteCount
        var result = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            result = unsafe buffer.baseAddress.map { unsafe stream.read($0, maxLength: capacity) } ?? 0
            count = max(0, result)
        }
        guard result >= 0 else {
            // Foundation on Linux traps in `streamError` when there is no error.
            let reason = stream.streamStatus == .error ? stream.streamError.map { ": \($0)" } : nil
            throw LoadError(
                .requestBodyStreamExhausted, "the body stream failed after \(readByteCount) bytes\(reason ?? "")")
        }
        return piece
    }
}

extension BodyCopy {
    /// The copy of a request's body stream; nil when the request has none.
    ///
    /// The length is that of a Content-Length field. Throws when the stream was opened before (R22).
    static func copy(of request: URLRequest, keepsContent: Bool) throws(LoadError) -> BodyCopy? {
        guard let stream = request.httpBodyStream else { return nil }
        if let copied = stream as? CopiedBody { return copied.copied }
        guard stream.streamStatus == .notOpen else {
            throw LoadError(
                .requestBodyStreamExhausted,
                "the body stream of \(request.line) was read before and can't be had again; give a new one")
        }
        let length = request.value(forHTTPHeaderField: "Content-Length").flatMap { Int($0) }
        return BodyCopy(stream, byteCount: length.flatMap { $0 < 0 ? nil : $0 }, keepsContent: keepsContent)
    }
}

extension URLRequest {
    fileprivate var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }
}

extension ScratchFile {
    fileprivate convenience init(of bytes: [UInt8]) throws(CallFailure) {
        try self.init()
        try append(bytes)
    }
}

/// A stream over a copy that is still being read, or that is in a file; another load of this class uses the copy
/// itself.
private final class CopiedBody: InputStream {
    let copied: BodyCopy
    private var offset = 0
    private var rest: ArraySlice<UInt8> = []
    private var status = Status.notOpen
    private var failure: (any Error)?

    init(_ copied: BodyCopy) {
        self.copied = copied
        super.init(data: Data())
    }

    override var streamStatus: Status { status }
    override var streamError: (any Error)? { failure }
    override var hasBytesAvailable: Bool { status == .open }

    override func open() { if status == .notOpen { status = .open } }

    override func close() { status = .closed }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int {
        guard status == .open else { return status == .atEnd ? 0 : -1 }
        do {
            if rest.isEmpty { rest = try copied.waitForPiece(at: offset)?[...] ?? [] }
        } catch {
            failure = error
            status = .error
            return -1
        }
        let piece = rest.prefix(max(0, maxLength))
        for (place, byte) in piece.enumerated() { unsafe buffer[place] = byte }
        rest = rest.dropFirst(piece.count)
        offset += piece.count
        if piece.isEmpty { status = .atEnd }
        return piece.count
    }
}
