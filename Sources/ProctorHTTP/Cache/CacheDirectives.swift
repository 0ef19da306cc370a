import ProctorBase

/// The directives of all Cache-Control fields of a message (RFC 9111 §5.2).
public struct CacheDirectives: Sendable, Equatable {
    /// Arguments without quotes, nil where there is none; the first of a name counts (§4.2.1).
    private var arguments: [String: [UInt8]?] = [:]

    /// Reads the fields of a request or of a reply; what is no directive is passed over.
    public init(_ fields: [HTTPField]) {
        for element in fields.elements(of: "Cache-Control") {
            var cursor = FieldCursor(Array(element))
            let name = cursor.take { $0 != UInt8(ascii: "=") && !$0.isBlank }
            cursor.skipBlanks()
            var argument: [UInt8]?
            if cursor.take(UInt8(ascii: "=")) {
                cursor.skipBlanks()
                argument = cursor.takeQuotedString()?.content ?? Array(cursor.bytes[cursor.index...])
            }
            let key = FieldText.decode(name).lowercased()
            if arguments[key] == nil { arguments[key] = .some(argument) }
        }
    }

    /// By a name in lower case.
    public func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// By a name in lower case; nil also where the directive stands without an argument.
    public func argument(of name: String) -> [UInt8]? { arguments[name] ?? nil }

    /// An argument that is a number of seconds; nil where the directive is missing.
    ///
    /// What is no such number, or is missing behind the name, is 0, since freshness nobody can read had better be none
    /// (§4.2.1). More than 2^31 is 2^31 (§1.2.2).
    public func seconds(of name: String) -> Int? {
        guard contains(name) else { return nil }
        return argument(of: name).map(DeltaSeconds.read) ?? 0
    }
}

/// Numbers of seconds in fields of caches (RFC 9111 §1.2.2).
enum DeltaSeconds {
    /// What a number that is too large counts for.
    static let greatest = 1 << 31

    /// 0 for what is no number.
    static func read(_ text: some Collection<UInt8>) -> Int { min(text.saturatedNumber ?? 0, greatest) }

    /// How much later one moment is, 0 where it is not later, and at most `greatest`.
    static func between(_ earlier: Int, _ later: Int) -> Int {
        guard later > earlier else { return 0 }
        let (span, isOver) = later.subtractingReportingOverflow(earlier)
        return isOver ? greatest : min(span, greatest)
    }
}
