/// Collects legal field lines into a section, written as `Name: value` with CRLF.
package struct FieldSectionWriter: ~Copyable {
    /// The lines so far.
    package private(set) var bytes: [UInt8] = []
    private var entries: [FieldSection.Entry] = []

    package init(lineCount: Int, byteCount: Int) {
        bytes.reserveCapacity(byteCount)
        entries.reserveCapacity(lineCount)
    }

    package mutating func add(_ name: [UInt8], _ value: [UInt8]) { add(name[...], value[...]) }

    package mutating func add(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        let start = beginLine(name)
        bytes.append(contentsOf: value)
        endLine(name.count, start)
    }

    package mutating func addContentLength(_ byteCount: Int) {
        let start = beginLine(Self.contentLength[...])
        ReplyWriter.decimal(byteCount, into: &bytes)
        endLine(Self.contentLength.count, start)
    }

    package consuming func section() -> FieldSection {
        FieldSection(bytes: bytes, unfolded: [], entries: entries)
    }

    private mutating func beginLine(_ name: ArraySlice<UInt8>) -> Int {
        let start = bytes.count
        bytes.append(contentsOf: name)
        bytes.append(UInt8(ascii: ":"))
        bytes.append(.space)
        return start
    }

    private mutating func endLine(_ nameByteCount: Int, _ start: Int) {
        let end = bytes.count
        ReplyWriter.lineEnd(into: &bytes)
        entries.append(
            FieldSection.Entry(
                start: start, nameEnd: start + nameByteCount, value: start + nameByteCount + 2..<end, lineEnd: end))
    }

    private static let contentLength = Array("Content-Length".utf8)
}
