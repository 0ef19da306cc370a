internal import ProctorBase
internal import ProctorHTTP

/// An element of Sec-WebSocket-Extensions: offered by a client or accepted by a server (RFC 6455 §9.1).
package struct WebSocketExtension: Sendable, Equatable {
    package var name: String
    /// In their order; one may come twice.
    package var parameters: [Parameter]

    package struct Parameter: Sendable, Equatable {
        package var name: String
        /// Without quotes; nil for a parameter without a value.
        package var value: String?
        /// Bytes from the first byte of the element.
        package var offset: Int

        package init(_ name: String, _ value: String? = nil, at offset: Int = 0) {
            (self.name, self.value, self.offset) = (name, value, offset)
        }

        /// The offset is not compared.
        package static func == (left: Parameter, right: Parameter) -> Bool {
            left.name == right.name && left.value == right.value
        }
    }

    package init(_ name: String, _ parameters: [Parameter] = []) {
        (self.name, self.parameters) = (name, parameters)
    }
}

extension WebSocketExtension {
    /// The elements of a Sec-WebSocket-Extensions; one that can't be read is left out.
    package static func elements(of value: [UInt8]) -> [WebSocketExtension] {
        HTTPField(name: "", bytes: value).elements.compactMap { element in
            var scanner = ExtensionScanner(Array(element))
            return try? scanner.read()
        }
    }
}

extension WebSocketExtension: CustomStringConvertible {
    /// As it stands in the field; a value that is no token stands in quotes.
    package var description: String {
        parameters.reduce(into: name) { text, parameter in
            text += "; \(parameter.name)"
            guard let value = parameter.value else { return }
            let isToken = !value.isEmpty && value.utf8.allSatisfy(\.isTokenByte)
            let escaped = value.replacing(text: "\\", with: "\\\\").replacing(text: "\"", with: "\\\"")
            text += isToken ? "=\(value)" : "=\"\(escaped)\""
        }
    }
}

/// Reads one element of Sec-WebSocket-Extensions, which is not empty and has no blank at its ends.
struct ExtensionScanner {
    private let bytes: [UInt8]
    private var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Offsets of the violation are from the first byte of the element.
    mutating func read() throws(HandshakeViolation) -> WebSocketExtension {
        var result = WebSocketExtension(try token())
        while skipBlanks() {
            try expect(UInt8(ascii: ";"))
            guard skipBlanks() else { throw malformed }
            let start = index
            let name = try token()
            guard skipBlanks(), bytes[index] == UInt8(ascii: "=") else {
                result.parameters.append(.init(name, at: start))
                continue
            }
            index += 1
            guard skipBlanks() else { throw malformed }
            let isQuoted = bytes[index] == UInt8(ascii: "\"")
            result.parameters.append(.init(name, isQuoted ? try quotedString() : try token(), at: start))
        }
        return result
    }

    private var malformed: HandshakeViolation {
        HandshakeViolation(
            .extensionMalformed, at: index, detail: HandshakeText.quote(bytes[min(index, bytes.count)...]))
    }

    /// Whether there is a byte behind the blanks.
    private mutating func skipBlanks() -> Bool {
        while index < bytes.count, bytes[index] == 0x20 || bytes[index] == 0x09 { index += 1 }
        return index < bytes.count
    }

    private mutating func expect(_ byte: UInt8) throws(HandshakeViolation) {
        guard index < bytes.count, bytes[index] == byte else { throw malformed }
        index += 1
    }

    private mutating func token() throws(HandshakeViolation) -> String {
        let start = index
        while index < bytes.count, bytes[index].isTokenByte { index += 1 }
        guard index > start else { throw malformed }
        return String(decoding: bytes[start..<index], as: UTF8.self)
    }

    /// What it says is a token (§9.1).
    private mutating func quotedString() throws(HandshakeViolation) -> String {
        let start = index
        var content: [UInt8] = []
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") { index += 1 }
            guard index < bytes.count else { throw malformed }
            content.append(bytes[index])
            index += 1
        }
        try expect(UInt8(ascii: "\""))
        guard !content.isEmpty, content.allSatisfy(\.isTokenByte) else {
            throw HandshakeViolation(.extensionValueNotToken, at: start, detail: HandshakeText.quote(content))
        }
        return String(decoding: content, as: UTF8.self)
    }
}
