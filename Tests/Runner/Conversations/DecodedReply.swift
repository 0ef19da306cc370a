import ProctorCoding

/// Replies whose coded content depends on the version of a library, so that pages have it decoded.
enum DecodedReply {
    /// The same reply with its content decoded, and `(its length)` where the head has the length of the content as it came.
    static func bytes(_ reply: [UInt8]) throws -> [UInt8] {
        guard let blank = reply.indices.first(where: { reply[$0...].starts(with: [13, 10, 13, 10]) }) else {
            return reply
        }
        let head = String(decoding: reply[..<blank], as: UTF8.self)
        var content = Array(reply[(blank + 4)...])
        let length = "\r\nContent-Length: \(content.count)"
        let shown = content.isEmpty ? head : head.replacing(length, with: "\r\nContent-Length: (its length)")
        if head.lowercased().contains("chunked") { content = joined(content) }
        let names = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-encoding: ") }?
            .dropFirst("content-encoding: ".count)
        let codings = (names ?? "").split(separator: ",").compactMap {
            ContentCoding(rawValue: $0.trimmingPrefix(" ").lowercased())
        }
        if !content.isEmpty, !codings.isEmpty {
            content = try CodingDecoder.decode(content, codings: codings, limit: 1 << 22)
        }
        return Array(shown.utf8) + [13, 10, 13, 10] + content
    }

    private static func joined(_ chunks: [UInt8]) -> [UInt8] {
        var content: [UInt8] = []
        var rest = chunks[...]
        while let end = rest.firstIndex(of: 0x0D),
            let size = Int(String(decoding: rest[..<end], as: UTF8.self), radix: 16),
            size > 0, rest.endIndex >= end + 4 + size
        {
            content += rest[(end + 2)..<(end + 2 + size)]
            rest = rest[(end + 4 + size)...]
        }
        return content
    }
}
