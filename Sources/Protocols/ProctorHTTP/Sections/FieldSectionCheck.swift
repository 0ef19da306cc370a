internal import ProctorBase

/// The role of a field section in its stream (RFC 9113 §8.1, RFC 9114 §4.1).
package enum SectionKind: String, Sendable, CaseIterable {
    case request
    /// A response with a status other than 1xx.
    case response
    /// A response with a status 1xx.
    case interim
    case trailers
    /// The request in a PUSH_PROMISE.
    case promise
}

/// The meaning of a field section of HTTP/2 or HTTP/3 and its faults (RFC 9113 §8.2, §8.3; RFC 9114 §4.2, §4.3; RFC 8441 §4).
package struct FieldSectionCheck: Sendable, Equatable {
    package private(set) var kind: SectionKind
    /// The violations with details, in the order of the fields.
    package private(set) var faults: [FieldSectionFault] = []
    /// The value of `:method`; of several pseudo-header fields with the same name, the first counts.
    package private(set) var method: [UInt8]?
    package private(set) var scheme: [UInt8]?
    package private(set) var authority: [UInt8]?
    package private(set) var path: [UInt8]?
    package private(set) var protocolName: [UInt8]?
    /// The value of `:status`; nil if it is no number of three digits.
    package private(set) var status: Int?
    /// The value of all Content-Length fields; nil if there is none, or if they differ.
    package private(set) var contentLength: Int?
    private var hasStatus = false
    private var host: [UInt8]?

    /// `allowsProtocol` is true if the server's SETTINGS have ENABLE_CONNECT_PROTOCOL 1.
    package init(_ fields: [HeaderField], as kind: SectionKind, allowsProtocol: Bool = false) {
        self.kind = kind
        var hasRegular = false
        for field in fields {
            if field.isPseudo {
                if kind == .trailers {
                    report(.pseudoFieldInTrailers, field.name)
                } else {
                    if hasRegular { report(.pseudoFieldMisplaced, field.name) }
                    takePseudo(field)
                }
            } else {
                hasRegular = true
                checkField(field)
            }
        }
        switch kind {
        case .request, .promise: checkRequest(allowsProtocol: allowsProtocol)
        case .response, .interim: checkResponse()
        case .trailers: break
        }
    }

    private mutating func report(_ kind: FieldSectionFault.Kind, _ bytes: [UInt8]) {
        faults.append(FieldSectionFault(kind: kind, detail: "\"\(EscapedText.escape(bytes, limit: 80))\""))
    }

    private mutating func report(_ kind: FieldSectionFault.Kind, saying detail: String) {
        faults.append(FieldSectionFault(kind: kind, detail: detail))
    }

    // MARK: Pseudo-fields

    private mutating func takePseudo(_ field: HeaderField) {
        if let fault = Self.fault(ofValue: field.value) {
            report(.badFieldValue, saying: "\(fault) in \(EscapedText.escape(field.name, limit: 80))")
        }
        let isOfRequest = kind == .request || kind == .promise
        switch String(decoding: field.name, as: UTF8.self) {
        case ":method" where isOfRequest: Self.set(&method, field, &faults)
        case ":scheme" where isOfRequest: Self.set(&scheme, field, &faults)
        case ":authority" where isOfRequest: Self.set(&authority, field, &faults)
        case ":path" where isOfRequest: Self.set(&path, field, &faults)
        case ":protocol" where isOfRequest: Self.set(&protocolName, field, &faults)
        case ":status" where !isOfRequest:
            if hasStatus { report(.pseudoFieldTwice, field.name) } else { takeStatus(field.value) }
        default: report(.pseudoFieldUnknown, field.name)
        }
    }

    private static func set(_ place: inout [UInt8]?, _ field: HeaderField, _ faults: inout [FieldSectionFault]) {
        guard place == nil else {
            faults.append(
                FieldSectionFault(kind: .pseudoFieldTwice, detail: "\"\(EscapedText.escape(field.name, limit: 80))\""))
            return
        }
        place = field.value
    }

    private mutating func takeStatus(_ value: [UInt8]) {
        hasStatus = true
        guard value.count == 3, value.allSatisfy(\.isASCIIDigit), value[0] != UInt8(ascii: "0") else {
            report(.badPseudoField, saying: ":status \"\(EscapedText.escape(value, limit: 40))\"")
            return
        }
        let number = value.reduce(0) { 10 * $0 + Int($1 & 0x0F) }
        status = number
        kind = (100..<200).contains(number) ? .interim : .response
        // 101 exists only in HTTP/1.1 (RFC 9113 §8.6).
        if number == 101 { report(.badPseudoField, saying: ":status 101") }
    }

    private mutating func checkResponse() {
        if !hasStatus { report(.pseudoFieldMissing, saying: "without :status") }
    }

    private mutating func checkRequest(allowsProtocol: Bool) {
        if let protocolName, !allowsProtocol { report(.protocolNotEnabled, protocolName) }
        if let method, method.isEmpty || !method.allSatisfy(\.isTokenByte) {
            report(.badPseudoField, saying: ":method \"\(EscapedText.escape(method, limit: 40))\"")
        }
        let isConnect = method == Array("CONNECT".utf8)
        // `:protocol` is defined for CONNECT only (RFC 8441 §4, RFC 9113 §8.3).
        if let method, let protocolName, allowsProtocol, !isConnect {
            report(
                .badPseudoField,
                saying: ":protocol \"\(EscapedText.escape(protocolName, limit: 40))\" beside the method "
                    + EscapedText.escape(method, limit: 40))
        }
        if isConnect, protocolName == nil {
            if authority == nil { report(.pseudoFieldMissing, saying: "CONNECT without :authority") }
            if scheme != nil || path != nil {
                report(.connectWithExtraFields, saying: scheme != nil ? "with :scheme" : "with :path")
            }
            return
        }
        for (name, value) in [(":method", method), (":scheme", scheme), (":path", path)] where value == nil {
            report(.pseudoFieldMissing, saying: "without \(name)")
        }
        if let scheme, !Self.isScheme(scheme) {
            report(.badPseudoField, saying: ":scheme \"\(EscapedText.escape(scheme, limit: 40))\"")
        }
        checkPath(isOptions: method == Array("OPTIONS".utf8))
        checkAuthority()
    }

    private static func isScheme(_ value: [UInt8]) -> Bool {
        guard let first = value.first, first.isASCIILetter else { return false }
        return value.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "+-.".utf8.contains($0) }
    }

    /// Checks `:path` of http and https URIs, which begins with a slash, or is the asterisk of OPTIONS.
    private mutating func checkPath(isOptions: Bool) {
        guard let path else { return }
        let isHTTP = scheme == Array("http".utf8) || scheme == Array("https".utf8)
        guard isHTTP else { return }
        let isAsterisk = path == [UInt8(ascii: "*")]
        if path.first == UInt8(ascii: "/") || isOptions && isAsterisk { return }
        report(.badPseudoField, saying: ":path \"\(EscapedText.escape(path, limit: 40))\"")
    }

    private mutating func checkAuthority() {
        if let authority, authority.contains(UInt8(ascii: "@")) {
            report(
                .badPseudoField,
                saying: ":authority \"\(EscapedText.escape(authority, limit: 80))\" with user information")
        }
        if let authority, let host, authority != host {
            report(
                .hostDiffersFromAuthority,
                saying:
                    "\"\(EscapedText.escape(host, limit: 80))\" beside \"\(EscapedText.escape(authority, limit: 80))\"")
        }
    }

    // MARK: Fields

    private mutating func checkField(_ field: HeaderField) {
        if field.name.contains(where: { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 }) {
            report(.upperCaseName, field.name)
        } else if field.name.isEmpty || !field.name.allSatisfy(\.isTokenByte) {
            report(.badFieldName, field.name)
        }
        if let fault = Self.fault(ofValue: field.value) {
            report(.badFieldValue, saying: "\(fault) in \(EscapedText.escape(field.name, limit: 80))")
        }
        let name = String(decoding: field.name, as: UTF8.self)
        switch name {
        case _ where ConnectionSpecificFields.names.contains(name): report(.connectionSpecificField, field.name)
        case "te" where field.value != Array("trailers".utf8): report(.badTE, field.value)
        case "host": host = host ?? field.value
        case "content-length": takeLength(field.value)
        default: break
        }
    }

    /// What is illegal in a value (RFC 9113 §8.2.1); nil if nothing is.
    private static func fault(ofValue value: [UInt8]) -> String? {
        if value.contains(0x00) { return "a NUL" }
        if value.contains(0x0D) { return "a CR" }
        if value.contains(0x0A) { return "an LF" }
        guard let first = value.first, let last = value.last else { return nil }
        return [first, last].contains { $0 == 0x20 || $0 == 0x09 } ? "a blank at an end" : nil
    }

    private mutating func takeLength(_ value: [UInt8]) {
        let isNumber = !value.isEmpty && value.count <= 18 && value.allSatisfy(\.isASCIIDigit)
        let length = isNumber ? value.reduce(0) { 10 * $0 + Int($1 & 0x0F) } : nil
        guard let length, contentLength == nil || contentLength == length else {
            report(.contentLengthDiffers, saying: "Content-Length \"\(EscapedText.escape(value, limit: 40))\"")
            return
        }
        contentLength = length
    }
}

