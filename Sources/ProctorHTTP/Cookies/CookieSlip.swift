import ProctorBase

/// What clients are known to do to values that they should send back as they are.
enum CookieSlip {
    /// Begins with a semicolon; empty where nothing comes to mind.
    static func hint(sent: [UInt8], set: [UInt8]) -> String {
        let quote = [UInt8(ascii: "\"")]
        if set == quote + sent + quote { return "; the quotation marks are part of the value" }
        if sent == quote + set + quote { return "; the quotation marks were not part of the value" }
        if sent.isEmpty { return "; the value is gone" }
        if set.starts(with: sent) { return "; \(set.count - sent.count) bytes are cut off its end" }
        if decoded(set) == sent { return "; percent-encoded bytes are part of the value and are not decoded" }
        if decoded(sent) == set { return "; the value is sent as it was set, without encoding" }
        if sent.cookieLowercased == set.cookieLowercased { return "; the letter case is part of the value" }
        return ""
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] { PercentText.decode(text) ?? text }
}
