import ProctorBase

/// The grammar that challenges, credentials and Authentication-Info share (RFC 9110 §11).
///
/// Commas separate both challenges and their parameters, so only a following `=` shows whether a token is a parameter
/// or a scheme. Text that cannot be read is skipped up to the next comma, so that the rest is still read.
struct AuthenticationScanner {
    /// A scheme with its token68 or parameters.
    struct Element {
        var scheme: String
        var token68: String?
        var parameters: [AuthenticationParameter] = []
        /// The offset of the end of the scheme's name, in its field.
        var schemeEnd = 0
        /// A bit for the length and the first letter of each name: where it is clear, no parameter has that name.
        fileprivate var nameMarks: UInt64 = 0
    }

    enum Form {
        /// A list of challenges (§11.6.1).
        case challenges
        /// Exactly one scheme with its token68 or parameters (§11.6.2).
        case credentials
        /// Parameters without a scheme (§11.6.3).
        case parameters
    }

    /// The most parameters of one scheme; bounds the search for duplicates.
    static let parameterLimit = 64

    private let form: Form
    private(set) var elements: [Element] = []
    private(set) var violations: [AuthenticationViolation] = []
    private var isInElement = false
    private var line = 0

    init(_ form: Form) {
        self.form = form
        if form == .parameters { elements = [Element(scheme: "")] }
    }

    /// The kind of the last token; it decides whether a comma is missing.
    private enum Before {
        case comma, scheme, value
    }

    mutating func read(_ value: [UInt8], line: Int) {
        self.line = line
        isInElement = form == .parameters
        var cursor = FieldCursor(value)
        var before = Before.comma
        while true {
            let behind = cursor.index
            cursor.skipBlanks()
            let place = cursor.index
            if cursor.consume(UInt8(ascii: ",")) {
                if form == .credentials { noteStray(at: place, isGlued: before == .scheme && place == behind, cursor) }
                before = .comma
                continue
            }
            let start = cursor.index
            guard let byte = cursor.current else { return }
            guard let token = cursor.takeToken() else {
                report(.illegalCharacter, at: start, [byte])
                cursor.skip(to: UInt8(ascii: ","))
                continue
            }
            let end = cursor.index
            cursor.skipBlanks()
            if cursor.consume(UInt8(ascii: "=")) {
                if before == .value { report(.missingComma, at: start, token) }
                readParameter(named: token, &cursor)
                before = .value
            } else if takesScheme {
                if before != .comma { report(.missingComma, at: start, token) }
                cursor.index = end
                readScheme(token, &cursor)
                before = cursor.index == end ? .scheme : .value
            } else {
                report(.missingValue, at: start, token)
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

    private mutating func readScheme(_ token: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        isInElement = true
        let end = cursor.index
        var element = Element(scheme: String(decoding: token, as: UTF8.self), schemeEnd: end)
        if cursor.current == .tab { report(.tabBehindScheme, at: end, token) }
        cursor.skipBlanks()
        let start = cursor.index
        let digits = cursor.consume(while: \.isToken68Byte)
        _ = cursor.consume { $0 == UInt8(ascii: "=") }
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

    private mutating func readParameter(named name: ArraySlice<UInt8>, _ cursor: inout FieldCursor) {
        cursor.skipBlanks()
        let start = cursor.index
        let value: [UInt8]
        var isQuoted = false
        if let quoted = cursor.takeQuotedString() {
            value = quoted.content
            isQuoted = true
            if !quoted.isTerminated { report(.unterminatedString, at: start, cursor.bytes[start...]) }
            if let control = cursor.bytes[start..<cursor.index].firstIndex(where: { $0.isControl && $0 != .tab }) {
                report(.controlInString, at: control, cursor.bytes[control...control])
            }
        } else if let token = cursor.takeToken() {
            value = Array(token)
        } else {
            return report(.missingValue, at: name.startIndex, name)
        }
        guard isInElement, let last = elements.indices.last else {
            return report(.parameterWithoutScheme, at: name.startIndex, name)
        }
        if elements[last].token68 != nil { return report(.parameterBesideToken, at: name.startIndex, name) }
        let parameter = AuthenticationParameter(
            name: String(decoding: name, as: UTF8.self), bytes: value, isQuoted: isQuoted, offset: name.startIndex)
        guard elements[last].parameters.count < Self.parameterLimit else {
            return report(.tooManyParameters, at: name.startIndex, name)
        }
        let mark = UInt64(1) << UInt64((name.count &* 5 &+ Int(name.first?.asciiLowercased ?? 0)) & 63)
        let mayBeKnown = elements[last].nameMarks & mark != 0
        guard !mayBeKnown || !elements[last].parameters.contains(where: { $0.isNamed(parameter.name) }) else {
            return report(.duplicateParameter, at: name.startIndex, name)
        }
        elements[last].nameMarks |= mark
        elements[last].parameters.append(parameter)
    }

    /// Reports a comma that separates nothing.
    ///
    /// Credentials are no list (§11.4): commas separate only parameters, among which empty ones are legal (§5.6.1.2).
    private mutating func noteStray(at place: Int, isGlued: Bool, _ cursor: FieldCursor) {
        let comma = [UInt8(ascii: ",")]
        guard let element = elements.first, !isGlued else { return report(.strayComma, at: place, comma) }
        // A token68 with text after it has a violation of its own.
        let isLast = cursor.bytes[cursor.index...].allSatisfy { $0.isBlank || $0 == UInt8(ascii: ",") }
        if element.token68 != nil, isLast { report(.strayComma, at: place, comma) }
    }

    private mutating func report(_ kind: AuthenticationRule, at offset: Int, _ detail: some Collection<UInt8>) {
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

extension AuthenticationScanner {
    /// Compares without regard to ASCII case.
    static func isSame(_ one: String, _ other: String) -> Bool {
        // Names of the same length mostly differ in their first byte, and equal spellings compare fast.
        one.utf8.count == other.utf8.count
            && one.utf8.first?.asciiLowercased == other.utf8.first?.asciiLowercased
            && (one == other || one.utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased })
    }

    /// Writes the token68 before the parameters; a legal value never has both.
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
    /// A byte of a token68 before its padding (RFC 9110 §11.2).
    var isToken68Byte: Bool { isUnreserved || self == UInt8(ascii: "+") || self == UInt8(ascii: "/") }
}

package typealias AuthenticationViolation = GrammarViolation<AuthenticationRule>

/// The violations of challenges, credentials and Authentication-Info.
package enum AuthenticationRule: String, GrammarRule, CaseIterable {
    case illegalCharacter = "illegal-character"
    case parameterWithoutScheme = "parameter-without-scheme"
    case parameterBesideToken = "parameter-beside-token"
    case missingValue = "missing-value"
    case unterminatedString = "unterminated-string"
    case duplicateParameter = "duplicate-parameter"
    case missingComma = "missing-comma"
    case controlInString = "control-in-string"
    case tabBehindScheme = "tab-behind-scheme"
    case strayComma = "stray-comma"
    case tooManyParameters = "too-many-parameters"

    package static var isOfSeveralFields: Bool { true }

    private static let sentences = ContainedTable<Self, String>("authentication-violations") {
        $0["sentence"].replacing(text: "{limit}", with: "\(AuthenticationScanner.parameterLimit)")
    }

    package var sentence: String { Self.sentences[self] }
}
