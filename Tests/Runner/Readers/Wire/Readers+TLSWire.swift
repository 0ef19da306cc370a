import ProctorTLSWire

extension ReaderRunner {
    static let tlsWire: [String: DataReader] = [
        // Records up to a ClientHello; `limit N` bounds it.
        "client-hello": .pieces(trailing: [[22, 3, 1, 0]]) { pieces, block in
            var reader = ClientHelloReader(limit: try block.number(of: "limit") ?? 65_536)
            var outcome = ClientHelloReader.Outcome.needsMore
            for piece in pieces { outcome = reader.read(piece.span) }
            var lines = HelloLines.lines(outcome)
            if reader.received != pieces.flatMap(\.self) { lines.insert("other bytes were kept", at: 0) }
            return lines
        },
        // A ClientHello, of which every beginning is read with the length that it has; and each byte may be another.
        "client-hello-beginnings": .whole { input, _ in
            let whole = input.dropFirst(9)
            var told: [String] = []
            for count in 0..<whole.count {
                var reader = ClientHelloReader()
                func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
                let message = [1, 0] + number(count) + whole.prefix(count)
                let outcome = reader.read(([22, 3, 1] + number(message.count) + message).span)
                told.append(HelloLines.lines(outcome).joined(separator: ", "))
            }
            for place in input.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                    var changed = input
                    changed[place] = value
                    var reader = ClientHelloReader()
                    _ = reader.read(changed.span)
                    if reader.received != changed { told.append("with \(value) at \(place) other bytes are kept") }
                }
            }
            return told.counted
        },
        // `version`, `cipher`, `extension` or `group` with a number in hexadecimal; an alert with its number or name.
        "tls-name": .line { text in
            let words = text.split(separator: " ")
            guard words.count == 2 else { throw TextError("expected a kind and a number") }
            if words[0] == "alert" {
                if let number = UInt8(words[1]) { return AlertDescription.name(of: number) }
                return AlertDescription.number(named: String(words[1])).map { "\($0)" } ?? "none"
            }
            guard let number = UInt16(words[1], radix: 16) else { throw TextError("no number in hexadecimal") }
            switch words[0] {
            case "version": return TLSNames.version(number)
            case "cipher": return TLSNames.cipherSuite(number)
            case "extension": return TLSNames.extension(number)
            case "group": return TLSNames.group(number)
            default: throw TextError("unknown kind \"\(words[0])\"")
            }
        },
        // All alerts.
        "tls-alerts": .whole { _, _ in
            AlertDescription.names.map { "\($0) \(AlertDescription.number(named: $0).map { "\($0)" } ?? "none")" }
                + (UInt8.min...UInt8.max).compactMap { number in
                    let name = AlertDescription.name(of: number)
                    let isSame = name == "\(number)" || AlertDescription.number(named: name) == number
                    return isSame ? nil : "\(number) is \(name)"
                }
        },
    ]
}

/// What is read of a ClientHello as lines.
private enum HelloLines {
    static func lines(_ outcome: ClientHelloReader.Outcome) -> [String] {
        switch outcome {
        case .needsMore: return ["needs more"]
        case .notTLS: return ["no TLS", "end"]
        case .refused(let sentence): return ["refused \(sentence)"]
        case .complete(let hello):
            let lists: [(String, [String])] = [
                ("versions", hello.versions.map(TLSNames.version)),
                ("ciphers", hello.cipherSuites.map(TLSNames.cipherSuite)),
                ("name", hello.serverName.map { [ByteText.inLine($0)] } ?? []),
                ("protocols", hello.applicationProtocols.map { ByteText.inLine($0) }),
                ("extensions", hello.extensions.map(TLSNames.extension)), ("groups", hello.groups.map(TLSNames.group)),
                ("signatures", hello.signatureSchemes.map { String($0, radix: 16) }),
            ]
            return ["\(hello.byteCount) bytes of \(TLSNames.version(hello.legacyVersion))"]
                + lists.filter { !$0.1.isEmpty }.map { "\($0.0) \($0.1.joined(separator: " "))" }
                + (hello.wantsResumption ? ["resumes"] : []) + ["end"]
        }
    }
}
