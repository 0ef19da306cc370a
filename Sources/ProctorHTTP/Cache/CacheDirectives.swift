/// The directives of all Cache-Control fields of a message, without their arguments (RFC 9111 §5.2).
struct CacheDirectives {
    private var names: Set<String> = []

    init(_ fields: [HTTPField]) {
        for field in fields.all(named: "Cache-Control") {
            var elements = ListElements()
            while let range = elements.next(in: field.bytes.span) {
                let name = field.bytes[range].prefix { $0 != UInt8(ascii: "=") && !$0.isBlank }
                names.insert(FieldText.decode(name).lowercased())
            }
        }
    }

    /// By a name in lower case.
    func contains(_ name: String) -> Bool { names.contains(name) }
}
