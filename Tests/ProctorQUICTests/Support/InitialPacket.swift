import ProctorQUICLink
import ProctorQUICWire

@testable import ProctorQUIC

/// First packets of clients, made by hand.
enum InitialPacket {
    /// A datagram of 1,200 bytes from a client that has chosen `id` for the server (RFC 9000 §17.2.2); by itself it has the
    /// beginning of a ClientHello, which the server waits on with.
    static func bytes(
        to id: [UInt8], token: [UInt8] = [], from ours: [UInt8] = [1, 2, 3, 4], frames: [UInt8] = beginning
    ) -> [UInt8] {
        InitialKeys(id, isClient: true)?.seal(frames, to: id, from: ours, token: token, filledTo: 1_200) ?? []
    }

    /// CRYPTO at offset 0: a ClientHello of 256 bytes, of which eight come.
    static let beginning: [UInt8] = [0x06, 0x00, 0x08, 0x01, 0x00, 0x01, 0x00, 0x03, 0x03, 0x00, 0x00]

    /// A CRYPTO frame.
    static func crypto(_ bytes: some Collection<UInt8>, at offset: Int = 0) -> [UInt8] {
        var frame: [UInt8] = [0x06]
        VariableInteger.append(UInt64(offset), to: &frame)
        VariableInteger.append(UInt64(bytes.count), to: &frame)
        return frame + bytes
    }

    /// A ClientHello with these extensions.
    static func hello(_ extensions: [(type: UInt16, content: [UInt8])]) -> [UInt8] {
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        let list = extensions.flatMap { number(Int($0.type)) + number($0.content.count) + $0.content }
        let body =
            [3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 2, 0x13, 0x01, 1, 0] + number(list.count) + list
        return [1, 0] + number(body.count) + body
    }

    /// supported_versions with TLS 1.3, and application_layer_protocol_negotiation with h3.
    static let usual: [(type: UInt16, content: [UInt8])] = [(43, [2, 3, 4]), (16, [0, 3, 2, 0x68, 0x33])]

    /// quic_transport_parameters with the id of the client alone.
    static func parameters(_ source: [UInt8], _ more: [UInt8] = []) -> (type: UInt16, content: [UInt8]) {
        (57, [0x0F, UInt8(source.count)] + source + more)
    }
}
