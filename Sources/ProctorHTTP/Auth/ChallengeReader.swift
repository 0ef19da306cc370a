/// Reads the challenges of all WWW-Authenticate or Proxy-Authenticate fields of a reply (RFC 9110 §11.6.1 and §11.7.1).
///
/// Commas part both challenges and their parameters, so only the next `=` tells which one a token begins. What can't be
/// read is passed over up to the next comma, since one bad challenge should not hide a good one.
public struct ChallengeReader: Sendable {
    /// In order of the fields and within them.
    public private(set) var challenges: [AuthenticationChallenge] = []
    /// In the same order.
    public private(set) var violations: [AuthenticationViolation] = []
    /// The challenge being read began in this field: one never goes on in the next field.
    private var isInChallenge = false
    private var line = 0

    /// Reads the values, one of each field.
    public init(_ values: [[UInt8]]) {
        for (number, value) in values.enumerated() {
            line = number
            isInChallenge = false
            var cursor = FieldCursor(value)
            read(&cursor)
        }
    }

    /// What was read last; decides whether a comma is missing.
    private enum Before {
        case comma, scheme, value
    }

    private mutating func read(_ cursor: inout FieldCursor) {
        var before = Before.comma
        while true {
            cursor.skipBlanks()
            if cursor.take(UInt8(ascii: ",")) {
                before = .comma
                continue
            }
            let start = cursor.index
            guard let byte = cursor.current else { return }
            guard let token = cursor.takeToken() else {
                note(.illegalCharacter, at: start, [byte])
                cursor.skip(to: UInt8(ascii: ","))
                continue
            }
            let end = cursor.index
            cursor.skipBlanks()
            if cursor.take(UInt8(ascii: "=")) {
                if before == .value { note(.missingComma, at: start, Array(token)) }
                readParameter(named: token, &cursor)
                before = .value
            } else {
                if before != .comma { note(.missingComma, at: start, Array(token)) }
                cursor.index = end
                readScheme(token, &cursor)
                before = cursor.index == end ? .scheme : .value
            }
        }
    }

    /// The cursor is behind the scheme; it is left there, or behind the token68.
    private mutating func readScheme(_ token: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        isInChallenge = true
        var challenge = AuthenticationChallenge(scheme: FieldText.decode(token))
        let end = cursor.index
        cursor.skipBlanks()
        let start = cursor.index
        let digits = cursor.take(while: \.isToken68Byte)
        _ = cursor.take { $0 == UInt8(ascii: "=") }
        let text = cursor.bytes[start..<cursor.index]
        cursor.skipBlanks()
        if start > end, !digits.isEmpty, cursor.isAtEnd || cursor.current == UInt8(ascii: ",") {
            challenge.token68 = FieldText.decode(text)
        } else {
            cursor.index = end
        }
        challenges.append(challenge)
    }

    /// The cursor is behind the `=`.
    private mutating func readParameter(named name: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        cursor.skipBlanks()
        let start = cursor.index
        let value: [UInt8]
        if let quoted = cursor.takeQuotedString() {
            value = quoted.content
            if !quoted.isTerminated { note(.unterminatedString, at: start, Array(cursor.bytes[start...])) }
        } else if let token = cursor.takeToken() {
            value = Array(token)
        } else {
            note(.missingValue, at: name.startIndex, Array(name))
            return
        }
        guard isInChallenge, var challenge = challenges.last else {
            return note(.parameterWithoutScheme, at: name.startIndex, Array(name))
        }
        let parameter = AuthenticationChallenge.Parameter(name: FieldText.decode(name), bytes: value)
        if challenge.token68 != nil { return note(.parameterBesideToken, at: name.startIndex, Array(name)) }
        guard challenge[parameter.name] == nil else {
            return note(.duplicateParameter, at: name.startIndex, Array(name))
        }
        challenge.parameters.append(parameter)
        challenges[challenges.count - 1] = challenge
    }

    private mutating func note(_ kind: AuthenticationViolation.Kind, at offset: Int, _ detail: [UInt8]) {
        violations.append(
            AuthenticationViolation(
                kind: kind, line: line, offset: offset, detail: Array(detail.prefix(ByteQuote.longest))))
    }
}

extension UInt8 {
    /// What a token68 is made of before its padding (RFC 9110 §11.2).
    fileprivate var isToken68Byte: Bool {
        isUnreserved || self == UInt8(ascii: "+") || self == UInt8(ascii: "/")
    }
}
