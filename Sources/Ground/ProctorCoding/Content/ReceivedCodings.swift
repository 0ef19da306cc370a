package import ProctorBase

/// The codings in which the content of a message came (RFC 9110 §8.4), and how it is decoded, within bounds.
///
/// `aws-chunked` is the framing of S3's clients within the content, whatever its place in the list.
package struct ReceivedCodings: Sendable {
    /// As the field names them, in the order of their application.
    private let names: [String]

    /// Content is decoded up to this length where the caller has no other bound: 16 MiB.
    package static let usualBound = 16 << 20

    /// The values of all Content-Encoding fields; nil where they name none but `identity`.
    package init?(_ fields: some Sequence<some Collection<UInt8>>) {
        let names = fields.flatMap { field in
            field.split(separator: UInt8(ascii: ",")).map { name in
                String(decoding: name.filter { $0 != 0x20 && $0 != 0x09 }.map(\.asciiLowercased), as: UTF8.self)
            }
        }
        self.names = names.filter { !$0.isEmpty && $0 != ContentCoding.identity.rawValue }
        if self.names.isEmpty { return nil }
    }

    /// The decoded content, or why there is none: `content in the coding "foo", which is not read`.
    ///
    /// The budget counts each piece before it is decoded.
    package func decode(
        _ bytes: [UInt8], upTo bound: Int = usualBound, within budget: WorkBudget? = nil
    ) throws(SpentBudget) -> DecodedBytes {
        var framed = bytes
        var codings: [ContentCoding] = []
        for name in names where name != Self.framing {
            guard let coding = ContentCoding(name: name) else {
                return .refused(
                    "content in the coding \(QuotedText.quote(EscapedText.escape(name.utf8, limit: 80))), which is not read; "
                        + "gzip, deflate, br, zstd and aws-chunked are")
            }
            codings.append(coding)
        }
        if names.contains(Self.framing) {
            try budget?.spend(bytes.count / Self.bytesOfStep)
            do throws(CodingFailure) {
                framed = try AWSChunks(parsing: bytes).content
            } catch {
                return .refused("content that is no aws-chunked: \(error)")
            }
        }
        guard !codings.isEmpty, !framed.isEmpty else { return .bytes(framed) }
        let written = codings.map(\.rawValue).joined(separator: ", ")
        try budget?.spend(framed.count / Self.bytesOfStep)
        var output: [UInt8] = []
        do throws(CodingFailure) {
            var chain = try DecodingChain(codings)
            var (offset, hasMore) = (0, true)
            while hasMore {
                let before = output.count
                hasMore = try chain.decode(framed.span, at: &offset, into: &output)
                guard output.count <= bound else {
                    return .refused(
                        "content of more than \(bound) bytes when it is decoded (\(written)), which is the bound")
                }
                // A piece has at most 64 KiB; a spent budget is told when the next piece is asked for.
                if let budget, (try? budget.spend((output.count - before) / Self.bytesOfStep)) == nil { break }
            }
            if !hasMore { try chain.finish() }
        } catch {
            return .refused("content that is no \(written): \(error)")
        }
        try budget?.checkBounds()
        return .bytes(output)
    }

    private static let framing = "aws-chunked"
    private static let bytesOfStep = 8
}

/// Decoded content, or half a sentence that says why there is none.
package enum DecodedBytes: Sendable {
    case bytes([UInt8])
    case refused(String)
}
