internal import Dispatch
internal import Foundation

extension BodyStream {
    /// Reads a stream that nobody else has opened, on a queue of its own: it may block, as one end of a pair does.
    convenience init(reading stream: InputStream, byteCount: Int?) {
        let reader = InputStreamReader(stream)
        self.init(byteCount: byteCount) { try await reader.next() }
    }
}

/// An InputStream that is touched on one queue only.
private final class InputStreamReader: @unchecked Sendable {
    private let stream: InputStream
    private let queue = DispatchQueue(label: "proctor-body-stream")
    private var readByteCount = 0

    private static let pieceByteCount = 65_536

    init(_ stream: InputStream) { self.stream = stream }

    deinit { stream.close() }

    /// nil at the end.
    func next() async throws -> [UInt8]? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.read() }) }
        }
    }

    private func read() throws(LoadError) -> [UInt8]? {
        if stream.streamStatus == .notOpen { stream.open() }
        let capacity = Self.pieceByteCount
        var result = 0
        let piece = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            result = unsafe buffer.baseAddress.map { unsafe stream.read($0, maxLength: capacity) } ?? 0
            count = max(0, result)
        }
        guard result >= 0 else {
            // Foundation on Linux traps where there is no error to tell.
            let reason = stream.streamStatus == .error ? stream.streamError.map { ": \($0)" } : nil
            throw LoadError(
                .requestBodyStreamExhausted, "the body stream failed after \(readByteCount) bytes\(reason ?? "")")
        }
        readByteCount += piece.count
        return piece.isEmpty ? nil : piece
    }
}
