internal import ProctorBase

/// Reads the frames of one direction of a connection behind its handshake, from bytes in pieces of any length
/// (RFC 6455 §5, RFC 7692 §6).
///
/// It reads on after every violation but a length with its first bit, as if the wrong bits were right; whoever uses it
/// decides what a violation ends. What is beyond a bound, has no place or an unknown opcode, or comes behind a Close
/// frame is left out up to the end of its message, and with context takeover every compressed message behind one that was
/// not inflated to its end. Not safe from several threads.
package struct WebSocketReader: ~Copyable {
    /// The role of the end that receives.
    package let role: WebSocketRole
    package let limits: WebSocketLimits
    /// Bytes that were read.
    package private(set) var offset = 0
    /// Whether a Close frame has come.
    package internal(set) var hasClosed = false

    /// Bits that the caller's own extensions use.
    let permittedBits: ReservedBits
    /// nil where permessage-deflate was not agreed on.
    var inflation: Inflation?
    private var openMessage = OptionalBox<OpenMessage>()
    var message: OpenMessage? {
        get { openMessage.value }
        set { openMessage.value = newValue }
    }
    var saidFrameAfterClose = false
    /// A length was wrong, and nothing behind it is read.
    var isBroken = false

    private var head: [UInt8] = []
    private var openFrame = OptionalBox<OpenFrame>()
    private var frame: OpenFrame? {
        get { openFrame.value }
        set { openFrame.value = newValue }
    }
    private var control: [UInt8] = []
    private var waiting: [WebSocketEvent] = []
    private var waitingIndex = 0

    /// Whether the next byte is the first one of a frame, and no message is open.
    var isBetweenMessages: Bool {
        frame == nil && head.isEmpty && message == nil && waitingIndex == waiting.count && !isBroken && !hasClosed
            && inflation?.hasMore != true
    }

    /// A frame whose payload is being read.
    struct OpenFrame {
        let head: WebSocketFrameHead
        let payloadOffset: Int
        let use: PayloadUse
        /// Bytes of the payload that were read.
        var byteCount = 0
        let payloadByteCount: Int
        /// The payload is complete, and what was inflated of it is not yet.
        var isComplete = false
    }

    /// What happens with a payload.
    enum PayloadUse {
        case content, control, nothing
    }

    /// A message whose last frame has not come.
    struct OpenMessage {
        let kind: WebSocketEvent.MessageKind
        let opcode: Opcode
        let isCompressed: Bool
        /// The offset of the message's first frame.
        let offset: Int
        var byteCount = 0
        var fragmentCount = 0
        /// The rest is left out.
        var isDropped = false
        /// nil for binary, and behind a wrong byte.
        var text: UTF8Check?
    }

    /// `compression`: what was agreed on for this direction; `permittedBits`: those of other extensions.
    package init(
        role: WebSocketRole, limits: WebSocketLimits = WebSocketLimits(), compression: DeflateDirection? = nil,
        permittedBits: ReservedBits = []
    ) {
        (self.role, self.limits, self.permittedBits) = (role, limits, permittedBits)
        inflation = compression.map { Inflation($0) }
    }

    /// The next event; nil where more bytes are needed, all of `bytes` having been taken.
    ///
    /// `position` is moved behind what was read.
    package mutating func next(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> WebSocketEvent? {
        while true {
            if waitingIndex < waiting.count {
                waitingIndex += 1
                return waiting[waitingIndex - 1]
            }
            waiting.removeAll(keepingCapacity: true)
            waitingIndex = 0
            if isBroken { position = bytes.count }
            if let open = frame, open.isComplete {
                completeFrame(open)
            } else if inflation?.hasMore == true {
                inflate()
            } else if position == bytes.count {
                return nil
            } else if let open = frame {
                readPayload(open, bytes, at: &position)
            } else {
                readHead(bytes, at: &position)
            }
        }
    }

    /// Gives back what is kept for the next frame alone.
    package mutating func releaseCapacity() {
        guard isBetweenMessages else { return }
        (head, control, waiting, waitingIndex) = ([], [], [], 0)
    }

    /// Notes that a whole message of so many bytes, with its head, was read.
    mutating func skip(_ byteCount: Int) { offset += byteCount }

    /// What is wrong where the peer sends nothing more; nil behind a Close frame.
    package func finish() -> WebSocketViolation? {
        if frame != nil || !head.isEmpty {
            return WebSocketViolation(.endedWithinFrame, at: offset, frame?.head.opcode ?? Opcode(rawValue: head[0]))
        }
        guard !hasClosed, !isBroken else { return nil }
        guard let message else { return WebSocketViolation(.endedWithoutClose, at: offset, .close) }
        return WebSocketViolation(.endedWithinMessage, at: offset, message.opcode)
    }

    /// Has `next` give the event behind those that wait.
    mutating func emit(_ event: WebSocketEvent) { waiting.append(event) }

    mutating func report(_ kind: WebSocketViolation.Kind, at offset: Int, _ opcode: Opcode, _ detail: String = "") {
        emit(.violation(WebSocketViolation(kind, at: offset, opcode, detail: detail)))
    }

    private mutating func readHead(_ bytes: borrowing Span<UInt8>, at position: inout Int) {
        var wanted = head.count < 2 ? 2 : WebSocketFrameHead.byteCount(head[0], head[1])
        while head.count < wanted {
            let count = min(wanted - head.count, bytes.count - position)
            head.append(bytes.extracting(position..<position + count))
            position += count
            offset += count
            guard head.count == wanted else { return }
            wanted = WebSocketFrameHead.byteCount(head[0], head[1])
        }
        let read = WebSocketFrameHead(head)
        let start = offset - head.count
        head.removeAll(keepingCapacity: true)
        emit(.frame(read, offset: start))
        let use = judge(read, at: start)
        guard !isBroken else { return }
        // Judged to be below 2^63.
        let byteCount = Int(clamping: read.payloadByteCount)
        frame = OpenFrame(
            head: read, payloadOffset: offset, use: use, payloadByteCount: byteCount, isComplete: byteCount == 0)
    }

    private mutating func readPayload(
        _ open: OpenFrame, _ bytes: borrowing Span<UInt8>, at position: inout Int
    ) {
        let count = min(open.payloadByteCount - open.byteCount, bytes.count - position)
        let piece = bytes.extracting(position..<position + count)
        position += count
        offset += count
        frame?.byteCount += count
        frame?.isComplete = open.byteCount + count == open.payloadByteCount
        guard open.use == .control || open.use == .content && message?.isDropped == false else { return }
        let plain = open.head.maskingKey?.apply(to: piece, at: open.byteCount) ?? piece.array
        if open.use == .control {
            control += plain
        } else if message?.isCompressed == true {
            inflation?.append(plain)
        } else {
            readContent(plain, at: open.payloadOffset + open.byteCount)
        }
    }

    /// The payload is complete: gives what it was, or inflates the rest of it first.
    private mutating func completeFrame(_ open: OpenFrame) {
        switch open.use {
        case .nothing: break
        case .control:
            readControl(open.head, control, at: open.payloadOffset)
            control.removeAll(keepingCapacity: true)
        case .content:
            guard inflation?.hasMore != true else { return inflate() }
            if open.head.isFinal, let message, message.isCompressed, !message.isDropped,
                inflation?.appendTail() == true
            {
                return inflate()
            }
        }
        frame = nil
        emit(.frameEnded)
        if open.head.isFinal, open.head.opcode.isKnown, !open.head.opcode.isControl { endMessage() }
    }
}