/// What is wrong with a field section in any version that has pseudo-fields; HTTP/2 and HTTP/3 each have a section and a
/// code for it.
package struct FieldSectionFault: Sendable, Equatable {
    package let kind: Kind
    /// What was received, for the sentence.
    package let detail: String

    /// The names are those of violations of HTTP/2 and HTTP/3.
    package enum Kind: String, Sendable {
        case pseudoFieldMissing = "pseudo-field-missing"
        case pseudoFieldTwice = "pseudo-field-twice"
        case pseudoFieldUnknown = "pseudo-field-unknown"
        case pseudoFieldMisplaced = "pseudo-field-misplaced"
        case pseudoFieldInTrailers = "pseudo-field-in-trailers"
        case badPseudoField = "bad-pseudo-field"
        case protocolNotEnabled = "protocol-not-enabled"
        case connectWithExtraFields = "connect-with-extra-fields"
        case hostDiffersFromAuthority = "host-differs-from-authority"
        case upperCaseName = "upper-case-name"
        case badFieldName = "bad-field-name"
        case badFieldValue = "bad-field-value"
        case connectionSpecificField = "connection-specific-field"
        case badTE = "bad-te"
        /// Content-Length is no number, or several differ.
        case contentLengthDiffers = "content-length-differs"
    }
}

/// How much of one field section is kept.
package struct FieldSectionLimits: Sendable, Equatable {
    /// The sum of ``HeaderField/size``; the receiver's SETTINGS_MAX_HEADER_LIST_SIZE or SETTINGS_MAX_FIELD_SECTION_SIZE.
    package var listByteCount: Int
    package var fieldCount: Int

    package init(listByteCount: Int = 64 << 10, fieldCount: Int = 200) {
        (self.listByteCount, self.fieldCount) = (listByteCount, fieldCount)
    }

    package static let all = FieldSectionLimits(listByteCount: .max, fieldCount: .max)
}

/// The connection-specific fields of HTTP/1.1, which no message of HTTP/2 may have (RFC 9113 §8.2.2).
package enum ConnectionSpecificFields {
    /// In lower case.
    package static let names = ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]

    /// Whether the name is that of such a field, in any letter case.
    package static func contain(_ name: [UInt8]) -> Bool {
        names.contains { name.count == $0.utf8.count && name.lazy.map(\.asciiLowercased).elementsEqual($0.utf8) }
    }
}
