import ProctorBase
import Testing

@testable import ProctorHTTP2

/// Feeds a frame reader whole, byte by byte, cut in two at every place, between empty pieces and before other bytes.
enum Verifier {
    static func parts(
        of input: [UInt8], expectsPreface: Bool = false, maximum: Int = FrameLimits.smallestMaximum,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> [FrameReader.Part] {
        func read(_ pieces: [[UInt8]]) -> [FrameReader.Part] {
            var reader = FrameReader(expectsPreface: expectsPreface, maximumPayloadByteCount: maximum)
            var parts: [FrameReader.Part] = []
            for piece in pieces {
                var position = 0
                while let part = reader.next(piece.span, at: &position) { parts.append(part) }
                #expect(position == piece.count, "all input is consumed before nil", sourceLocation: sourceLocation)
            }
            return parts
        }
        let whole = read([input])
        #expect(read(input.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        for cut in 0...input.count {
            #expect(
                read([Array(input[..<cut]), Array(input[cut...])]) == whole, "cut at \(cut)",
                sourceLocation: sourceLocation)
        }
        #expect(read([[], input, []]) == whole, "between empty pieces", sourceLocation: sourceLocation)
        for trailing: [UInt8] in [[0], [0xFF, 0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8)] {
            let together = read([input + trailing])
            #expect(
                Array(together.prefix(whole.count)) == whole, "with trailing bytes", sourceLocation: sourceLocation)
        }
        return whole
    }

    /// The only frame.
    static func frame(_ bytes: [UInt8]) throws -> ReadFrame {
        let parts = parts(of: bytes)
        try #require(parts.count == 1)
        guard case .frame(let frame) = parts[0] else { throw Missing() }
        return frame
    }

    struct Missing: Error {}
}

extension Frame {
    /// As it goes out.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        FrameWriter.append(self, to: &bytes)
        return bytes
    }
}

/// A field block of literals without indexing, from `name=value` separated by `|`; `\u{…}` makes any byte.
func block(_ fields: String) -> [UInt8] {
    var block = RawBlock()
    for field in fields.split(separator: "|", omittingEmptySubsequences: true) {
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        block.literal(.without, name: latin(parts[0]), value: parts.count > 1 ? latin(parts[1]) : [])
    }
    return block.bytes
}

private func latin(_ text: Substring) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}
