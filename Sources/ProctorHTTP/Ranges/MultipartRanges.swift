import ProctorBase

/// A multipart/byteranges body without its content: what stands before each part, and behind the last (RFC 9110 §14.6).
public struct MultipartRanges: Sendable, Equatable {
    /// In the order of the ranges.
    public let parts: [Part]
    /// Behind the content of the last part: the closing boundary.
    public let end: [UInt8]
    /// Of the whole body, in bytes: heads, content and end.
    public let byteCount: Int
    /// The value of the reply's Content-Type, with the boundary.
    public let contentType: [UInt8]

    /// What stands before a part's content, and which bytes of the representation that is.
    public struct Part: Sendable, Equatable {
        /// The boundary and the fields of the part, with the empty line.
        public let head: [UInt8]
        /// Never empty.
        public let range: Range<Int>
    }

    /// `contentType` is that of the representation, written into each part as it is; nil leaves it out.
    ///
    /// Nil where a range is empty or not within `length`, where there is none, for a boundary that no body can have
    /// (RFC 2046 §5.1.1: 1 to 70 letters, digits, spaces and some signs, and no space last), and where the whole can't
    /// be counted. The boundary must not occur in the content, which nobody looks at here.
    public init?(_ ranges: [Range<Int>], of length: Int, contentType: [UInt8]?, boundary: [UInt8]) {
        guard !ranges.isEmpty, Self.isBoundary(boundary) else { return nil }
        let end = Array("\r\n--".utf8) + boundary + Array("--\r\n".utf8)
        var parts: [Part] = []
        var byteCount = end.count
        for range in ranges {
            guard let place = ContentRange(range, of: length) else { return nil }
            var head = Array((parts.isEmpty ? "--" : "\r\n--").utf8) + boundary
            ReplyWriter.lineEnd(into: &head)
            if let contentType {
                ReplyWriter.fieldLine(name: "Content-Type".utf8, value: contentType, into: &head)
            }
            ReplyWriter.fieldLine(name: "Content-Range".utf8, value: place.bytes, into: &head)
            ReplyWriter.lineEnd(into: &head)
            let (withHead, isTooMuch) = byteCount.addingReportingOverflow(head.count)
            let (sum, isOver) = withHead.addingReportingOverflow(range.count)
            guard !isTooMuch, !isOver else { return nil }
            byteCount = sum
            parts.append(Part(head: head, range: range))
        }
        self.parts = parts
        self.end = end
        self.byteCount = byteCount
        let isToken = boundary.allSatisfy(\.isTokenByte)
        let quoted = isToken ? boundary : [UInt8(ascii: "\"")] + boundary + [UInt8(ascii: "\"")]
        self.contentType = Array("multipart/byteranges; boundary=".utf8) + quoted
    }

    /// None of the bytes needs an escape in a quoted string.
    private static func isBoundary(_ bytes: [UInt8]) -> Bool {
        (1...70).contains(bytes.count) && bytes.last != .space && bytes.allSatisfy(\.isBoundaryByte)
    }
}
