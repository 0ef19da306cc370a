internal import ProctorBase

extension DNSMessage {
    /// The bytes of the message, with names compressed but in HTTPS records (RFC 9460 §2.2).
    ///
    /// Counts and lengths that two bytes cannot say are cut to the most that they can.
    package var bytes: [UInt8] {
        var writer = DNSWriter()
        writer.write(self)
        return writer.bytes
    }

    /// ``bytes`` behind their length in two bytes, as they are sent over TCP; what goes beyond 65,535 is left out.
    package var streamBytes: [UInt8] { Self.framed(bytes) }

    package static func framed(_ bytes: [UInt8]) -> [UInt8] {
        let most = bytes.prefix(Int(UInt16.max))
        return [UInt8(most.count >> 8), UInt8(most.count & 0xFF)] + most
    }
}

private struct DNSWriter {
    private(set) var bytes: [UInt8] = []
    /// Where the names that end so begin.
    private var places: [[[UInt8]]: Int] = [:]

    mutating func write(_ message: DNSMessage) {
        appendNumber(message.id)
        let flags = message.flags
        var bits = UInt16(flags.opcode & 0xF) << 11 | UInt16(flags.code.number & 0xF)
        for (isSet, bit) in [
            (flags.isResponse, 0x8000), (flags.isAuthoritative, 0x0400), (flags.isTruncated, 0x0200),
            (flags.wantsRecursion, 0x0100), (flags.hasRecursion, 0x0080),
        ] as [(Bool, UInt16)] where isSet {
            bits |= bit
        }
        appendNumber(bits)
        let sections = [message.answers, message.authorities, message.additionals]
        appendNumber(UInt16(clamping: message.questions.count))
        for section in sections { appendNumber(UInt16(clamping: section.count)) }
        for question in message.questions {
            appendName(question.name)
            appendNumber(question.type.number)
            appendNumber(question.classNumber)
        }
        for record in sections.joined() { appendRecord(record) }
    }

    private mutating func appendRecord(_ record: DNSRecord) {
        appendName(record.name)
        appendNumber(record.type.number)
        appendNumber(record.classNumber)
        appendNumber(UInt16(record.seconds >> 16))
        appendNumber(UInt16(record.seconds & 0xFFFF))
        let place = bytes.count
        appendNumber(UInt16(0))
        switch record.data {
        case .address(let data), .other(let data): bytes += data
        case .name(let name): appendName(name)
        case .service(let service):
            appendNumber(service.priority)
            appendName(service.target, isCompressed: false)
            for parameter in service.parameters {
                appendNumber(parameter.key)
                appendNumber(UInt16(clamping: parameter.value.count))
                bytes += parameter.value
            }
        }
        let length = UInt16(clamping: bytes.count - place - 2)
        (bytes[place], bytes[place + 1]) = (UInt8(length >> 8), UInt8(length & 0xFF))
    }

    private mutating func appendNumber(_ number: UInt16) { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }

    private mutating func appendName(_ name: DNSName, isCompressed: Bool = true) {
        for index in name.labels.indices {
            let rest = Array(name.labels[index...])
            let key = rest.map { $0.map(\.asciiLowercased) }
            if isCompressed, let place = places[key] {
                appendNumber(0xC000 | UInt16(place))
                return
            }
            // A pointer has 14 bits.
            if places[key] == nil, bytes.count < 0x4000 { places[key] = bytes.count }
            bytes.append(UInt8(clamping: rest[0].count))
            bytes += rest[0]
        }
        bytes.append(0)
    }
}
