/// A name and what it stands for, in a challenge, a credential or Authentication-Info (RFC 9110 §11.2).
public struct AuthenticationParameter: Sendable {
    /// As it was written; names are compared without regard to ASCII case.
    public var name: String
    /// Without quotes and their escapes; any bytes.
    public var bytes: [UInt8]
    /// Whether it was, or is to be, written as a quoted string; what is no token is always written so.
    public var isQuoted: Bool
    /// Of the name, in bytes from the start of the field's value; 0 for one that was not read.
    public var offset: Int

    /// The parts as they are.
    public init(name: String, bytes: [UInt8], isQuoted: Bool = true, offset: Int = 0) {
        self.name = name
        self.bytes = bytes
        self.isQuoted = isQuoted
        self.offset = offset
    }

    /// UTF-8 or, where it is none, Latin-1.
    public var value: String { FieldText.decode(bytes) }

    /// Whether it has this name, ASCII case aside.
    public func isNamed(_ other: String) -> Bool {
        AuthenticationScanner.isSame(name, other)
    }

    /// Text between quotation marks (RFC 9110 §5.6.4).
    ///
    /// Controls but the tab, which no quoted string can hold, become spaces (§5.5).
    public static func appendQuoted(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in bytes {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
            output.append(byte.isControl && byte != .tab ? .space : byte)
        }
        output.append(UInt8(ascii: "\""))
    }

    /// Appends name, equals sign and value.
    func append(to output: inout [UInt8]) {
        output += name.utf8
        output.append(UInt8(ascii: "="))
        if !isQuoted, !bytes.isEmpty, bytes.allSatisfy(\.isTokenByte) {
            output += bytes
            return
        }
        Self.appendQuoted(bytes, to: &output)
    }
}

extension AuthenticationParameter: Equatable {
    /// The place in the field is no part of what a parameter says.
    public static func == (one: Self, other: Self) -> Bool {
        one.name == other.name && one.bytes == other.bytes && one.isQuoted == other.isQuoted
    }
}

extension [AuthenticationParameter] {
    /// The first of a name, ASCII case aside.
    func first(named name: String) -> AuthenticationParameter? { first { $0.isNamed(name) } }

    /// Appends all, parted by commas.
    func append(to output: inout [UInt8]) {
        for (number, parameter) in enumerated() {
            if number > 0 { output += ", ".utf8 }
            parameter.append(to: &output)
        }
    }
}
