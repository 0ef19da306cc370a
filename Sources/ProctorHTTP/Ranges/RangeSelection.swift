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
