import FuzzSupport
import ProctorCoding
import ProctorHTTP
import ProctorWebSocket

/// Input: one byte of options, two bytes of cut, then what its highest bits say.
///
/// Options: 1 we are a client, 2 permessage-deflate, 4 without context, 8 with a window of 9 bits, 16 small limits; 0x40
/// the rest is the content of a message, 0x80 a head of a request, 0xC0 one of a reply, else frames of a peer.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = Options(rawValue: input.byte())
    let cut = input.number()
    let bytes = input.remaining
    switch options.rawValue & 0xC0 {
    case 0x40: writeMessage(bytes, options, cut)
    case 0x80: judgeRequest(bytes)
    case 0xC0: judgeReply(bytes)
    default:
        let whole = read([bytes], options)
        let place = cut % (bytes.count + 1)
        let parts = read([Array(bytes[..<place]), Array(bytes[place...])], options)
        check(parts == whole, "cut at \(place) of \(bytes.count):\n\(parts)\nwhole:\n\(whole)")
        if bytes.count <= 512 {
            let single = read(bytes.map { [$0] }, options)
            check(single == whole, "byte by byte:\n\(single)\nwhole:\n\(whole)")
        }
    }
    return 0
}

private struct Options: OptionSet {
    let rawValue: UInt8

    static let client = Options(rawValue: 1)
    static let deflate = Options(rawValue: 2)
    static let alone = Options(rawValue: 4)
    static let narrow = Options(rawValue: 8)
    static let small = Options(rawValue: 16)

    var role: WebSocketRole { contains(.client) ? .client : .server }

    var compression: DeflateDirection? {
        guard contains(.deflate) else { return nil }
        return DeflateDirection(takesContextOver: !contains(.alone), windowBits: contains(.narrow) ? 9 : 15)
    }

    var limits: WebSocketLimits {
        var limits = WebSocketLimits()
        limits.messageByteCount = contains(.small) ? 64 : 1 << 20
        if contains(.small) {
            limits.frameByteCount = 32
            limits.fragmentCount = 4
        }
        return limits
    }
}

