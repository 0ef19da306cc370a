internal import ProctorBase

/// Reads one message of DNS from bytes of whatever origin.
package struct DNSReader {
    /// The message; nil behind a fatal violation, which is then the last one.
    package struct Reading: Sendable, Equatable {
        package var message: DNSMessage?
        package var violations: [DNSViolation] = []
    }

    /// The most questions and records of a message that are read.
    package static let mostRecords = 64

    private let bytes: [UInt8]
    private var position = 0
    private var violations: [DNSViolation] = []
    /// Where the class of the first question stands.
    private var classPlace = 0

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a message of either end.
    package static func read(_ bytes: [UInt8]) -> Reading {
        var reader = DNSReader(bytes)
        return reader.reading()
    }

    private mutating func reading() -> Reading {
        do throws(DNSViolation) {
            let message = try message()
            return Reading(message: message, violations: violations)
        } catch {
            return Reading(message: nil, violations: violations + [error])
        }
    }

    /// Reads a message that a client sends to a server, which is to have one question.
    package static func readQuery(_ bytes: [UInt8]) -> Reading {
        var reader = DNSReader(bytes)
        var reading = reader.reading()
        guard let message = reading.message else { return reading }
        if message.flags.isResponse { reading.violations.append(DNSViolation(.notAQuery, at: 2)) }
        if message.flags.opcode != 0 { reading.violations.append(DNSViolation(.badOpcode, at: 2)) }
        if message.questions.count != 1 {
            reading.violations.append(DNSViolation(.badQuestionCount, at: 4))
        } else if let question = message.questions.first, question.classNumber != 1 {
            reading.violations.append(DNSViolation(.badClass, at: reader.classPlace))
        }
        return reading
    }

    private mutating func message() throws(DNSViolation) -> DNSMessage {
        guard bytes.count >= 12 else { throw DNSViolation(.headerCut, at: bytes.count) }
        var message = DNSMessage(id: try number())
        let flags = try number()
        message.flags.isResponse = flags & 0x8000 != 0
        message.flags.opcode = UInt8(flags >> 11 & 0xF)
        message.flags.isAuthoritative = flags & 0x0400 != 0
        message.flags.isTruncated = flags & 0x0200 != 0
        message.flags.wantsRecursion = flags & 0x0100 != 0
        message.flags.hasRecursion = flags & 0x0080 != 0
        message.flags.code = DNSCode(UInt8(flags & 0xF))
        if flags & 0x0040 != 0 { violations.append(DNSViolation(.reservedNotZero, at: 3)) }
        var counts: [Int] = []
        for _ in 0..<4 { counts.append(Int(try number())) }
        guard counts.reduce(0, +) <= Self.mostRecords else { throw DNSViolation(.tooManyRecords, at: 4) }
        for _ in 0..<counts[0] {
            let name = try name()
            let type = DNSType(try number())
            if message.questions.isEmpty { classPlace = position }
            message.questions.append(DNSQuestion(name, type, classNumber: try number()))
        }
        message.answers = try records(counts[1])
        message.authorities = try records(counts[2])
        message.additionals = try records(counts[3])
        if position < bytes.count { violations.append(DNSViolation(.trailingBytes, at: position)) }
        return message
    }

    private mutating func records(_ count: Int) throws(DNSViolation) -> [DNSRecord] {
        var records: [DNSRecord] = []
        for _ in 0..<count {
            let name = try name()
            let type = DNSType(try number())
            let classNumber = try number()
            let seconds = UInt32(try number()) << 16 | UInt32(try number())
            let length = Int(try number())
            let start = position
            guard bytes.count - start >= length else { throw DNSViolation(.cut, at: bytes.count) }
            let end = start + length
            var record = DNSRecord(name, type, seconds: seconds, try content(of: type, in: start..<end))
            record.classNumber = classNumber
            records.append(record)
            position = end
        }
        return records
    }

    private mutating func content(of type: DNSType, in range: Range<Int>) throws(DNSViolation) -> DNSRecord.Content {
        let data = Array(bytes[range])
        switch type {
        case .a where range.count == 4, .aaaa where range.count == 16: return .address(data)
        case .cname:
            let name = try name()
            if position == range.upperBound { return .name(name) }
        case .https:
            if let service = try service(in: range) { return .service(service) }
        case .a, .aaaa: break
        default: return .other(data)
        }
        violations.append(DNSViolation(.badData, at: range.lowerBound))
        return .other(data)
    }

    /// nil where a length does not fit.
    private mutating func service(in range: Range<Int>) throws(DNSViolation) -> DNSService? {
        guard range.count >= 3 else { return nil }
        var service = DNSService(priority: try number(), target: try name())
        while position < range.upperBound {
            guard range.upperBound - position >= 4 else { return nil }
            let place = position
            let key = try number()
            let length = Int(try number())
            guard range.upperBound - position >= length else { return nil }
            if let last = service.parameters.last, last.key >= key {
                violations.append(DNSViolation(.parametersOutOfOrder, at: place))
            }
            service.parameters.append(DNSService.Parameter(key, Array(bytes[position..<(position + length)])))
            position += length
        }
        return position == range.upperBound ? service : nil
    }

    private mutating func number() throws(DNSViolation) -> UInt16 {
        guard bytes.count - position >= 2 else { throw DNSViolation(.cut, at: bytes.count) }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    /// Reads a name; each pointer must lead to an earlier place than the one before, so that they end.
    private mutating func name() throws(DNSViolation) -> DNSName {
        var labels: [[UInt8]] = []
        var byteCount = 1
        var place = position
        var least = position
        var end: Int?
        while true {
            guard place < bytes.count else { throw DNSViolation(.cut, at: bytes.count) }
            let length = Int(bytes[place])
            switch length >> 6 {
            case 0:
                guard length > 0 else {
                    position = end ?? place + 1
                    return DNSName(labels: labels)
                }
                guard bytes.count - place > length else { throw DNSViolation(.cut, at: bytes.count) }
                byteCount += length + 1
                guard byteCount <= DNSName.mostBytes else { throw DNSViolation(.nameTooLong, at: place) }
                labels.append(Array(bytes[(place + 1)...(place + length)]))
                place += length + 1
            case 3:
                guard place + 1 < bytes.count else { throw DNSViolation(.cut, at: bytes.count) }
                let target = (length & 0x3F) << 8 | Int(bytes[place + 1])
                guard target < least else { throw DNSViolation(.badPointer, at: place) }
                if end == nil { end = place + 2 }
                (place, least) = (target, target)
            default: throw DNSViolation(.badLabel, at: place)
            }
        }
    }
}

/// Cuts the bytes of a connection into messages, each behind its length in two bytes (RFC 1035 §4.2.2).
package struct DNSStreamReader {
    private var kept: [UInt8] = []

    package init() {}

    /// Adds bytes, and returns the messages that are complete.
    package mutating func messages(adding bytes: [UInt8]) -> [[UInt8]] {
        kept += bytes
        var messages: [[UInt8]] = []
        var start = 0
        while kept.count - start >= 2 {
            let length = Int(kept[start]) << 8 | Int(kept[start + 1])
            guard kept.count - start - 2 >= length else { break }
            messages.append(Array(kept[(start + 2)..<(start + 2 + length)]))
            start += 2 + length
        }
        kept.removeFirst(start)
        return messages
    }

    /// Whether no message is begun.
    package var isBetweenMessages: Bool { kept.isEmpty }
}
