internal import ProctorBase

/// The frames of a client's Initial packet before a server has sent one (RFC 9000 §12.4, §17.2.2).
package struct InitialFrames: Sendable, Equatable {
    /// CRYPTO: the offset in the stream, and where the bytes stand in the payload.
    package var crypto: [(offset: UInt64, bytes: Range<Int>)] = []
    /// CONNECTION_CLOSE: the code, and where the reason stands.
    package var close: (code: UInt64, reason: Range<Int>)?

    /// Frames that an Initial packet may not have.
    private static let others: ClosedRange<UInt64> = 0x04...0x1E
    /// The last byte of the CRYPTO stream (RFC 9000 §19.6).
    private static let lastOffset = VariableInteger.largest

    package init(_ payload: borrowing Span<UInt8>) throws(OpeningFault) {
        guard payload.count > 0 else {
            throw .protocolViolation("an Initial packet has no frames", "RFC 9000 §12.4")
        }
        var position = 0
        while position < payload.count {
            let start = position
            let type = try Self.number(payload, at: &position)
            guard VariableInteger.byteCount(of: type) == position - start else {
                throw .protocolViolation("the type of a frame is longer than it must be", "RFC 9000 §12.4")
            }
            switch type {
            // PADDING and PING.
            case 0x00, 0x01: break
            case 0x02, 0x03:
                throw .protocolViolation("an ACK is of packets that were not sent", "RFC 9000 §13.1")
            case 0x06: crypto.append(try Self.crypto(payload, at: &position))
            case 0x1C: close = try Self.close(payload, at: &position)
            case Self.others:
                throw .protocolViolation(
                    "a frame of type 0x\(String(type, radix: 16)) stands in an Initial packet", "RFC 9000 §12.4")
            default:
                throw .frame("a frame has the unknown type 0x\(String(type, radix: 16))", "RFC 9000 §12.4")
            }
        }
    }

    private static func crypto(
        _ payload: borrowing Span<UInt8>, at position: inout Int
    ) throws(OpeningFault) -> (offset: UInt64, bytes: Range<Int>) {
        let offset = try number(payload, at: &position)
        let bytes = try counted(payload, at: &position)
        guard UInt64(bytes.count) <= lastOffset - offset else {
            throw .frame("a CRYPTO frame goes beyond 2^62-1", "RFC 9000 §19.6")
        }
        return (offset, bytes)
    }

    private static func close(
        _ payload: borrowing Span<UInt8>, at position: inout Int
    ) throws(OpeningFault) -> (code: UInt64, reason: Range<Int>) {
        let code = try number(payload, at: &position)
        _ = try number(payload, at: &position)
        return (code, try counted(payload, at: &position))
    }

    private static func number(_ payload: borrowing Span<UInt8>, at position: inout Int) throws(OpeningFault) -> UInt64
    {
        guard let value = VariableInteger.read(payload, at: &position) else {
            throw .frame("a frame goes beyond its packet", "RFC 9000 §12.4")
        }
        return value
    }

    /// Bytes behind their number.
    private static func counted(
        _ payload: borrowing Span<UInt8>, at position: inout Int
    ) throws(OpeningFault) -> Range<Int> {
        let count = try number(payload, at: &position)
        guard count <= UInt64(payload.count - position) else {
            throw .frame("a frame goes beyond its packet", "RFC 9000 §12.4")
        }
        defer { position += Int(count) }
        return position..<position + Int(count)
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.crypto.elementsEqual(right.crypto, by: ==) && left.close?.code == right.close?.code
            && left.close?.reason == right.close?.reason
    }
}
