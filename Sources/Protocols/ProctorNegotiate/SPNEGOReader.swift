import ProctorBase

/// What was read of a token, and what is wrong with it.
package struct SPNEGOReading: Sendable, Equatable {
    /// nil after a fatal violation.
    package var message: SPNEGOMessage?
    /// In the order in which they were found; at most ``SPNEGOReader/violationLimit``, and one that is fatal.
    package var violations: [SPNEGOViolation] = []
}

/// Reads the tokens of SPNEGO in DER (RFC 4178 §4.2); any bytes may come.
///
/// The depth is that of the tokens, so nothing recurses.
package struct SPNEGOReader {
    /// The most bytes of a token.
    package static let byteLimit = 16_384
    /// The most mechanisms of a list.
    package static let mechanismLimit = 32
    package static let violationLimit = 16

    private let bytes: [UInt8]
    private var violations: [SPNEGOViolation] = []

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    package static func read(_ bytes: [UInt8]) -> SPNEGOReading {
        var reader = SPNEGOReader(bytes)
        do throws(SPNEGOViolation) {
            let message = try reader.message()
            return SPNEGOReading(message: message, violations: reader.violations)
        } catch {
            return SPNEGOReading(message: nil, violations: reader.violations + [error])
        }
    }

    private mutating func message() throws(SPNEGOViolation) -> SPNEGOMessage {
        guard bytes.count <= Self.byteLimit else {
            throw SPNEGOViolation(
                .tooLong, at: Self.byteLimit,
                "the token has \(bytes.count) bytes; at most \(Self.byteLimit) are permitted")
        }
        var rest = bytes.indices
        if bytes.first == Tag.response {
            var choice = try open(Tag.response, "NegTokenResp", in: &rest)
            checkEnd(of: rest, "the token")
            return .response(try response(in: &choice))
        }
        var frame = try open(Tag.frame, "the first token", in: &rest)
        checkEnd(of: rest, "the token")
        let mechanism = try identifier("the mechanism of the first token", in: &frame)
        guard mechanism == .spnego else { return .bare(mechanism) }
        var choice = try open(Tag.initial, "NegTokenInit", in: &frame)
        checkEnd(of: frame, "the first token")
        return .initial(try initial(in: &choice))
    }

    // MARK: Tokens

    private mutating func initial(in choice: inout Range<Int>) throws(SPNEGOViolation) -> NegTokenInit {
        let start = choice.lowerBound
        var message: NegTokenInit?
        var (token, mic): ([UInt8]?, [UInt8]?)
        for (number, range) in try fields("NegTokenInit", in: &choice) {
            var field = range
            switch number {
            case 0: message = try list(in: &field)
            case 1: try checkFlags(in: &field)
            case 2: token = Array(bytes[try open(Tag.octets, "mechToken", in: &field)])
            default: mic = Array(bytes[try open(Tag.octets, "mechListMIC", in: &field)])
            }
            checkEnd(of: field, "field \(number) of NegTokenInit")
        }
        guard var message else {
            throw SPNEGOViolation(.missingField, at: start, "NegTokenInit has no mechTypes")
        }
        (message.token, message.mic) = (token, mic)
        return message
    }

    private mutating func response(in choice: inout Range<Int>) throws(SPNEGOViolation) -> NegTokenResp {
        var message = NegTokenResp()
        for (number, range) in try fields("NegTokenResp", in: &choice) {
            var field = range
            switch number {
            case 0: message.state = try state(in: &field)
            case 1: message.mechanism = try identifier("supportedMech", in: &field)
            case 2: message.token = Array(bytes[try open(Tag.octets, "responseToken", in: &field)])
            default: message.mic = Array(bytes[try open(Tag.octets, "mechListMIC", in: &field)])
            }
            checkEnd(of: field, "field \(number) of NegTokenResp")
        }
        return message
    }

    /// The fields 0 to 3 of a token, each once; others, which the module leaves room for, are passed over.
    private mutating func fields(
        _ name: String, in choice: inout Range<Int>
    ) throws(SPNEGOViolation) -> [(number: Int, range: Range<Int>)] {
        var sequence = try open(Tag.sequence, name, in: &choice)
        checkEnd(of: choice, name)
        var fields: [(number: Int, range: Range<Int>)] = []
        var last = -1
        while !sequence.isEmpty {
            let (offset, tag) = (sequence.lowerBound, bytes[sequence.lowerBound])
            guard tag & 0xE0 == 0xA0, tag & 0x1F < 0x1F else {
                throw SPNEGOViolation(
                    .unexpectedTag, at: offset,
                    "the byte \(tag.hexadecimal()) in \(name); expected a field from a0 to a3")
            }
            let number = Int(tag & 0x1F)
            let range = try open(tag, "field \(number) of \(name)", in: &sequence)
            if number <= last {
                report(.fieldOrder, at: offset, "field \(number) of \(name) stands behind field \(last)")
                continue
            }
            last = number
            if number > 3 {
                report(.unknownField, at: offset, "\(name) has a field \(number); RFC 4178 has 0 to 3")
            } else {
                fields.append((number, range))
            }
        }
        return fields
    }

    private mutating func list(in field: inout Range<Int>) throws(SPNEGOViolation) -> NegTokenInit {
        let start = field.lowerBound
        var list = try open(Tag.sequence, "mechTypes", in: &field)
        let end = list.upperBound
        var mechanisms: [MechanismID] = []
        while !list.isEmpty {
            guard mechanisms.count < Self.mechanismLimit else {
                throw SPNEGOViolation(
                    .tooManyMechanisms, at: list.lowerBound,
                    "mechTypes has more than \(Self.mechanismLimit) mechanisms, which are the most here")
            }
            mechanisms.append(try identifier("a mechanism of mechTypes", in: &list))
        }
        guard !mechanisms.isEmpty else {
            throw SPNEGOViolation(.missingField, at: start, "mechTypes is empty; expected a mechanism at least")
        }
        var message = NegTokenInit(mechanisms: mechanisms)
        message.listBytes = Array(bytes[start..<end])
        return message
    }

    private mutating func state(in field: inout Range<Int>) throws(SPNEGOViolation) -> NegTokenResp.State {
        let range = try open(Tag.enumerated, "negState", in: &field)
        guard range.count == 1, let state = NegTokenResp.State(rawValue: bytes[range.lowerBound]) else {
            throw SPNEGOViolation(.badState, at: range.lowerBound, "negState is none of 0 to 3 in one byte")
        }
        return state
    }

    /// What the flags ask for has no meaning over HTTP, so only their form is looked at.
    private mutating func checkFlags(in field: inout Range<Int>) throws(SPNEGOViolation) {
        let range = try open(Tag.bits, "reqFlags", in: &field)
        let unused = range.isEmpty ? 8 : bytes[range.lowerBound]
        if unused > 7 || range.count == 1 && unused > 0 {
            report(.badFlags, at: range.lowerBound, "reqFlags is no string of bits")
        }
    }

    private mutating func identifier(
        _ name: String, in range: inout Range<Int>
    ) throws(SPNEGOViolation) -> MechanismID {
        let contents = try open(Tag.identifier, name, in: &range)
        guard let identifier = MechanismID(Array(bytes[contents])) else {
            throw SPNEGOViolation(
                .badIdentifier, at: contents.lowerBound,
                "\(name) is no object identifier, or one of more than \(MechanismID.byteLimit) bytes")
        }
        return identifier
    }

    // MARK: DER

    enum Tag {
        static let bits: UInt8 = 0x03
        static let octets: UInt8 = 0x04
        static let identifier: UInt8 = 0x06
        static let enumerated: UInt8 = 0x0A
        static let sequence: UInt8 = 0x30
        static let frame: UInt8 = 0x60
        static let initial: UInt8 = 0xA0
        static let response: UInt8 = 0xA1
    }

    /// Takes an element from the beginning of `range`; returns the place of its contents.
    private mutating func open(
        _ tag: UInt8, _ name: String, in range: inout Range<Int>
    ) throws(SPNEGOViolation) -> Range<Int> {
        let start = range.lowerBound
        guard range.count >= 2 else {
            throw SPNEGOViolation(
                .incomplete, at: range.upperBound, "tag and length of \(name) are cut at byte \(range.upperBound)")
        }
        guard bytes[start] == tag else {
            throw SPNEGOViolation(
                .unexpectedTag, at: start,
                """
                the byte \(bytes[start].hexadecimal()) in place of \(name), which begins with the byte \
                \(tag.hexadecimal())
                """)
        }
        let first = bytes[start + 1]
        var (length, contents) = (Int(first), start + 2)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard count > 0 else {
                throw SPNEGOViolation(
                    .indefiniteLength, at: start + 1, "the length of \(name) is indefinite, which DER does not permit")
            }
            guard count <= 4 else {
                throw SPNEGOViolation(
                    .lengthOutside, at: start + 1, "the length of \(name) has \(count) bytes; at most 4 are read")
            }
            guard range.upperBound - contents >= count else {
                throw SPNEGOViolation(
                    .incomplete, at: range.upperBound, "the length of \(name) is cut at byte \(range.upperBound)")
            }
            length = bytes[contents..<contents + count].reduce(0) { $0 << 8 | Int($1) }
            contents += count
            if length < 0x80 || count > 1 && length >> (8 * (count - 1)) == 0 {
                report(.longLength, at: start + 1, "the length \(length) of \(name) could be written in fewer bytes")
            }
        }
        guard length <= range.upperBound - contents else {
            throw SPNEGOViolation(
                bytes.count == range.upperBound ? .incomplete : .lengthOutside, at: start + 1,
                "\(name) is said to have \(length) bytes, and \(range.upperBound - contents) follow")
        }
        range = contents + length..<range.upperBound
        return contents..<contents + length
    }

    private mutating func checkEnd(of range: Range<Int>, _ name: String) {
        guard !range.isEmpty else { return }
        report(.trailingBytes, at: range.lowerBound, "\(range.count) bytes follow behind the contents of \(name)")
    }

    private mutating func report(_ kind: SPNEGOViolation.Kind, at offset: Int, _ sentence: String) {
        guard violations.count < Self.violationLimit else { return }
        violations.append(SPNEGOViolation(kind, at: offset, sentence))
    }
}
