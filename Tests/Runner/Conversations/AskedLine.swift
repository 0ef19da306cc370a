import Foundation
import ProctorTestSupport

/// One line of a block `ask` or `call`: `GET /a | Authorization: Basic x | body text => 401 | WWW-Authenticate: …`.
struct AskedLine {
    /// `GET /a`, and a version where it is not HTTP/1.1.
    private(set) var request: String
    private(set) var fields: [String] = []
    private(set) var content: [UInt8]?
    /// Sent in one chunk.
    private(set) var isChunked = false
    /// What answers a challenge, in words.
    private(set) var digest: [String]?
    private(set) var ntlm: [String]?
    private(set) var isForProxy = false
    /// Members of a JSON answer to show in place of all.
    private(set) var picks: [String] = []
    private(set) var shows: [String] = []
    private(set) var connection: String?
    /// Of which the last is told.
    private(set) var times = 1

    init(_ text: String, line: Int) throws(RowError) {
        let items = text.components(separatedBy: " | ")
        request = items[0]
        for item in items.dropFirst() {
            let (word, rest) = item.cut(at: " ")
            switch word {
            case "body": content = try ByteText.bytes(inLine: rest ?? "", line: line)
            case "chunked": (content, isChunked) = (try ByteText.bytes(inLine: rest ?? "", line: line), true)
            case "digest": digest = Self.words(rest)
            case "proxy-digest": (digest, isForProxy) = (Self.words(rest), true)
            case "ntlm": ntlm = Self.words(rest)
            case "proxy-ntlm": (ntlm, isForProxy) = (Self.words(rest), true)
            case "pick": picks = rest?.split(separator: ",").map(String.init) ?? []
            case "show": shows = rest?.split(separator: ",").map(String.init) ?? []
            case "on": connection = rest
            case "times": times = rest.flatMap { Int($0) } ?? 1
            case _ where item.hasPrefix("{") || item.hasPrefix("["):
                content = try ByteText.bytes(inLine: item, line: line)
            case _ where item.contains(":"): fields.append(item)
            default:
                throw RowError(
                    line,
                    "\"\(item)\" is no part of a request; parts are Name: value, body TEXT, {JSON}, chunked TEXT, digest …, "
                        + "ntlm USER PASSWORD, pick A,B, show A,B, on N")
            }
        }
    }

    private static func words(_ text: String?) -> [String] {
        (text ?? "").split(separator: " ").map(String.init)
    }

    /// Where `GET http://127.0.0.1:1234/a` goes to, which becomes `GET /a`; nil where the target is a path.
    mutating func takePlace() -> String? {
        guard target.hasPrefix("http://127."), let slash = target.dropFirst(7).firstIndex(of: "/") else { return nil }
        let place = String(target[..<slash])
        request = request.replacing(place, with: "", maxReplacements: 1)
        return place
    }

    var method: String { String(request.prefix { $0 != " " }) }
    var target: String { request.split(separator: " ").dropFirst().first.map(String.init) ?? "" }

    func has(_ name: String) -> Bool { fields.contains { $0.lowercased().hasPrefix(name.lowercased() + ":") } }

    /// Whether the content waits for an interim reply.
    var expectsContinue: Bool { has("Expect") }

    /// The head as it is sent; a field with the value `-` keeps one of its name from being added.
    func head(prefix: String, host: String, more: [String], line: Int) throws(RowError) -> [UInt8] {
        var words = request.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        if words.count > 1 { words[1] = prefix + words[1] }
        if words.count < 3 { words.append("HTTP/1.1") }
        var lines = [words.joined(separator: " ")]
        if !has("Host") { lines.append("Host: \(host)") }
        if let content, !has("Content-Length"), !has("Transfer-Encoding") {
            lines.append(isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(content.count)")
        }
        lines += more + fields.filter { !$0.hasSuffix(": -") }
        var bytes: [UInt8] = []
        for text in lines { bytes += try ByteText.bytes(inLine: text, line: line) + [0x0D, 0x0A] }
        return bytes + [0x0D, 0x0A]
    }

    var framedContent: [UInt8] {
        guard let content else { return [] }
        guard isChunked else { return content }
        let size =
            content.isEmpty ? [] : Array("\(String(content.count, radix: 16))\r\n".utf8) + content + [0x0D, 0x0A]
        return size + Array("0\r\n\r\n".utf8)
    }
}
