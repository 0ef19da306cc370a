/// The value of Content-Type (RFC 9110 §8.3.1).
package struct MediaType: Sendable, Equatable {
    /// In lower case: `text`.
    package let type: String
    /// In lower case: `html`.
    package let subtype: String
    /// Names in lower case; of several with the same name only the first.
    package let parameters: [(name: String, value: [UInt8])]

    /// Nil unless it begins with a type, a slash and a subtype; malformed parameters are skipped.
    package init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        cursor.skipBlanks()
        guard let type = cursor.takeToken(), cursor.consume(UInt8(ascii: "/")), let subtype = cursor.takeToken() else {
            return nil
        }
        cursor.skipBlanks()
        guard cursor.isAtEnd || cursor.current == UInt8(ascii: ";") || cursor.current == UInt8(ascii: ",") else {
            return nil
        }
        self.type = FieldText.decode(type).lowercased()
        self.subtype = FieldText.decode(subtype).lowercased()
        self.parameters = FieldParameters(&cursor).values
    }

    /// Reads the first Content-Type field.
    package init?(of fields: [HTTPField]) {
        guard let field = fields.first(named: "Content-Type") else { return nil }
        self.init(field.bytes)
    }

    /// The type without parameters: `text/html`.
    package var essence: String { "\(type)/\(subtype)" }

    /// `name` is in lower case; of several parameters with that name the first.
    package subscript(name: String) -> [UInt8]? { parameters.first { $0.name == name }?.value }

    /// In lower case, since it is case-insensitive (§8.3.2).
    package var charset: String? { self["charset"].map { FieldText.decode($0).lowercased() } }

    /// The boundary of multipart content (RFC 2046 §5.1.1), in its own letter case.
    package var boundary: [UInt8]? { self["boundary"] }

    /// Whether each part replaces the one before, as in the streams of cameras.
    package var isMixedReplace: Bool { essence == "multipart/x-mixed-replace" }

    /// Compares type and all parameters in order.
    package static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence == right.essence && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }
}
