internal import Foundation
internal import ProctorTrace

/// The content of a step, in the forms in which URLSession takes it.
struct BodySource: Sendable {
    let data: Data

    /// Empty where there is none.
    init(_ bytes: Assignment.Bytes?) { data = Data(bytes?.content ?? []) }

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
