import ProctorHTTP

/// Writes a label in Unicode as its A-label, for hints.
///
/// Of the mapping before it (RFC 5895) only lower case is done; where more would be needed, there is no A-label.
enum ALabel {
    /// nil for what a mapping beyond lower case would change, and for labels that come out too long.
    static func of(_ label: String) -> String? {
        let lower = label.lowercased()
        let isComposed = lower.unicodeScalars.allSatisfy { scalar in
            // Since IDNA2008 these two stand for themselves (RFC 5894 §7.2).
            if scalar == "ß" || scalar == "ς" { return true }
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .otherLetter, .decimalNumber: return !scalar.properties.changesWhenNFKCCaseFolded
            default: return scalar == "-"
            }
        }
        guard isComposed else { return nil }
        return Punycode.encode(lower).map { "xn--" + String(decoding: $0, as: UTF8.self) }
    }
}
