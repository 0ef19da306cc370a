import FuzzSupport
import ProctorHTTP

/// Input: one byte of options, two bytes of cut, then what a peer sends.
///
/// Options: 1 small limits, 2 FIN at the end, 4 also byte by byte.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let number = input.number()
    let bytes = input.remaining
    let cut = number % (bytes.count + 1)
    let reading = Reading(limits: options & 1 == 0 ? RequestLimits() : .small, endsWithFIN: options & 2 != 0)

    let whole = reading.events(of: [bytes])
    checkOrder(whole, bytes.count)
    let parts = reading.events(of: [Array(bytes[..<cut]), Array(bytes[cut...])])
    check(parts == whole, "cut at \(cut) of \(bytes.count):\n\(parts)\nwhole:\n\(whole)")
    if options & 4 != 0, bytes.count <= 1_024 {
        let single = reading.events(of: bytes.map { [$0] })
        check(single == whole, "byte by byte:\n\(single)\nwhole:\n\(whole)")
    }
    return 0
}

extension RequestLimits {
    /// So small that short inputs meet each of them.
    static let small = RequestLimits(
        emptyLineCount: 2, methodByteCount: 8, targetByteCount: 32, fieldLineByteCount: 40, fieldCount: 4,
        headByteCount: 120, chunkLineByteCount: 12, trailerByteCount: 40, bodyByteCount: 64)
}

/// What holds of the events of any input.
private func checkOrder(_ events: [Seen], _ byteCount: Int) {
    var isInside = false
    var contentByteCount = 0
    for (index, event) in events.enumerated() {
        switch event {
        case .head(let head):
            check(!isInside, "a head inside a request")
            isInside = true
            contentByteCount = 0
            checkHead(head, byteCount)
        case .content(let bytes):
            check(isInside, "content outside a request")
            contentByteCount += bytes.count
        case .chunk, .trailers: check(isInside, "\(event) outside a request")
        case .violation(let violation): checkViolation(violation, byteCount, isFatal: false)
        case .end:
            check(isInside, "an end without a head")
            isInside = false
        case .refused(let violation):
            checkViolation(violation, byteCount, isFatal: true)
            check(index == events.count - 1, "something after a refusal")
        }
        check(contentByteCount <= byteCount, "more content than bytes")
    }
}

private func checkViolation(_ violation: Violation, _ byteCount: Int, isFatal: Bool) {
    check(violation.isFatal == isFatal, "\(violation)")
    check(0...byteCount ~= violation.offset, "offset outside the input: \(violation)")
    check(!violation.sentence.isEmpty && violation.section.hasPrefix("RFC "), "\(violation)")
    check(400...599 ~= violation.status, "\(violation)")
    check(violation.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
}

private func checkHead(_ head: RequestHead, _ byteCount: Int) {
    var previous = 0
    for violation in head.violations {
        checkViolation(violation, byteCount, isFatal: false)
        check(violation.offset >= previous, "violations out of order: \(head.violations)")
        previous = violation.offset
    }
    check(!head.method.isEmpty && !head.target.isEmpty, "\(head)")
    for line in head.fields {
        check(!line.name.isEmpty && line.raw.count >= line.name.count, "\(line)")
        check(head.fields.contains(named: Array(line.name)), "a field that can't be found: \(line)")
    }
    // A head on its own is read as it was among others.
    let again = Reading(limits: RequestLimits(), endsWithFIN: false).events(of: [head.bytes])
    guard case .head(let copy)? = again.first else { finding("a head that can't be read again: \(again)") }
    check(
        copy.fields == head.fields && copy.framing == head.framing && copy.methodRange == head.methodRange
            && copy.targetRange == head.targetRange && copy.form == head.form && copy.keepsAlive == head.keepsAlive,
        "read again:\n\(copy)\nbefore:\n\(head)")
}
