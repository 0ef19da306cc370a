import ProctorCoding

/// What a decoder made of its bytes.
struct Decoded: Equatable {
    var content: [UInt8] = []
    var failure: CodingFailure?
    /// The most that one call gave.
    var greatestCall = 0
}

/// Feeds bytes to a decoder piece by piece, as a client does.
enum Feeding {
    static func decode(_ pieces: [ArraySlice<UInt8>], _ codings: [ContentCoding]) throws -> Decoded {
        var chain = try DecodingChain(codings)
        var decoded = Decoded()
        do throws(CodingFailure) {
            for piece in pieces {
                let bytes = Array(piece)
                var offset = 0
                var hasMore = true
                while hasMore {
                    let before = decoded.content.count
                    defer { decoded.greatestCall = max(decoded.greatestCall, decoded.content.count - before) }
                    hasMore = try chain.decode(bytes.span, at: &offset, into: &decoded.content)
                }
                precondition(offset == bytes.count)
            }
            try chain.finish()
        } catch {
            decoded.failure = error
        }
        return decoded
    }

    static func whole(_ bytes: [UInt8], _ coding: ContentCoding) throws -> Decoded {
        try decode([bytes[...]], [coding])
    }

    static func byteByByte(_ bytes: [UInt8], _ coding: ContentCoding) throws -> Decoded {
        try decode(bytes.indices.map { bytes[$0...$0] }, [coding])
    }

    static func split(_ bytes: [UInt8], at place: Int, _ coding: ContentCoding) throws -> Decoded {
        try decode([bytes[..<place], bytes[place...]], [coding])
    }

    /// Codes content in pieces of that size.
    static func encode(_ content: [UInt8], _ step: CodingStep, by size: Int) throws -> [UInt8] {
        var encoder = try CodingEncoder(step)
        var output: [UInt8] = []
        var rest = content[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(size))
            rest = rest.dropFirst(size)
            try encoder.encode(piece.span, into: &output)
        }
        try encoder.finish(into: &output)
        return output
    }
}
