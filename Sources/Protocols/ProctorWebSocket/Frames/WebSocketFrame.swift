internal import ProctorBase

/// Which end of a connection reads (RFC 6455 §5.1): a server reads masked frames, a client unmasked ones.
package enum WebSocketRole: String, Sendable, CaseIterable {
    case server, client
}

/// The four bytes that a client's payload is combined with, byte by byte (RFC 6455 §5.3).
package struct MaskingKey: Hashable, Sendable {
    /// The first byte on the wire is the most significant one.
    package let word: UInt32

    package init(_ word: UInt32) { self.word = word }

    /// Masks bytes, or takes the mask off; `place` is that of the first byte within the payload.
    package func apply(to bytes: borrowing Span<UInt8>, at place: Int) -> [UInt8] {
        let shift = UInt32(8 * (place & 3))
        let turned = word << shift | word >> ((32 - shift) & 31)
        let pattern = (UInt64(turned) << 32 | UInt64(turned)).bigEndian
        let count = bytes.count
        // The standard library would write the count into the storage that all empty arrays share.
        guard count > 0 else { return [] }
        return unsafe bytes.withUnsafeBytes { source in
            unsafe [UInt8](unsafeUninitializedCapacity: count) { target, filled in
                let output = UnsafeMutableRawBufferPointer(target)
                var index = 0
                while count - index >= 8 {
                    let word = unsafe source.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    unsafe output.storeBytes(of: word ^ pattern, toByteOffset: index, as: UInt64.self)
                    index += 8
                }
                while index < count {
                    // The index is a multiple of four where the loop above has ended.
                    unsafe output[index] =
                        source[index] ^ UInt8(truncatingIfNeeded: turned >> UInt32(24 - 8 * (index & 3)))
                    index += 1
                }
                filled = count
            }
        }
    }
}

/// The form in which a head says the length of the payload (RFC 6455 §5.2).
package enum LengthForm: Int, Sendable, CaseIterable {
    /// Seven bits.
    case short = 0
    /// 126 in the seven bits, and two bytes.
    case medium = 2
    /// 127 in the seven bits, and eight bytes.
    case long = 8

    /// The form that a sender uses.
    package static func minimal(for byteCount: UInt64) -> LengthForm {
        byteCount < 126 ? .short : byteCount <= 0xFFFF ? .medium : .long
    }
}

