/// A constant part of a JSON text, encoded once: a comma, a key and its colon, and perhaps a value.
///
/// The bytes are padded, so that they are copied 16 at a time without a function call.
@usableFromInline package struct JSONPiece: Sendable {
    @usableFromInline let padded: [UInt8]
    @usableFromInline let count: Int

    /// The bytes of JSON as they are.
    package init(_ bytes: [UInt8]) {
        count = bytes.count
        padded = bytes + [UInt8](repeating: 0, count: (16 - bytes.count % 16) % 16)
    }

    /// Members that follow other members: a comma comes before each.
    package init(members write: (inout JSONText) -> Void) {
        var json = JSONText()
        json.needsComma = true
        write(&json)
        self.init(json.bytes)
    }

    /// Members and the key that follows them.
    package init(_ members: JSONPiece, key: StaticString) {
        self.init(Array(members.padded[..<members.count]) + Array(",\"\(key)\":".utf8))
    }

    /// `,"key":`; a key is a constant that needs no escape.
    package init(key: StaticString) { self.init(Array(",\"\(key)\":".utf8)) }
}
