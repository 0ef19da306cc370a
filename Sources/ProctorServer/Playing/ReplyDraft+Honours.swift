internal import ProctorHTTP
internal import ProctorScenario

/// What the server works out of the request's fields, where the fixture asks for it (RFC 9110 §13.2.2, §14.2).
extension ReplyDraft {
    /// Only a 200 is changed; `now` is in Unix seconds.
    ///
    /// With `leavesUnsatisfied` the draft stays as it is where no range is within the content, and says so.
    mutating func honour(
        _ honours: Set<Honour>, _ method: String, _ request: [HTTPField], now: Int, leavesUnsatisfied: Bool = false
    ) {
        guard status == 200 else { return }
        let validators = Validators(of: httpFields, now: now)
        if honours.contains(.conditions) {
            switch Preconditions.evaluate(method: method, fields: request, validators: validators, now: now) {
            case .proceed: break
            case .notModified: return becomeNotModified()
            case .failed:
                let tag = httpFields.first { $0.isNamed("ETag") }.map { "ETag \($0.value)" }
                let date = httpFields.first { $0.isNamed("Last-Modified") }.map { "Last-Modified \($0.value)" }
                let state = [tag, date].compactMap(\.self).joined(separator: ", ")
                return refuse(
                    412,
                    "a condition of the request does not hold: what is here has \(state.isEmpty ? "no ETag and no Last-Modified" : state)"
                )
            }
        }
        guard honours.contains(.ranges) else { return }
        let length = content.byteCount
        switch RangeSelection(method: method, fields: request, validators: validators, length: length, now: now) {
        case .whole: break
        case .unsatisfiable where leavesUnsatisfied: isUnsatisfied = true
        case .unsatisfiable:
            refuse(416, "none of the ranges asked for is within the \(length) bytes that are here")
            append("Content-Range", UnsatisfiedRange(length: length).bytes)
        case .parts(let ranges): becomePartial(ranges, of: length)
        }
    }

    private mutating func becomePartial(_ ranges: [Range<Int>], of length: Int) {
        if ranges.count == 1, let place = ContentRange(ranges[0], of: length) {
            append("Content-Range", place.bytes)
            return become(206, content.pieces(of: ranges[0]))
        }
        let type = fields.first { $0.isNamed("content-type") }?.value
        guard let frame = MultipartRanges(ranges, of: length, contentType: type, boundary: Self.boundary(length))
        else { return }
        var pieces: [ContentPiece] = []
        for part in frame.parts {
            pieces.append(ContentPiece(part.head))
            pieces += content.pieces(of: part.range)
        }
        pieces.append(ContentPiece(frame.end))
        set("Content-Type", frame.contentType)
        become(206, pieces)
    }

    /// The same for the same length, so that a test can know it; nothing that a body has by chance.
    private static func boundary(_ length: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: length))
        return Array("proctor-\(String(random.next(), radix: 16))".utf8)
    }
}
