import ProctorBase

extension [UInt8] {
    /// What a child wrote to standard error, within so many bytes: all of it, or its beginning and its end with the line
    /// `…` between them.
    func ends(within limit: Int) -> [UInt8] {
        guard count > limit else { return self }
        let mark = Array("\n…\n".utf8)
        let beginning = limit / 8
        return self[..<beginning] + mark + suffix(Swift.max(0, limit - beginning - mark.count))
    }

    /// The lines of standard error for a person, so many first and so many last ones.
    func lines(first: Int, last: Int, limit: Int) -> [String] {
        let lines = split(separator: 0x0A)
        let isWhole = lines.count <= first + last
        let left = lines.count - first - last
        let shown = isWhole ? lines[...] : lines.prefix(first) + lines.suffix(last)
        var texts = shown.map { EscapedText.escape($0, limit: limit) }
        if !isWhole { texts.insert("… \(Plural.count(left, "line")) …", at: first) }
        return texts
    }
}
