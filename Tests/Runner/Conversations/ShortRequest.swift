import Foundation

/// Requests of one line, for blocks with a row a line.
enum ShortRequest {
    /// The bytes of requests with ` & ` between them, with escapes.
    ///
    /// One whose first line is method and target alone is short: it gets `HTTP/1.1`, `Host: a`, its last empty line, and a Content-Length
    /// where content stands behind an empty line and no field frames it. `-` stands for nothing at all.
    static func bytes(_ text: String, line: Int) throws(RowError) -> [UInt8] {
        if text == "-" { return [] }
        var bytes: [UInt8] = []
        for request in text.split(separator: " & ").map(String.init) {
            let written = try ByteText.bytes(inLine: request, line: line)
            bytes += isShort(request) ? whole(written) : written
        }
        return bytes
    }

    private static func isShort(_ request: String) -> Bool {
        let first = (request.range(of: "\\r\\n").map { request[..<$0.lowerBound] } ?? request[...])
        return !first.contains("HTTP/") && first.split(separator: " ").count == 2 && first.first?.isUppercase == true
    }

    private static func whole(_ written: [UInt8]) -> [UInt8] {
        let blank = written.indices.first { written[$0...].starts(with: [13, 10, 13, 10]) }
        let head = Array(written[..<(blank ?? written.endIndex)])
        let content = blank.map { Array(written[($0 + 4)...]) } ?? []
        let end = head.indices.first { head[$0...].starts(with: [13, 10]) } ?? head.endIndex
        let fields = String(decoding: head[end...], as: UTF8.self).lowercased()
        let isFramed = fields.contains("\ncontent-length:") || fields.contains("\ntransfer-encoding:")
        let length = content.isEmpty || isFramed ? "" : "\r\nContent-Length: \(content.count)"
        return head[..<end] + Array(" HTTP/1.1\r\nHost: a".utf8) + head[end...] + Array("\(length)\r\n\r\n".utf8)
            + content
    }
}
