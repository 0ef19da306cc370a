import ProctorBase

/// One field of a message as a client holds it: a name, and a value that keeps every byte (RFC 9110 §5).
public struct HTTPField: Sendable, Hashable {
    /// In the case in which it is sent; comparisons ignore ASCII case.
    public var name: String
    /// As on the wire, whatever its encoding (RFC 9110 §5.5 allows bytes from 0x80 on without a meaning).
    public var bytes: [UInt8]

    /// A value that is sent as UTF-8.
    public init(_ name: String, _ value: String) {
        self.init(name: name, bytes: Array(value.utf8))
    }

    /// A value of any bytes.
    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }

    /// A copy of a line that was read; its value has no whitespace at either end.
    public init(_ line: FieldLine) {
        self.init(name: FieldText.decode(line.name), bytes: Array(line.value))
    }

    /// The bytes read as UTF-8 or, where they are none, as Latin-1; setting it writes UTF-8.
    public var value: String {
        get { FieldText.decode(bytes) }
        set { bytes = Array(newValue.utf8) }
    }

    /// Whether the name is a token and the value has no control but HTAB, so that it is one line and stays one.
    ///
    /// What a caller hands in with a CR, LF or NUL would become other fields or another message (RFC 9110 §5.5).
    public var isSendable: Bool {
        guard name.utf8.isToken else { return false }
        for byte in bytes where byte.isControl && byte != .tab { return false }
        return true
    }

    /// Whether this is the field of that name, ASCII case aside (RFC 9110 §5.1).
    public func isNamed(_ other: String) -> Bool {
        name.utf8.count == other.utf8.count
            && zip(name.utf8, other.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
