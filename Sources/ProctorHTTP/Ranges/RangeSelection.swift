import ProctorBase

/// What a server that understands byte ranges sends in place of a 200 (RFC 9110 §14.2).
public enum RangeSelection: Sendable, Equatable {
    /// The whole, with 200: no range was asked for, or what asked for it is ignored, and why where it is malformed.
    case whole(FieldViolation?)
    /// 206 with these; one is sent with Content-Range, several as multipart/byteranges.
    case parts([Range<Int>])
    /// 416, with `UnsatisfiedRange`.
    case unsatisfiable

    /// `length` is that of the representation in bytes, `now` in Unix seconds; preconditions come before.
    ///
    /// Only GET has ranges, and the whole is sent where If-Range does not hold.
    public init(method: String, fields: [HTTPField], validators: Validators, length: Int, now: Int) {
        self = .whole(nil)
        guard method == "GET", fields.contains(named: "Range") else { return }
        do throws(FieldViolation) {
            guard let value = try fields.singleValue(of: "Range") else { return }
            let set = try ByteRangeSet(value)
            guard IfRange.holds(in: fields, for: validators, now: now), !set.isExcessive(in: length) else { return }
            // §14.1.2: a suffix of any bytes is there also where there are none, and no 206 can say so (§14.4).
            if length == 0, set.ranges.contains(where: \.isSomeSuffix) { return }
            let ranges = set.satisfiable(in: length)
            self = ranges.isEmpty ? .unsatisfiable : .parts(ranges)
        } catch {
            self = .whole(error)
        }
    }
}

extension ByteRange {
    /// A suffix of at least one byte.
    fileprivate var isSomeSuffix: Bool { if case .suffix(let byteCount) = self { byteCount > 0 } else { false } }
}

/// A multipart/byteranges body without its content: what stands before each part, and behind the last (RFC 9110 §14.6).
public struct MultipartRanges: Sendable, Equatable {
    /// In the order of the ranges.
    public let parts: [Part]
    /// What stands behind the content of the last part: the closing boundary.
    public let end: [UInt8]
    /// Bytes of the whole body: heads, content and end.
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
