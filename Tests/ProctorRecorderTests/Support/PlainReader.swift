import Foundation

/// Takes requests off a blocking socket, one after the other.
struct PlainReader {
    private let connection: Int32
    private var buffer: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    /// nil at the end, and for what is no request.
    mutating func readRequest() -> PlainServer.Request? {
        guard let head = read(upTo: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        if headers["expect"] == "100-continue" {
            let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            _ = unsafe send(connection, interim, interim.count, 0)
        }
        guard let body = readBody(headers) else { return nil }
        return PlainServer.Request(
            method: words[0], target: words[1], headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    private mutating func readBody(_ headers: [String: String]) -> [UInt8]? {
        if headers["transfer-encoding"] == "chunked" {
            var body: [UInt8] = []
            while let line = read(upTo: Array("\r\n".utf8)) {
                guard let size = Int(String(decoding: line, as: UTF8.self), radix: 16) else { return nil }
                guard let chunk = read(count: size + 2) else { return nil }
                if size == 0 { return body }
                body += chunk.dropLast(2)
            }
            return nil
        }
        return read(count: Int(headers["content-length"] ?? "0") ?? 0)
    }

    private mutating func read(upTo mark: [UInt8]) -> [UInt8]? {
        var searched = 0
        while true {
            while searched + mark.count <= buffer.count {
                if buffer[searched..<(searched + mark.count)].elementsEqual(mark) {
                    let head = Array(buffer[..<searched])
                    buffer.removeFirst(searched + mark.count)
                    return head
                }
                searched += 1
            }
            guard fill() else { return nil }
        }
    }

    private mutating func read(count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard fill() else { return nil }
        }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    private mutating func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(connection, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }
}
