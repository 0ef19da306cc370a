import ProctorBase

/// The whitespace and the parting of cookie fields (RFC 6265 §5.2); WSP is SP and HTAB (RFC 5234 appendix B.1).
extension ArraySlice<UInt8> {
    /// Without WSP at either end.
    var cookieTrimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first.isBlank { slice = slice.dropFirst() }
        while let last = slice.last, last.isBlank { slice = slice.dropLast() }
        return slice
    }

    /// What stands before the first `=`, and what stands behind it; nil behind: there is no `=`.
    var cookieHalves: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
        guard let sign = firstIndex(of: UInt8(ascii: "=")) else { return (self, nil) }
        return (self[startIndex..<sign], self[(sign + 1)...])
    }

    /// The parts between semicolons, at least one.
    var cookieParts: [ArraySlice<UInt8>] {
        split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    }
}

extension Sequence<UInt8> {
    /// `A`–`Z` become `a`–`z`; every other byte stays.
    var cookieLowercased: [UInt8] { map(\.asciiLowercased) }
}

extension Collection<UInt8> {
    /// Compares a word without regard to ASCII letter case; `word` is in lower case.
    func isCookieWord(_ word: StaticString) -> Bool { count == word.utf8CodeUnitCount && hasCookiePrefix(word) }

    /// Whether it begins so without regard to ASCII letter case; `word` is in lower case.
    func hasCookiePrefix(_ word: StaticString) -> Bool {
        cookieLowercased.starts(with: String(describing: word).utf8)
    }

    /// A control character that is no tab (CTL without HTAB).
    var hasCookieControl: Bool { contains { $0.isControl && $0 != .tab } }
}
