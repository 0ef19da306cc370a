import FuzzReading
import FuzzSupport
import ProctorHTTP

/// Input: as `ReadingInput` says.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe ReadingInput(FuzzInput(start, count))
    let limits = input.hasSmallLimits ? .small : RequestLimits()
    let seen = input.events { events(of: $0, limits: limits, endsWithFIN: input.endsWithFIN) }
    checkOrder(seen, input.bytes.count)
    return 0
}

extension RequestLimits {
    /// So small that short inputs meet each of them.
    static let small = RequestLimits(
        emptyLineCount: 2, methodByteCount: 8, targetByteCount: 32, fieldLineByteCount: 40, fieldCount: 4,
        headByteCount: 120, chunkLineByteCount: 12, trailerByteCount: 40, bodyByteCount: 64)
}

/// What holds of the events of any input.
private func checkOrder(_ events: [Seen<RequestHead>], _ byteCount: Int) {
    var isInside = false
    var contentByteCount = 0
    for (index, event) in events.enumerated() {
        switch event {
        case .head(let head):
            check(!isInside, "a head inside a request")
            isInside = true
            contentByteCount = 0
            check(!head.method.isEmpty && !head.target.isEmpty, "\(head)")
            checkHead(head.fields, head.violations, in: .request, byteCount)
            checkAgain(head)
        case .content(let bytes):
            check(isInside, "content outside a request")
            contentByteCount += bytes.count
        case .chunk, .trailers: check(isInside, "\(event) outside a request")
        case .violation(let violation): checkViolation(violation, in: .request, byteCount, isFatal: false)
        case .end:
            check(isInside, "an end without a head")
            isInside = false
        case .refused(let violation):
            checkViolation(violation, in: .request, byteCount, isFatal: true)
            check(index == events.count - 1, "something after a refusal")
        }
        check(contentByteCount <= byteCount, "more content than bytes")
    }
}

/// A head on its own is read as it was among others.
private func checkAgain(_ head: RequestHead) {
    let again = events(of: [head.bytes], limits: RequestLimits(), endsWithFIN: false)
    guard case .head(let copy)? = again.first else { finding("a head that can't be read again: \(again)") }
    check(
        copy.fields == head.fields && copy.framing == head.framing && copy.methodRange == head.methodRange
            && copy.targetRange == head.targetRange && copy.form == head.form
            && copy.keepsConnection == head.keepsConnection,
        "read again:\n\(copy)\nbefore:\n\(head)")
}
