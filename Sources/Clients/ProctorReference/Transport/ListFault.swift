internal import ProctorBase

/// A deliberate fault with lists in the fields of a reply (RFC 9110 §5.6.1), by the label of its breakage.
package enum ListFault: String, Sendable, CaseIterable {
    case unread = "lists-are-not-read"
    case byPartsOfWords = "lists-by-parts-of-words"

    /// The head as the faulty client reads it: without the lists, or with those that it believes to see.
    ///
    /// `bytes` begin with a head, and may go on with content; a head that is not whole stays as it is.
    func misread(_ bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return bytes }
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line) }
        let status = lines.removeFirst()
        let read = [status] + lines.compactMap(misreadLine)
        return Array(read.joined(separator: Array("\r\n".utf8))) + bytes[end...]
    }

    private func misreadLine(_ line: [UInt8]) -> [UInt8]? {
        let text = String(decoding: line.map(\.asciiLowercased), as: UTF8.self)
        let name = text.prefix { $0 != ":" }
        switch self {
        case .unread:
            return ["connection", "transfer-encoding", "content-encoding", "vary"].contains(name) ? nil : line
        case .byPartsOfWords:
            if text.contains(text: "close") { return Array("Connection: close".utf8) }
            if name == "www-authenticate", text.contains(text: "basic") {
                return Array("WWW-Authenticate: Basic realm=\"found\"".utf8)
            }
            return text.contains(text: "chunked") ? Array("Transfer-Encoding: chunked".utf8) : line
        }
    }
}
