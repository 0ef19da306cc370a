/// What Content-Type says (RFC 9110 §8.3.1).
public struct MediaType: Sendable, Equatable {
    /// In lower case: `text`.
    public let type: String
    /// In lower case: `html`.
    public let subtype: String
    /// Names in lower case; the first of a name counts.
    public let parameters: [(name: String, value: [UInt8])]

    /// Nil unless a type, a slash and a subtype stand first; parameters that can't be read are passed over.
    public init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        cursor.skipBlanks()
        guard let type = cursor.takeToken(), cursor.take(UInt8(ascii: "/")), let subtype = cursor.takeToken() else {
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

    /// Of the first Content-Type field, since one is all that may be there.
    public init?(of fields: [HTTPField]) {
        guard let field = fields.first(named: "Content-Type") else { return nil }
        self.init(field.bytes)
    }

    /// Without parameters: `text/html`.
    public var essence: String { "\(type)/\(subtype)" }

    /// The value of the first parameter of a name, which is in lower case.
    public subscript(name: String) -> [UInt8]? { parameters.first { $0.name == name }?.value }

    /// The name of the text's encoding in lower case, for which case means nothing (§8.3.2).
    public var charset: String? { self["charset"].map { FieldText.decode($0).lowercased() } }

    /// What parts a multipart body (RFC 2046 §5.1.1), in its own case.
    public var boundary: [UInt8]? { self["boundary"] }

    /// Each part replaces the one before, as cameras send them.
    public var isMixedReplace: Bool { essence == "multipart/x-mixed-replace" }

    /// Equal by type and all parameters, in order.
    public static func == (left: MediaType, right: MediaType) -> Bool {
        left.essence == right.essence && left.parameters.elementsEqual(right.parameters) { $0 == $1 }
    }
}
