import ProctorBase

/// The answer to a GET with byte ranges (RFC 9110 §14.2).
package enum RangeSelection: Sendable, Equatable {
    /// 200: no Range field, or an ignored one; the violation is set if it is malformed.
    case whole(FieldViolation?)
    /// 206: one range is sent with Content-Range, several as multipart/byteranges.
    case parts([Range<Int>])
    /// 416, with `UnsatisfiedRange`.
    case unsatisfiable

    /// `length` is the representation's in bytes, `now` in Unix seconds; evaluate preconditions first.
    ///
    /// Range has an effect on GET only; if If-Range fails, the whole representation is sent.
    package init(method: String, fields: [HTTPField], validators: Validators, length: Int, now: Int) {
        self = .whole(nil)
        guard method == "GET", fields.contains(named: "Range") else { return }
        do throws(FieldViolation) {
            guard let value = try fields.singleValue(of: "Range") else { return }
            let set = try ByteRangeSet(value)
            guard IfRange.holds(in: fields, for: validators, now: now), !set.isExcessive(in: length) else { return }
            // §14.1.2: a suffix range is satisfiable even for empty content, but no 206 can express that (§14.4).
            if length == 0, set.ranges.contains(where: \.isSomeSuffix) { return }
            let ranges = set.satisfiable(in: length)
            self = ranges.isEmpty ? .unsatisfiable : .parts(ranges)
        } catch {
            self = .whole(error)
        }
    }
}

extension ByteRange {
    fileprivate var isSomeSuffix: Bool { if case .suffix(let byteCount) = self { byteCount > 0 } else { false } }
}

/// The parts of a multipart/byteranges body without their content (RFC 9110 §14.6).
package struct MultipartRanges: Sendable, Equatable {
    package let parts: [Part]
    package let end: [UInt8]
    package let byteCount: Int
    package let contentType: [UInt8]

    /// The bytes before a part's content, and the part's range.
    package struct Part: Sendable, Equatable {
        /// The boundary, the fields and the empty line.
        package let head: [UInt8]
        /// Never empty.
        package let range: Range<Int>
    }

    /// `contentType` is that of the representation, written into each part; nil for none.
    ///
    /// nil for no ranges, for a range that is empty or outside `length`, for an illegal boundary (RFC 2046 §5.1.1) and
    /// for a body too long to count. The caller must choose a boundary that does not occur in the content.
    package init?(_ ranges: [Range<Int>], of length: Int, contentType: [UInt8]?, boundary: [UInt8]) {
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
        (self.parts, self.end, self.byteCount) = (parts, end, byteCount)
        let isToken = boundary.allSatisfy(\.isTokenByte)
        let quoted = isToken ? boundary : [UInt8(ascii: "\"")] + boundary + [UInt8(ascii: "\"")]
        self.contentType = Array("multipart/byteranges; boundary=".utf8) + quoted
    }

    /// Whether the boundary is legal and needs no escape in a quoted string.
    private static func isBoundary(_ bytes: [UInt8]) -> Bool {
        (1...70).contains(bytes.count) && bytes.last != .space && bytes.allSatisfy(\.isBoundaryByte)
    }
}
