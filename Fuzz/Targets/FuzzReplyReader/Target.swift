import FuzzReading
import FuzzSupport
import ProctorHTTP

/// Input: as `ReadingInput` says; the options 8, 16 and 32 choose the methods that are replied to.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe ReadingInput(FuzzInput(start, count))
    let limits = input.hasSmallLimits ? .small : ReplyLimits()
    let methods = methods[Int(input.options >> 3 & 7)]
    let seen = input.events { events(of: $0, to: methods, limits: limits, endsWithFIN: input.endsWithFIN) }
    var order = Order(methods: methods, byteCount: input.bytes.count, endsWithFIN: input.endsWithFIN)
    for event in seen { order.take(event) }
    return 0
}

private let methods = [
    ["GET"], ["HEAD"], ["CONNECT"], [], ["GET", "GET"], ["HEAD", "GET"], ["GET", "CONNECT"],
    ["POST", "HEAD", "GET", "GET"],
]

extension ReplyLimits {
    /// So small that short inputs meet each of them.
    static let small = ReplyLimits(
        emptyLineCount: 2, statusLineByteCount: 32, fieldLineByteCount: 40, fieldCount: 4, headByteCount: 120,
        interimCount: 2, chunkLineByteCount: 12, trailerByteCount: 40, bodyByteCount: 64)
}

/// What holds of the events of any input.
private struct Order {
    let methods: [String]
    let byteCount: Int
    let endsWithFIN: Bool
    var repliesRead = 0
    /// The final head whose content is being read.
    var head: ReplyHead?
    var contentByteCount = 0
    /// A reply said that the connection ends.
    var isLast = false
    var isOver = false

    mutating func take(_ event: Seen<ReplyHead>) {
        check(!isOver, "\(event) after a fatal violation")
        switch event {
        case .head(let head): begin(head)
        case .content(let bytes):
            contentByteCount += bytes.count
            check(head.map { $0.framing != .none } == true, "content where none can be: \(event)")
        case .chunk, .trailers: check(head?.framing == .chunked, "\(event) outside chunks")
        case .violation(let violation): checkViolation(violation, in: .reply, byteCount, isFatal: false)
        case .end: finish()
        case .refused(let violation):
            checkViolation(violation, in: .reply, byteCount, isFatal: true)
            isOver = true
        }
        check(contentByteCount <= byteCount, "more content than bytes")
    }

    private mutating func begin(_ head: ReplyHead) {
        check(self.head == nil, "a head inside a reply")
        check(repliesRead < methods.count, "a reply that nobody expects: \(head)")
        check(!isLast, "a reply behind the last one: \(head)")
        checkHead(head.fields, head.violations, in: .reply, byteCount)
        check(0...999 ~= head.status && head.reasonRange.upperBound <= head.bytes.count, "\(head)")
        checkAgain(head, to: methods[repliesRead])
        guard !head.isInterim else {
            check(head.framing == .none, "an interim reply with content: \(head)")
            return
        }
        self.head = head
        contentByteCount = 0
    }

    private mutating func finish() {
        guard let head else { finding("an end without a final head") }
        switch head.framing {
        case .none: check(contentByteCount == 0, "content where none can be: \(head)")
        case .length(let length): check(contentByteCount == length, "\(contentByteCount) bytes for \(head)")
        case .chunked: break
        case .untilClose, .tunnel: check(endsWithFIN && !head.keepsConnection, "an end that nobody told: \(head)")
        case .stream: finding("a stream's end where there is no stream: \(head)")
        }
        self.head = nil
        repliesRead += 1
        isLast = !head.keepsConnection
    }
}

/// A head on its own is read as it was among others.
private func checkAgain(_ head: ReplyHead, to method: String) {
    let again = events(of: [head.bytes], to: [method], limits: ReplyLimits(), endsWithFIN: false)
    guard case .head(let copy)? = again.first else { finding("a head that can't be read again: \(again)") }
    check(
        copy.fields == head.fields && copy.framing == head.framing && copy.version == head.version
            && copy.status == head.status && copy.reasonRange == head.reasonRange
            && copy.keepsConnection == head.keepsConnection,
        "read again:\n\(copy)\nbefore:\n\(head)")
}
