package import Foundation
internal import ProctorEvents
package import ProctorProgram

/// The body of a step in the forms that URLSession accepts.
package struct BodySource: Sendable {
    package let data: Data

    /// The body; empty without one.
    package init(_ bytes: Assignment.Bytes?) { data = Data(bytes?.content ?? []) }

    package func stream() -> InputStream { InputStream(data: data) }

    /// The reading end of a bound pair into which another thread writes; nil where bound pairs do not exist.
    ///
    /// With `notes` the second half is written later, and its last part is recorded.
    package func boundStream(pausing notes: StepNotes? = nil) -> InputStream? {
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
    package func temporaryFile() throws -> URL {
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
