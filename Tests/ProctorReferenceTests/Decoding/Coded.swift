import ProctorCoding

/// Content as a server codes it.
enum Coded {
    static func bytes(_ content: [UInt8], _ steps: CodingStep...) throws -> [UInt8] {
        var bytes = content
        for step in steps {
            var encoder = try CodingEncoder(step)
            var coded: [UInt8] = []
            try encoder.encode(bytes.span, into: &coded)
            try encoder.finish(into: &coded)
            bytes = coded
        }
        return bytes
    }

    /// Many times the same: a little of what is coded stands for a lot.
    static func zeros(_ byteCount: Int, _ step: CodingStep) throws -> [UInt8] {
        var encoder = try CodingEncoder(step)
        var coded: [UInt8] = []
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<byteCount >> 20 { try encoder.encode(piece.span, into: &coded) }
        try encoder.finish(into: &coded)
        return coded
    }
}