/// What a frame says before its payload (RFC 6455 §5.2).
package struct WebSocketFrameHead: Sendable, Equatable {
    /// FIN: the frame is the last one of its message.
    package let isFinal: Bool
    package let reserved: ReservedBits
    package let opcode: Opcode
    /// nil for a frame without a mask.
    package let maskingKey: MaskingKey?
    package let lengthForm: LengthForm
    /// As it is said, up to 2^64 - 1.
    package let payloadByteCount: UInt64

    /// Bytes of the head that begins with these two bytes: 2 to 14.
    static func byteCount(_ first: UInt8, _ second: UInt8) -> Int {
        let length: LengthForm =
            switch second & 0x7F {
            case 126: .medium
            case 127: .long
            default: .short
            }
        return 2 + length.rawValue + (second & 0x80 == 0 ? 0 : 4)
    }

    /// Makes the head of a frame that is a message of its own.
    init(whole opcode: Opcode, _ maskingKey: MaskingKey?, _ lengthForm: LengthForm, byteCount: Int) {
        isFinal = true
        reserved = []
        (self.opcode, self.maskingKey, self.lengthForm) = (opcode, maskingKey, lengthForm)
        payloadByteCount = UInt64(byteCount)
    }

    /// The caller has made sure that there are as many bytes as ``byteCount(_:_:)`` says.
    init(_ bytes: [UInt8]) {
        isFinal = bytes[0] & 0x80 != 0
        reserved = ReservedBits(rawValue: bytes[0] >> 4)
        opcode = Opcode(rawValue: bytes[0])
        let length = bytes[1] & 0x7F
        lengthForm = length == 126 ? .medium : length == 127 ? .long : .short
        let rest = bytes[2...]
        payloadByteCount =
            lengthForm == .short
            ? UInt64(length) : rest.prefix(lengthForm.rawValue).reduce(0) { $0 << 8 | UInt64($1) }
        maskingKey =
            bytes[1] & 0x80 == 0
            ? nil : MaskingKey(rest.dropFirst(lengthForm.rawValue).prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
    }
}

extension WebSocketFrameHead: CustomStringConvertible {
    /// `text of 5 bytes, masked`; what is not the usual is named behind it.
    package var description: String {
        var text = "\(opcode) of \(Plural.count(Int(clamping: payloadByteCount), "byte"))"
        if maskingKey != nil { text += ", masked" }
        if !isFinal { text += ", without FIN" }
        if !reserved.isEmpty { text += ", with \(reserved)" }
        return text
    }
}

/// A frame that goes out; it need not be lawful.
package struct WebSocketFrame: Sendable, Equatable {
    package var opcode: Opcode
    package var isFinal: Bool
    package var reserved: ReservedBits
    /// The payload is masked with it.
    package var maskingKey: MaskingKey?
    /// Without its mask.
    package var payload: [UInt8]
    /// Departures: each stands in place of what is lawful.
    package var departures = Departures()

    package struct Departures: Sendable, Equatable {
        /// The length that the frame states, in place of the number of the payload's bytes.
        package var statedByteCount: UInt64?
        /// In place of the shortest one.
        package var lengthForm: LengthForm?
        /// In place of whether there is a masking key.
        package var hasMaskBit: Bool?

        package init() {}
    }

    package init(
        _ opcode: Opcode, isFinal: Bool = true, reserved: ReservedBits = [], maskingKey: MaskingKey? = nil,
        payload: [UInt8] = []
    ) {
        (self.opcode, self.isFinal, self.reserved, self.maskingKey) = (opcode, isFinal, reserved, maskingKey)
        self.payload = payload
    }

    /// A Close frame; without a code it has no payload.
    package static func close(
        _ code: CloseCode? = nil, reason: [UInt8] = [], maskingKey: MaskingKey? = nil
    ) -> WebSocketFrame {
        let number = code.map { [UInt8($0.rawValue >> 8), UInt8($0.rawValue & 0xFF)] } ?? []
        return WebSocketFrame(.close, maskingKey: maskingKey, payload: number + reason)
    }

    /// The frames of one message: payloads of these sizes, of which the last one counts until the content ends.
    ///
    /// Without sizes, or where the last one is 0, one frame has all of the rest. `isCompressed` sets RSV1 of the first frame
    /// (RFC 7692 §6). `key` is called once for each frame, since each has a new key (RFC 6455 §5.3).
    package static func dividing(
        _ content: [UInt8], _ opcode: Opcode, sizes: [Int] = [], isCompressed: Bool = false,
        key: () -> MaskingKey? = { nil }
    ) -> [WebSocketFrame] {
        var frames: [WebSocketFrame] = []
        var rest = content[...]
        repeat {
            let isLastSize = frames.count >= sizes.count - 1
            let size = sizes.isEmpty ? rest.count : max(0, sizes[min(frames.count, sizes.count - 1)])
            let piece = rest.prefix(isLastSize && size == 0 ? rest.count : size)
            rest = rest.dropFirst(piece.count)
            frames.append(
                WebSocketFrame(
                    frames.isEmpty ? opcode : .continuation, isFinal: rest.isEmpty && isLastSize,
                    reserved: isCompressed && frames.isEmpty ? .rsv1 : [], maskingKey: key(), payload: Array(piece)))
        } while frames.last?.isFinal == false
        return frames
    }
}

/// Writes frames, lawful or not (RFC 6455 §5.2).
package enum WebSocketWriter {
    /// The head of a lawful frame without a mask.
    package static func appendHead(
        _ opcode: Opcode, isFinal: Bool = true, reserved: ReservedBits = [], payloadByteCount: Int,
        to bytes: inout [UInt8]
    ) {
        bytes.append((isFinal ? 0x80 : 0) | reserved.rawValue << 4 | opcode.rawValue)
        appendLength(UInt64(payloadByteCount), .minimal(for: UInt64(payloadByteCount)), hasMaskBit: false, to: &bytes)
    }

    private static func appendLength(_ length: UInt64, _ form: LengthForm, hasMaskBit: Bool, to bytes: inout [UInt8]) {
        let mark: UInt8 =
            switch form {
            case .short: UInt8(truncatingIfNeeded: length) & 0x7F
            case .medium: 126
            case .long: 127
            }
        bytes.append((hasMaskBit ? 0x80 : 0) | mark)
        for place in (0..<form.rawValue).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: length >> UInt64(8 * place)))
        }
    }

    package static func append(_ frame: WebSocketFrame, to bytes: inout [UInt8]) {
        let departures = frame.departures
        let length = departures.statedByteCount ?? UInt64(frame.payload.count)
        let form = departures.lengthForm ?? .minimal(for: length)
        // Room for one frame behind others each time would copy all of them each time.
        if bytes.isEmpty { bytes.reserveCapacity(14 + frame.payload.count) }
        bytes.append((frame.isFinal ? 0x80 : 0) | frame.reserved.rawValue << 4 | frame.opcode.rawValue)
        appendLength(length, form, hasMaskBit: departures.hasMaskBit ?? (frame.maskingKey != nil), to: &bytes)
        guard let key = frame.maskingKey else {
            bytes += frame.payload
            return
        }
        for place in (0..<4).reversed() { bytes.append(UInt8(truncatingIfNeeded: key.word >> UInt32(8 * place))) }
        bytes += key.apply(to: frame.payload.span, at: 0)
    }
}

extension WebSocketFrame {
    /// As it goes out.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        WebSocketWriter.append(self, to: &bytes)
        return bytes
    }
}
