import ProctorBase

/// The grammar that challenges, credentials and Authentication-Info share (RFC 9110 §11).
///
/// Commas part both challenges and their parameters, so only the next `=` tells which one a token begins. What can't be
/// read is passed over up to the next comma, since one bad challenge should not hide a good one.
struct AuthenticationScanner {
    /// A scheme with what belongs to it.
    struct Element {
        var scheme: String
        var token68: String?
        var parameters: [AuthenticationParameter] = []
        /// Where the scheme's name ends in its field.
        var schemeEnd = 0
    }

    /// What the fields hold.
    enum Form {
        /// A list of them (§11.6.1).
        case challenges
        /// Exactly one scheme with what belongs to it (§11.6.2).
        case credentials
        /// No scheme (§11.6.3).
        case parameters
    }

    /// More parameters of one scheme are refused, so that looking for doubles costs little.
    static let parameterLimit = 64

    private let form: Form
    private(set) var elements: [Element] = []
    private(set) var violations: [AuthenticationViolation] = []
    /// The element being read began in this field: one never goes on in the next field.
    private var isInElement = false
    private var line = 0

    init(_ form: Form) {
        self.form = form
        if form == .parameters { elements = [Element(scheme: "")] }
    }

    /// What was read last; decides whether a comma is missing.
    private enum Before {
        case comma, scheme, value
    }

    /// Reads one field.
    mutating func read(_ value: [UInt8], line: Int) {
        self.line = line
        isInElement = form == .parameters
        var cursor = FieldCursor(value)
        var before = Before.comma
        while true {
            let behind = cursor.index
            cursor.skipBlanks()
            let place = cursor.index
            if cursor.take(UInt8(ascii: ",")) {
                if form == .credentials { noteStray(at: place, isGlued: before == .scheme && place == behind, cursor) }
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
                if before == .value { note(.missingComma, at: start, token) }
                readParameter(named: token, &cursor)
                before = .value
            } else if takesScheme {
                if before != .comma { note(.missingComma, at: start, token) }
                cursor.index = end
                readScheme(token, &cursor)
                before = cursor.index == end ? .scheme : .value
            } else {
                note(.missingValue, at: start, token)
                before = .value
            }
        }
    }

    private var takesScheme: Bool {
        switch form {
        case .challenges: true
        case .credentials: elements.isEmpty
        case .parameters: false
        }
    }

    /// The cursor is behind the scheme; it is left there, or behind the token68.
    private mutating func readScheme(_ token: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        isInElement = true
        let end = cursor.index
        var element = Element(scheme: String(decoding: token, as: UTF8.self), schemeEnd: end)
        if cursor.current == .tab { note(.tabBehindScheme, at: end, token) }
        cursor.skipBlanks()
        let start = cursor.index
        let digits = cursor.take(while: \.isToken68Byte)
        _ = cursor.take { $0 == UInt8(ascii: "=") }
        let text = cursor.bytes[start..<cursor.index]
        cursor.skipBlanks()
        if start > end, !digits.isEmpty, cursor.isAtEnd || cursor.current == UInt8(ascii: ",") {
            element.token68 = String(decoding: text, as: UTF8.self)
        } else {
            cursor.index = end
        }
        element.parameters.reserveCapacity(form == .credentials && element.token68 == nil ? 12 : 0)
        elements.append(element)
    }

    /// The cursor is behind the `=`.
    private mutating func readParameter(named name: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        cursor.skipBlanks()
        let start = cursor.index
        let value: [UInt8]
        var isQuoted = false
        if let quoted = cursor.takeQuotedString() {
            value = quoted.content
            isQuoted = true
            if !quoted.isTerminated { note(.unterminatedString, at: start, cursor.bytes[start...]) }
            if let control = cursor.bytes[start..<cursor.index].firstIndex(where: { $0.isControl && $0 != .tab }) {
                note(.controlInString, at: control, cursor.bytes[control...control])
            }
        } else if let token = cursor.takeToken() {
            value = Array(token)
        } else {
            return note(.missingValue, at: name.startIndex, name)
        }
        guard isInElement, let last = elements.indices.last else {
            return note(.parameterWithoutScheme, at: name.startIndex, name)
        }
        if elements[last].token68 != nil { return note(.parameterBesideToken, at: name.startIndex, name) }
        let parameter = AuthenticationParameter(
            name: String(decoding: name, as: UTF8.self), bytes: value, isQuoted: isQuoted, offset: name.startIndex)
        guard elements[last].parameters.count < Self.parameterLimit else {
            return note(.tooManyParameters, at: name.startIndex, name)
        }
        guard !elements[last].parameters.contains(where: { $0.isNamed(parameter.name) }) else {
            return note(.duplicateParameter, at: name.startIndex, name)
        }
        elements[last].parameters.append(parameter)
    }

    /// Credentials are no list (§11.4): commas part parameters alone, among which empty ones are legal (§5.6.1.2).
    private mutating func noteStray(at place: Int, isGlued: Bool, _ cursor: FieldCursor) {
        let comma = [UInt8(ascii: ",")]
        guard let element = elements.first, !isGlued else { return note(.strayComma, at: place, comma) }
        // Whatever follows a token68 is told itself.
        let isLast = cursor.bytes[cursor.index...].allSatisfy { $0.isBlank || $0 == UInt8(ascii: ",") }
        if element.token68 != nil, isLast { note(.strayComma, at: place, comma) }
    }

    private mutating func note(
        _ kind: AuthenticationViolation.Kind, at offset: Int, _ detail: some Collection<UInt8>
    ) {
        violations.append(
            AuthenticationViolation(
                kind: kind, line: line, offset: offset, detail: Array(detail.prefix(ByteQuote.longest)),
                section: section))
    }

    private var section: String {
        switch form {
        case .challenges: "RFC 9110 §11.6.1"
        case .credentials: "RFC 9110 §11.6.2"
        case .parameters: "RFC 9110 §11.6.3"
        }
    }
}

/// Names and the way back.
extension AuthenticationScanner {
    /// ASCII case aside.
    static func isSame(_ one: String, _ other: String) -> Bool {
        // The usual spelling, which compares fast.
        one.utf8.count == other.utf8.count
            && (one == other || one.utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased })
    }

    /// The token68 stands before the parameters if both are given, which only a deliberate violation does.
    static func written(_ scheme: String, _ token68: String?, parameters: [AuthenticationParameter]) -> [UInt8] {
        var output = Array(scheme.utf8)
        if let token68 {
            output.append(.space)
            output += token68.utf8
        }
        if !parameters.isEmpty {
            if token68 != nil { output.append(UInt8(ascii: ",")) }
            output.append(.space)
            parameters.append(to: &output)
        }
        return output
    }
}

extension UInt8 {
    /// What a token68 is made of before its padding (RFC 9110 §11.2).
    var isToken68Byte: Bool { isUnreserved || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}
