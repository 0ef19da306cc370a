import ProctorBase

/// The directives of all Cache-Control fields of a message (RFC 9111 §5.2).
package struct CacheDirectives: Sendable, Equatable {
    /// Arguments without quotes, nil for a directive without one; of several with the same name the first (§4.2.1).
    private var arguments: [String: [UInt8]?] = [:]

    package init(_ fields: [HTTPField]) {
        for element in fields.elements(of: "Cache-Control") {
            var cursor = FieldCursor(Array(element))
            let name = cursor.consume { $0 != UInt8(ascii: "=") && !$0.isBlank }
            cursor.skipBlanks()
            var argument: [UInt8]?
            if cursor.consume(UInt8(ascii: "=")) {
                cursor.skipBlanks()
                argument = cursor.takeQuotedString()?.content ?? Array(cursor.bytes[cursor.index...])
            }
            let key = FieldText.decode(name).lowercased()
            if arguments[key] == nil { arguments[key] = .some(argument) }
        }
    }

    /// `name` is in lower case.
    package func contains(_ name: String) -> Bool { arguments[name] != nil }

    /// `name` is in lower case; nil also for a directive without an argument.
    package func argument(of name: String) -> [UInt8]? { arguments[name] ?? nil }

    /// The argument in seconds; nil if the directive is missing.
    ///
    /// An unreadable or missing argument is 0 (§4.2.1); a value above 2^31 is 2^31 (§1.2.2).
    package func seconds(of name: String) -> Int? {
        guard contains(name) else { return nil }
        return argument(of: name).map(DeltaSeconds.read) ?? 0
    }
}

/// Numbers of seconds in fields (RFC 9111 §1.2.2).
package enum DeltaSeconds {
    package static let greatest = 1 << 31

    /// 0 for text that is no number.
    package static func read(_ text: some Collection<UInt8>) -> Int { value(text) ?? 0 }

    /// nil for text that is no number.
    package static func value(_ text: some Collection<UInt8>) -> Int? { text.saturatedNumber.map { min($0, greatest) } }

    package static func between(_ earlier: Int, _ later: Int) -> Int {
        guard later > earlier else { return 0 }
        let (span, isOver) = later.subtractingReportingOverflow(earlier)
        return isOver ? greatest : min(span, greatest)
    }
}
