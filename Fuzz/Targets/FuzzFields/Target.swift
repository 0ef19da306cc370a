import FuzzSupport
import ProctorHTTP
import ProctorHTTPClient

/// Input: which value it is (its last digit), the length of a representation, and the value, one line each.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let kind = input.section(endingWith: UInt8(ascii: "\n")).last ?? 0
    let length = input.section(endingWith: UInt8(ascii: "\n")).reduce(0) { sum, byte in
        (sum &* 10 &+ Int(byte & 0x0F)) & Int.max
    }
    let value = input.remaining
    switch kind {
    case UInt8(ascii: "0"): checkRanges(value, length)
    case UInt8(ascii: "1"): checkContentRange(value)
    case UInt8(ascii: "2"): checkDate(value, now: length)
    case UInt8(ascii: "3"): checkTags(value)
    case UInt8(ascii: "4"): checkCodings(value)
    default: checkCaching(value, at: length)
    }
    return 0
}

/// The places of a refusal are within the value, and it has a sentence.
private func check(_ violation: FieldViolation, in value: [UInt8]) {
    check(0...value.count ~= violation.offset, "offset \(violation.offset) outside \(shown(value))")
    check(!violation.sentence.isEmpty, "no sentence for \(shown(value))")
}

private func checkRanges(_ value: [UInt8], _ length: Int) {
    do {
        let set = try ByteRangeSet(value)
        check((1...ByteRangeSet.limit).contains(set.ranges.count), "\(set.ranges.count) ranges of \(shown(value))")
        check((try? ByteRangeSet(set.bytes)) == set, "\(shown(value)) was written as \(shown(set.bytes))")
        let found = set.satisfiable(in: length)
        check(found.count <= set.ranges.count, "more ranges than \(shown(value)) asks for")
        for range in found {
            check(!range.isEmpty && range.lowerBound >= 0 && range.upperBound <= length, "\(range) of \(length)")
            let place = ContentRange(range, of: length)
            check(
                place.flatMap { ContentRange($0.bytes) } == place || range.upperBound == .max,
                "\(range) of \(length) is not read back")
        }
        _ = set.isExcessive(in: length)
        guard let body = MultipartRanges(found, of: length, contentType: nil, boundary: [UInt8(ascii: "b")]) else {
            return
        }
        check(body.parts.map(\.range) == found, "other parts than \(found)")
        let framing = body.parts.reduce(body.end.count) { $0 + $1.head.count }
        check(found.reduce(framing) { $0 + $1.count } == body.byteCount, "the parts don't make up the body of \(found)")
    } catch {
        check(error, in: value)
    }
}

private func checkContentRange(_ value: [UInt8]) {
    if let range = ContentRange(value) {
        check(range.byteCount > 0, "no bytes in \(shown(value))")
        check(ContentRange(range.bytes) == range, "\(shown(value)) was written as \(shown(range.bytes))")
        check(UnsatisfiedRange(value) == nil, "\(shown(value)) is read in two ways")
    } else if let range = UnsatisfiedRange(value) {
        check(UnsatisfiedRange(range.bytes) == range, "\(shown(value)) was written as \(shown(range.bytes))")
    }
}

private func checkDate(_ value: [UInt8], now: Int) {
    do {
        let seconds = try HTTPDate.unixSeconds(of: value, now: now)
        let written = HTTPDate.imfFixdate(unixSeconds: seconds)
        // A leap second at the end of the last year is the first of a year that can't be written.
        let isLast = seconds == 253_402_300_800
        check(
            (try? HTTPDate.unixSeconds(of: written, now: now)) == seconds || isLast,
            "\(shown(value)) is \(seconds), written as \(shown(written))")
    } catch {
        check(error, in: value)
    }
}

private func checkTags(_ value: [UInt8]) {
    let list = EntityTagList([value])
    check(list.tags.count + list.violations.count <= EntityTagList.limit + 1, "too many tags of \(shown(value))")
    for violation in list.violations { check(violation, in: value) }
    for tag in list.tags { check((try? EntityTag(tag.bytes)) == tag, "\(shown(tag.bytes)) is not read back") }
    let written = Array(list.tags.map(\.bytes).joined(separator: [UInt8(ascii: ",")]))
    check(EntityTagList([written]).tags == list.tags, "\(shown(value)) was written as \(shown(written))")
    check(list.tags.isEmpty || !list.isAny, "tags beside an asterisk in \(shown(value))")
    if let tag = try? EntityTag(value) { check(list.tags == [tag], "\(shown(value)) is another tag in a list") }
}

private func checkCodings(_ value: [UInt8]) {
    let accepted = AcceptEncoding([HTTPField(name: "Accept-Encoding", bytes: value)])
    for violation in accepted.violations { check(violation, in: value) }
    for coding in accepted.codings { check(0...1000 ~= coding.weight, "weight \(coding.weight) of \(shown(value))") }
    let names = ["br", "gzip", "deflate"]
    switch accepted.choose(among: names) {
    case .coding(let name):
        check(accepted.weight(of: name) ?? 0 > 0, "\(name) is not acceptable to \(shown(value))")
        check(
            names.allSatisfy { accepted.weight(of: $0) ?? 0 <= accepted.weight(of: name) ?? 0 },
            "\(name) is not what \(shown(value)) likes best")
    case .identity: check(accepted.weight(of: "identity") != 0, "identity is not acceptable to \(shown(value))")
    case .nothing:
        check(
            (names + ["identity"]).allSatisfy { accepted.weight(of: $0) ?? 0 == 0 },
            "something is acceptable to \(shown(value))")
    }
}

/// The value as every field that a cache reads, one line each.
private func checkCaching(_ value: [UInt8], at now: Int) {
    let lines = value.split(separator: UInt8(ascii: "\n"), maxSplits: 5, omittingEmptySubsequences: false).map(
        Array.init)
    let names = ["Cache-Control", "Date", "Expires", "Age", "Last-Modified", "Vary"]
    let fields = zip(names, lines).map { HTTPField(name: $0, bytes: $1) }
    guard
        var reply = CachedReply(
            status: 200, fields: fields, requestFields: fields, requestedAt: now / 2, receivedAt: now / 2)
    else { return }
    let freshness = Freshness(of: reply)
    check(0...1 << 31 ~= freshness.lifetime, "a lifetime of \(freshness.lifetime) for \(shown(value))")
    check(0...1 << 31 ~= freshness.age(at: now), "an age of \(freshness.age(at: now)) for \(shown(value))")
    check(reply.variant.selects(fields), "\(shown(value)) does not select itself")
    if case .serve = CacheDecision(method: "GET", requestFields: [], reply: reply, now: now) {
        check(freshness.isFresh(at: now), "a stale reply was served for \(shown(value))")
    }
    _ = CacheDecision(method: "GET", requestFields: fields, reply: reply, now: now)
    reply.refresh(by: fields, requestedAt: now, receivedAt: now)
    check(reply.isConfirmed(by: reply.fields), "\(shown(value)) does not confirm itself")
}
