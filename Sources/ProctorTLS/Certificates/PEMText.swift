import ProctorBase

/// The textual form of DER (RFC 7468): base64 in lines of 64 between two labels.
enum PEMText {
    /// With a line end behind the last line.
    static func text(_ label: String, _ der: [UInt8]) -> String {
        var text = "-----BEGIN \(label)-----\n"
        let digits = Base64Text.of(der)
        var rest = Substring(digits)
        while !rest.isEmpty {
            text += rest.prefix(64) + "\n"
            rest = rest.dropFirst(64)
        }
        return text + "-----END \(label)-----\n"
    }

    /// The first block of that label; nil when there is none, or what it holds is no base64.
    static func block(_ label: String, in text: String) -> [UInt8]? {
        guard let start = text.firstRange(of: "-----BEGIN \(label)-----"),
            let end = text[start.upperBound...].firstRange(of: "-----END \(label)-----")
        else { return nil }
        return try? Base64Text.decode(Array(text[start.upperBound..<end.lowerBound].utf8))
    }
}
