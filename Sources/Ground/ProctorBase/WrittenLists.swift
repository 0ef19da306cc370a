extension [String] {
    /// The raw values as `` `a`, `b` or `c` ``.
    package var alternatives: String {
        let words = map { "`\($0)`" }
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}

extension Int {
    /// The number in decimal, with a comma before every third digit from the right: `65,536`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }
}
