/// Writes the messages of NTLM (MS-NLMP §2.2.1).
///
/// A field that does not fit its two bytes of length is cut there.
package enum NTLMWriter {
    package static func bytes(of message: NTLMMessage) -> [UInt8] {
        switch message {
        case .negotiate(let message): negotiate(message)
        case .challenge(let message): challenge(message)
        case .authenticate(let message): authenticate(message)
        }
    }

    private static func negotiate(_ message: NTLMNegotiate) -> [UInt8] {
        var output = Layout(type: 1, headerByteCount: message.version == nil ? 32 : 40)
        output.append(message.flags)
        output.appendField(Array(message.domain.utf8))
        output.appendField(Array(message.workstation.utf8))
        if let version = message.version { output.append(version, count: 8) }
        return output.bytes
    }

    private static func challenge(_ message: NTLMChallenge) -> [UInt8] {
        var output = Layout(type: 2, headerByteCount: 56)
        output.appendField(encoded(message.target, message.flags))
        output.append(message.flags)
        output.append(message.nonce, count: 8)
        output.append([], count: 8)
        output.appendField(message.flags.contains(.targetInfo) ? bytes(of: message.targetInfo) : [])
        output.append(message.version ?? [], count: 8)
        return output.bytes
    }

    private static func authenticate(_ message: NTLMAuthenticate) -> [UInt8] {
        var output = Layout(type: 3, headerByteCount: message.mic == nil ? 72 : 88)
        output.appendField(message.lmResponse)
        output.appendField(message.response.bytes)
        for text in [message.domain, message.user, message.workstation] {
            output.appendField(encoded(text, message.flags))
        }
        output.appendField(message.sessionKey)
        output.append(message.flags)
        output.append([], count: 8)
        if let mic = message.mic { output.append(mic, count: 16) }
        return output.bytes
    }

    /// The pairs and the one that ends the list.
    package static func bytes(of pairs: [NTLMPair]) -> [UInt8] {
        (pairs + [NTLMPair(.end, [])]).flatMap { pair in
            let value = pair.value.prefix(0xFFFF)
            return [
                UInt8(truncatingIfNeeded: pair.id), UInt8(truncatingIfNeeded: pair.id >> 8),
                UInt8(truncatingIfNeeded: value.count), UInt8(truncatingIfNeeded: value.count >> 8),
            ] + value
        }
    }

    private static func encoded(_ text: String, _ flags: NTLMFlags) -> [UInt8] {
        flags.contains(.unicode) ? NTLMText.utf16(text) : Array(text.utf8)
    }

    /// What stands at fixed places, and the fields behind it.
    private struct Layout {
        private var header: [UInt8]
        private var payload: [UInt8] = []
        private let headerByteCount: Int

        init(type: UInt8, headerByteCount: Int) {
            header = NTLMReader.signature + [type, 0, 0, 0]
            self.headerByteCount = headerByteCount
        }

        var bytes: [UInt8] { header + payload }

        mutating func append(_ flags: NTLMFlags) { appendNumber(flags.rawValue) }

        /// Exactly `count` bytes, filled with zeros.
        mutating func append(_ bytes: [UInt8], count: Int) {
            header += bytes.prefix(count) + [UInt8](repeating: 0, count: max(0, count - bytes.count))
        }

        mutating func appendField(_ value: [UInt8]) {
            let value = value.prefix(0xFFFF)
            let count = [UInt8(truncatingIfNeeded: value.count), UInt8(truncatingIfNeeded: value.count >> 8)]
            header += count + count
            appendNumber(UInt32(truncatingIfNeeded: headerByteCount + payload.count))
            payload += value
        }

        private mutating func appendNumber(_ number: UInt32) {
            for shift in [0, 8, 16, 24] as [UInt32] { header.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
    }
}

extension NTLMResponse {
    /// As a message has it.
    package var bytes: [UInt8] {
        switch self {
        case .none: []
        case .old(let bytes), .malformed(let bytes): bytes
        case .new(let response): response.proof + response.input
        }
    }
}

/// Texts of NTLM.
package enum NTLMText {
    /// UTF-16, the lower byte first.
    package static func utf16(_ text: String) -> [UInt8] {
        text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    }

    /// Each character in upper case where that is one character, as of a user's name before it is hashed (MS-NLMP
    /// §3.3.2).
    package static func upperCase(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let upper = scalar.properties.uppercaseMapping.unicodeScalars
                    return upper.count == 1 ? upper.first ?? scalar : scalar
                }))
    }
}