/// The events, of which neighbouring content is one, behind the checks of each.
private func read(_ pieces: [[UInt8]], _ options: Options) -> [WebSocketEvent] {
    var reader = WebSocketReader(role: options.role, limits: options.limits, compression: options.compression)
    var events: [WebSocketEvent] = []
    var byteCount = 0
    for piece in pieces {
        var position = 0
        while let event = reader.next(piece.span, at: &position) {
            checkEvent(event, &byteCount, options.limits)
            if case .content(let more) = event, case .content(let before)? = events.last {
                events[events.count - 1] = .content(before + more)
            } else {
                events.append(event)
            }
        }
        check(position == piece.count, "nil at \(position) of \(piece.count)")
    }
    if let end = reader.finish() { events.append(.violation(end)) }
    var last = 0
    for case .frame(let head, let offset) in events {
        check(offset >= last, "a frame at \(offset) behind one that ends at \(last)")
        last = offset + 2 + head.lengthForm.rawValue + (head.maskingKey == nil ? 0 : 4)
    }
    for case .violation(let violation) in events {
        check(0...pieces.joined().count ~= violation.offset && violation.section.hasPrefix("RFC "), "\(violation)")
        check(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
    }
    return events
}

private func checkEvent(_ event: WebSocketEvent, _ byteCount: inout Int, _ limits: WebSocketLimits) {
    switch event {
    case .messageBegan: byteCount = 0
    case .content(let bytes):
        byteCount += bytes.count
        check(!bytes.isEmpty && byteCount <= limits.messageByteCount, "content of \(byteCount) bytes")
    case .ping(let payload), .pong(let payload): check(payload.count <= 125, "a payload of \(payload.count) bytes")
    case .close(_, let reason): check(reason.count <= 123, "a reason of \(reason.count) bytes")
    default: break
    }
}

/// A lawful message is read as it was written, twice; text that is none is found.
private func writeMessage(_ content: [UInt8], _ options: Options, _ cut: Int) {
    let role = options.role
    var deflater: MessageDeflater?
    if let direction = options.compression {
        guard let made = try? MessageDeflater(windowBits: direction.windowBits) else { finding("no memory") }
        deflater = made
    }
    let isText = cut & 0x8000 != 0
    let sizes = [cut & 0x1F, cut >> 5 & 0xFF, max(1, cut >> 10 & 0x1F)]
    var frames: [WebSocketFrame] = []
    for _ in 0..<2 {
        let payload = deflater?.deflate(content.span) ?? content
        if options.contains(.alone) { deflater?.reset() }
        frames += WebSocketFrame.dividing(
            payload, isText ? .text : .binary, sizes: sizes, isCompressed: deflater != nil,
            key: { role == .server ? MaskingKey(UInt32(cut) &* 0x9E37_79B9) : nil })
    }
    let bytes = frames.flatMap(\.bytes)
    let events = read([bytes], options.subtracting(.small))
    let heads = events.compactMap { event -> WebSocketFrameHead? in
        if case .frame(let head, _) = event { head } else { nil }
    }
    check(heads.count == frames.count, "\(heads.count) of \(frames.count) frames")
    for (head, frame) in zip(heads, frames) {
        check(head.opcode == frame.opcode && head.isFinal == frame.isFinal, "\(head)")
        check(head.reserved == frame.reserved && head.maskingKey == frame.maskingKey, "\(head)")
        check(
            head.payloadByteCount == frame.payload.count && head.lengthForm == .minimal(for: head.payloadByteCount),
            "\(head)")
    }
    let read = events.reduce(into: [UInt8]()) { all, event in if case .content(let bytes) = event { all += bytes } }
    check(read == content + content, "\(shown(read)) of \(shown(content))")
    let isRight = !isText || String(validating: content, as: UTF8.self) != nil
    let kinds = events.compactMap { event -> WebSocketViolation.Kind? in
        if case .violation(let violation) = event { violation.kind } else { nil }
    }.filter { $0 != .endedWithoutClose }
    check(kinds.isEmpty == isRight, "\(kinds) of \(shown(content))")
    check(events.count { $0 == .messageEnded } == 2, "\(events)")
}

private func judgeRequest(_ bytes: [UInt8]) {
    guard let head = try? RequestHead(parsing: bytes) else { return }
    let request = OpeningRequest(judging: head)
    checkViolations(request.violations, head.byteCount)
    checkExtensions(request.offer.extensions)
    guard let accepted = DeflateParameters.accepting(request.offer.extensions) else { return }
    // What we accept is a reply to the first lawful offer.
    let reply = ReplyHead(
        status: 200,
        fields: [(Array("sec-websocket-extensions".utf8), Array(accepted.webSocketExtension.description.utf8))],
        contentLength: nil, hasNoContent: false)
    let offer = OpeningOffer(key: nil, extensions: request.offer.extensions, isStream: true)
    let opened = OpeningReply(judging: reply, to: offer)
    check(opened.violations.isEmpty && opened.compression == accepted, "\(opened.violations) of \(accepted)")
}

private func judgeReply(_ bytes: [UInt8]) {
    guard let head = try? ReplyHead(parsing: bytes) else { return }
    let offer = OpeningOffer(
        key: Array("dGhlIHNhbXBsZSBub25jZQ==".utf8), protocols: ["chat"],
        extensions: [WebSocketExtension("permessage-deflate", [.init("client_max_window_bits", "10")])])
    let reply = OpeningReply(judging: head, to: offer)
    checkViolations(reply.violations, head.bytes.count)
    checkExtensions(reply.extensions)
    guard let compression = reply.compression else { return }
    for end in WebSocketRole.allCases { check(8...15 ~= compression.direction(from: end).windowBits, "\(compression)") }
}

private func checkViolations(_ violations: [HandshakeViolation], _ byteCount: Int) {
    var previous = 0
    for violation in violations {
        check(previous...byteCount ~= violation.offset && violation.section.hasPrefix("RFC "), "\(violation)")
        check(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
        previous = violation.offset
    }
}

/// What was read is written and read again.
private func checkExtensions(_ extensions: [WebSocketExtension]) {
    guard !extensions.isEmpty else { return }
    let value = extensions.map(\.description).joined(separator: ", ")
    let reply = ReplyHead(
        status: 200, fields: [(Array("sec-websocket-extensions".utf8), Array(value.utf8))], contentLength: nil,
        hasNoContent: false)
    let again = OpeningReply(judging: reply, to: OpeningOffer(key: nil, isStream: true)).extensions
    check(again == extensions, "\(again) of \(extensions)")
}
