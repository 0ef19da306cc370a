internal import Foundation
internal import ProctorTrace

/// The content of a step, in the forms in which URLSession takes it.
struct BodySource: Sendable {
    let data: Data

    /// Bytes of one body at most: the largest an assignment can ask for.
    static let limit = 256 << 20

    /// Empty where there is none; base64 that is none counts as empty, `unreadable(_:)` tells.
    init(_ bytes: Assignment.Bytes?) {
        let piece = bytes.map { Data(base64Encoded: $0.base64 ?? "") ?? Data() } ?? Data()
        let text = bytes?.text.map { Data($0.utf8) } ?? piece
        guard let count = bytes?.count, !text.isEmpty else {
            data = text
            return
        }
        var data = Data(capacity: min(max(count, 0), Self.limit))
        while data.count < min(count, Self.limit) { data += text.prefix(min(count, Self.limit) - data.count) }
        self.data = data
    }

    /// What is wrong with a body; nil when nothing is.
    static func fault(of bytes: Assignment.Bytes?) -> String? {
        guard let bytes else { return nil }
        if let base64 = bytes.base64, Data(base64Encoded: base64) == nil { return "the body's base64 is none" }
        if let count = bytes.count, !(0...limit).contains(count) {
            return "a body has 0 to \(limit) bytes, not \(count)"
        }
        return nil
    }

    /// A fresh stream that nobody has opened.
    func stream() -> InputStream { InputStream(data: data) }

    /// The reading end of a pair whose other end a thread of its own feeds; nil where there are no pairs.
    func boundStream() -> InputStream? {
        #if canImport(Darwin)
            var input: InputStream?
            var output: OutputStream?
            unsafe Stream.getBoundStreams(withBufferSize: 16_384, inputStream: &input, outputStream: &output)
            guard let output else { return input }
            let feeder = StreamFeeder(output, data)
            Thread.detachNewThread { feeder.run() }
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
    private final class StreamFeeder: @unchecked Sendable {
        private let stream: OutputStream
        private let data: Data

        init(_ stream: OutputStream, _ data: Data) {
            self.stream = stream
            self.data = data
        }

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
