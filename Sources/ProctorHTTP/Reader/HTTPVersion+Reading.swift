import ProctorBase

extension HTTPVersion {
    /// Reads `HTTP/1.1` and its like; the name is case-sensitive.
    ///
    /// Other letter cases are noted and read: they cannot mean anything else. What is no version, and is to be read over,
    /// counts as HTTP/1.1.
    init(_ head: Span<UInt8>, _ word: Range<Int>, findings: inout Findings) throws(Violation) {
        let start = word.lowerBound
        guard word.count == 8, head.extracting(start..<start + 5).equalsIgnoringCase("http/"),
            head[start + 5].isASCIIDigit, head[start + 6] == UInt8(ascii: "."), head[start + 7].isASCIIDigit
        else {
            try findings.judge(.badVersion, at: start, head.excerpt(word))
            self = .http11
            return
        }
        if !head.extracting(start..<start + 5).equals("HTTP/") {
            findings.note(.versionCase, at: start, head.excerpt(word))
        }
        self.init(major: Int(head[start + 5] & 0x0F), minor: Int(head[start + 7] & 0x0F))
    }
}
