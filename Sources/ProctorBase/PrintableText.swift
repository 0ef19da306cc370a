/// Text from outside in a line for a person.
package enum PrintableText {
    /// What would move the cursor or turn the line around shows as `?`; behind `limit` scalars stands `…`.
    package static func of(_ text: String, limit: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= limit else { return result + "…" }
            let isPrintable =
                switch scalar.properties.generalCategory {
                // A right-to-left override would turn the line around (category Cf).
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
                default: true
                }
            result.unicodeScalars.append(isPrintable ? scalar : "?")
        }
        return result
    }
}
