/// What a request line and a status line have in common: words parted by blanks, before a line end.
enum StartLine {
    /// Before the line end; a bare LF is noted, a bare CR refused.
    static func endOfContent(
        _ head: Span<UInt8>, end: Int, findings: inout Findings
    ) throws(Violation) -> Int {
        let hasCR = end >= 2 && head[end - 2] == .carriageReturn
        let lineEnd = hasCR ? end - 2 : end - 1
        if let bare = (0..<lineEnd).first(where: { head[$0] == .carriageReturn }) {
            try findings.judge(.bareCR, at: bare, head.excerpt(0..<lineEnd))
        }
        if !hasCR { findings.note(.bareLF, at: lineEnd, head.excerpt(0..<lineEnd)) }
        return lineEnd
    }

    /// Behind the whitespace at `index`, which is noted as `kind` when it is anything but one SP.
    static func separator(
        _ head: Span<UInt8>, _ index: Int, _ lineEnd: Int, _ kind: Violation.Kind, _ findings: inout Findings
    ) -> Int {
        var end = index
        skipBlanks(head, &end, lineEnd)
        // At the end of the line it is trailing whitespace, which is noted there.
        if end < lineEnd, end - index != 1 || head[index] != .space {
            findings.note(kind, at: index, head.excerpt(index..<end))
        }
        return end
    }

    static func skipBlanks(_ head: Span<UInt8>, _ index: inout Int, _ end: Int) {
        while index < end, head[index].isStartLineBlank { index += 1 }
    }

    static func endOfWord(_ head: Span<UInt8>, _ start: Int, _ lineEnd: Int) -> Int {
        var index = start
        while index < lineEnd, !head[index].isStartLineBlank { index += 1 }
        return index
    }
}
