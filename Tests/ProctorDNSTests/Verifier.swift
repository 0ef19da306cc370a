import ProctorDNS
import Testing

/// Feeds the readers of DNS: a message whole, cut at every byte and before other bytes; a stream in every pair of pieces.
enum Verifier {
    static func reading(
        of bytes: [UInt8], sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> DNSReader.Reading {
        let whole = DNSReader.read(bytes)
        #expect(DNSReader.read(bytes) == whole, "read twice", sourceLocation: sourceLocation)
        for reading in [whole] + (0..<bytes.count).map({ DNSReader.read(Array(bytes[..<$0])) }) {
            #expect(
                (reading.message == nil) == (reading.violations.last?.isFatal == true),
                "a message or a fatal violation, never both", sourceLocation: sourceLocation)
        }
        for count in 0..<bytes.count {
            let cut = DNSReader.read(Array(bytes[..<count]))
            for violation in cut.violations {
                #expect(0...count ~= violation.offset, "cut at \(count): \(violation)", sourceLocation: sourceLocation)
            }
        }
        if let message = whole.message {
            let longer = DNSReader.read(bytes + [0, 1])
            #expect(longer.message == message, "with trailing bytes", sourceLocation: sourceLocation)
            #expect(
                longer.violations.contains { $0.kind == .trailingBytes }, "with trailing bytes",
                sourceLocation: sourceLocation)
        }
        return whole
    }

    static func messages(
        inStream bytes: [UInt8], sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> (messages: [[UInt8]], isBetween: Bool) {
        func read(_ pieces: [[UInt8]]) -> (messages: [[UInt8]], isBetween: Bool) {
            var reader = DNSStreamReader()
            let messages = pieces.flatMap { reader.messages(adding: $0) }
            return (messages, reader.isBetweenMessages)
        }
        let whole = read([bytes])
        #expect(read(bytes.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        for cut in 0...bytes.count {
            let parts = read([Array(bytes[..<cut]), [], Array(bytes[cut...])])
            #expect(parts == whole, "cut at \(cut)", sourceLocation: sourceLocation)
        }
        return whole
    }
}
