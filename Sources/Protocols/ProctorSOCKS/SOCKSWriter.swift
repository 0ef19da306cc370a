/// Writes the messages of both ends, right, or with the wrong values that they are given.
///
/// Lengths are one byte: what is longer than 255 bytes is cut there.
package enum SOCKSWriter {
    // MARK: A client

    package static func greeting(methods: [UInt8]) -> [UInt8] { [5] + counted(methods) }

    package static func login(user: [UInt8], password: [UInt8]) -> [UInt8] { [1] + counted(user) + counted(password) }

    package static func request(_ request: SOCKSRequest) -> [UInt8] {
        switch request.version {
        case .five:
            return [5, request.command, 0] + typed(request.destination) + port(request.port)
        case .four, .fourWithName:
            let start = [4, request.command] + port(request.port)
            switch request.destination {
            case .ipv4(let address): return start + address + terminated(request.user)
            // SOCKS 4 has no address of IPv6; its text goes as a name.
            case .ipv6, .name:
                let name = request.destination.hostText.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") }
                return start + [0, 0, 0, 1] + terminated(request.user) + terminated(name)
            }
        }
    }

    // MARK: A proxy

    package static func selection(_ method: UInt8) -> [UInt8] { [5, method] }

    package static func loginReply(status: UInt8) -> [UInt8] { [1, status] }

    /// `version` and `reserved` are the first and third byte, or their usual values; SOCKS 4 has no reserved one.
    package static func reply(
        _ reply: SOCKSReply, version: UInt8? = nil, reserved: UInt8 = 0, addressType: UInt8? = nil
    ) -> [UInt8] {
        guard reply.isOfVersion5 else {
            let address: [UInt8] = if case .ipv4(let bytes) = reply.bound { bytes } else { [0, 0, 0, 0] }
            return [version ?? 0, reply.code] + port(reply.port) + address
        }
        var address = typed(reply.bound)
        if let addressType { address[0] = addressType }
        return [version ?? 5, reply.code, reserved] + address + port(reply.port)
    }

    // MARK: Parts

    private static func typed(_ address: SOCKSAddress) -> [UInt8] {
        switch address {
        case .ipv4(let bytes): [1] + bytes
        case .ipv6(let bytes): [4] + bytes
        case .name(let bytes): [3] + counted(bytes)
        }
    }

    private static func counted(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = bytes.prefix(255)
        return [UInt8(bytes.count)] + bytes
    }

    private static func terminated(_ text: [UInt8]) -> [UInt8] { text.filter { $0 != 0 } + [0] }

    private static func port(_ port: UInt16) -> [UInt8] { [UInt8(port >> 8), UInt8(port & 0xFF)] }
}
