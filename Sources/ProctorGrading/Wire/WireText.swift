import ProctorBase

/// Bytes of the peer and numbers, as findings and timelines show them.
enum WireText {
    /// UTF-8 without control characters as it is, else escaped as `\xHH`.
    static func of(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        guard bytes.count <= limit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return EscapedText.of(bytes, limit: limit) }
        return text
    }

    /// In quotes, as ``QuotedText`` chooses them.
    static func quoted(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        QuotedText.of(of(bytes, limit: limit))
    }

    /// Without `.0` where it is whole, with three decimals else.
    static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        guard value.magnitude < 1e12 else { return "\(value)" }
        let thousandths = Int((value * 1000).rounded())
        let fraction = String(thousandths.magnitude % 1000)
        let sign = thousandths < 0 ? "-" : ""
        return "\(sign)\(thousandths.magnitude / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }

    /// `1 request`, `2 requests`.
    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
