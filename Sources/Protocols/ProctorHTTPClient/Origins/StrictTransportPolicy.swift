internal import ProctorHTTP

/// What a Strict-Transport-Security field says of the host that sends it (RFC 6797 §6.1).
package struct StrictTransportPolicy: Sendable, Equatable {
    /// How many seconds the host is asked by https alone; 0 ends that (§6.1.1).
    package let maxAge: Int
    /// Whether it holds for the names below the host too (§6.1.2).
    package let includesSubdomains: Bool

    /// nil for a value against the grammar, with a directive twice or without max-age: a client ignores it (§6.1, §8.1).
    package init?(parsing value: [UInt8]) {
        var cursor = FieldCursor(value)
        var directives: [String: [UInt8]] = [:]
        while true {
            cursor.skipBlanks()
            if let name = cursor.takeToken() {
                guard let argument = Self.argument(&cursor) else { return nil }
                let lowered = FieldText.decode(name).lowercased()
                guard directives.updateValue(argument, forKey: lowered) == nil else { return nil }
                cursor.skipBlanks()
            }
            if cursor.isAtEnd { break }
            guard cursor.consume(UInt8(ascii: ";")) else { return nil }
        }
        guard let seconds = directives["max-age"].flatMap({ DeltaSeconds.value($0) }) else { return nil }
        maxAge = seconds
        includesSubdomains = directives["includesubdomains"] != nil
    }

    /// The value behind `=`; empty without one, nil where it is neither a token nor a quoted string.
    private static func argument(_ cursor: inout FieldCursor) -> [UInt8]? {
        cursor.skipBlanks()
        guard cursor.consume(UInt8(ascii: "=")) else { return [] }
        cursor.skipBlanks()
        if let quoted = cursor.takeQuotedString() { return quoted.isTerminated ? quoted.content : nil }
        return cursor.takeToken().map { Array($0) }
    }
}
