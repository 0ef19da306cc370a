internal import ProctorBase

/// Formats the peer's bytes and numbers for findings and timelines.
package enum WireText {
    /// UTF-8 without control characters stays as it is; other bytes are escaped as `\xHH`.
    package static func escaped(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        guard bytes.count <= limit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return EscapedText.escape(bytes, limit: limit) }
        return text
    }

    package static func quoted(_ bytes: some Collection<UInt8>, limit: Int = 200) -> String {
        QuotedText.quote(escaped(bytes, limit: limit))
    }

    /// A whole number without `.0`, another with three decimals.
    package static func number(_ value: Double) -> String {
        if let whole = Int(exactly: value) { return String(whole) }
        guard value.magnitude < 1e12 else { return "\(value)" }
        let count = Int((value * 1000).rounded())
        return (count < 0 ? "-" : "") + thousandths(UInt64(count.magnitude))
    }

    /// `12.345` for 12,345.
    package static func thousandths(_ count: UInt64) -> String {
        let fraction = String(count % 1000)
        return "\(count / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
