import ProctorBase

/// Text in regular expressions.
enum RegexText {
    /// An expression that matches the text alone.
    static func escape(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            if "\\^$.|?*+()[]{}".unicodeScalars.contains(scalar) { escaped += "\\" }
            escaped.unicodeScalars.append(scalar)
        }
        return escaped
    }
}

extension String {
    /// The text with another in place of each part between two marks, and of what stands around these parts; an opening
    /// mark without a closing one is no mark.
    func replacingParts(
        between open: String, and close: String, around: (Substring) -> String = { String($0) },
        _ replacement: (String) -> String
    ) -> String {
        var (text, rest) = ("", self[...])
        while let start = rest.firstRange(ofText: open), let end = rest[start.upperBound...].firstRange(ofText: close) {
            text += around(rest[..<start.lowerBound])
            text += replacement(String(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return text + around(rest)
    }
}
