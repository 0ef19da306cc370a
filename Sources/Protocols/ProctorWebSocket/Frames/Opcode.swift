internal import ProctorBase

/// What a frame is (RFC 6455 §5.2); four bits, of which numbers without a name are reserved.
package struct Opcode: NamedNumber {
    package let rawValue: UInt8

    /// The low four bits of the value.
    package init(rawValue: UInt8) { self.rawValue = rawValue & 0x0F }

    package static let continuation = Opcode(rawValue: 0x0)
    package static let text = Opcode(rawValue: 0x1)
    package static let binary = Opcode(rawValue: 0x2)
    package static let close = Opcode(rawValue: 0x8)
    package static let ping = Opcode(rawValue: 0x9)
    package static let pong = Opcode(rawValue: 0xA)

    package static let names: [UInt8: String] = registeredNames("websocket-opcode")

    /// Whether frames of it stand between those of messages (§5.5); true also for the reserved 11 to 15.
    package var isControl: Bool { rawValue & 0x8 != 0 }

    package var isKnown: Bool { Self.names[rawValue] != nil }

    /// The descriptions by number: the opcode's name, or `opcode 0xb`.
    private static let descriptions: [String] = (0..<16).map { names[$0] ?? "opcode 0x\(String($0, radix: 16))" }

    package var description: String { Self.descriptions[Int(rawValue)] }
}

/// The three bits behind FIN, which extensions give a meaning (RFC 6455 §5.2).
package struct ReservedBits: OptionSet, Hashable, Sendable, CustomStringConvertible {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue & 0x7 }

    /// With permessage-deflate: the message is compressed (RFC 7692 §6).
    package static let rsv1 = ReservedBits(rawValue: 0x4)
    package static let rsv2 = ReservedBits(rawValue: 0x2)
    package static let rsv3 = ReservedBits(rawValue: 0x1)

    /// `RSV1 and RSV3`; empty without a bit.
    package var description: String {
        let bits: [(ReservedBits, String)] = [(.rsv1, "RSV1"), (.rsv2, "RSV2"), (.rsv3, "RSV3")]
        return bits.filter { contains($0.0) }.map(\.1).joined(separator: " and ")
    }
}
