import ProctorBase
import ProctorHTTP
import ProctorJournal

/// A part of multipart/x-mixed-replace that every client reads in the same way.
struct MixedPart {
    let fields: [HTTPField]
    let content: SentContent

    /// The parts of a reply; nil when its content is not completely known, or when clients may read it in several ways
    /// (RFC 2046 §5.1.1).
    ///
    /// Ambiguous are a boundary after a bare line feed, a part with an invalid head, and a part with a coding.
    static func all(of reply: SentReply?, _ type: MediaType) -> [MixedPart]? {
        guard let reply, reply.codedContent == nil, let content = reply.content, content.isWhole,
            var reader = MultipartReader(type), let boundary = type.boundary, hasPlainLines(content.kept, boundary)
        else { return nil }
        var parts: [MixedPart] = []
        var fields: [HTTPField]?
        var bytes: [UInt8] = []
        var offset = 0
        while let event = reader.next(content.kept.span, at: &offset) ?? reader.finish() {
            switch event {
            case .partBegan(let section): (fields, bytes) = ([HTTPField](section), [])
            case .content(let piece): bytes += piece
            case .partEnded:
                guard let own = fields, !own.contains(named: "Content-Encoding") else { return nil }
                parts.append(MixedPart(fields: own, content: SentContent(byteCount: bytes.count, kept: bytes)))
                fields = nil
            case .ended: return parts.isEmpty ? nil : parts
            case .refused: return nil
            }
        }
        return parts
    }

    /// Whether each line that begins with the boundary follows CRLF and contains nothing more than two dashes.
    private static func hasPlainLines(_ bytes: [UInt8], _ boundary: [UInt8]) -> Bool {
        let dashBoundary = Array("--".utf8) + boundary
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        var isBehindCRLF = true
        while let line = lines.popFirst() {
            if line.starts(with: dashBoundary) {
                var rest = line.dropFirst(dashBoundary.count)
                if rest.last == 0x0D { rest = rest.dropLast() } else if !lines.isEmpty { return false }
                guard isBehindCRLF, rest.isEmpty || rest.elementsEqual("--".utf8) else { return false }
            }
            isBehindCRLF = line.last == 0x0D
        }
        return true
    }
}
