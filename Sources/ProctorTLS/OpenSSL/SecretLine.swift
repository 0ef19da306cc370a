internal import ProctorBase

/// What a line of a key log says: a label, the client's random and a secret, the last two in hexadecimal.
struct SecretLine: Equatable {
    let label: String
    let secret: [UInt8]

    /// nil for what is no such line.
    init?(_ line: [UInt8]) {
        let parts = line.split(separator: 0x20)
        guard parts.count == 3, parts[2].count % 2 == 0 else { return nil }
        label = String(decoding: parts[0], as: UTF8.self)
        var secret: [UInt8] = []
        var high: UInt8?
        for digit in parts[2] {
            guard let value = Self.value(of: digit) else { return nil }
            if let first = high.take() { secret.append(first << 4 | value) } else { high = value }
        }
        self.secret = secret
    }

    /// Of the server's writing side in TLS 1.3: 1 within the handshake, 2 behind it; nil for any other secret.
    var serverEpoch: Int? {
        switch label {
        case "SERVER_HANDSHAKE_TRAFFIC_SECRET": 1
        case "SERVER_TRAFFIC_SECRET_0": 2
        default: nil
        }
    }

    private static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x61...0x66: digit - 0x61 + 10
        case 0x41...0x46: digit - 0x41 + 10
        default: nil
        }
    }
}
