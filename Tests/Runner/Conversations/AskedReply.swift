import Foundation
import ProctorTestWire

/// A reply that came whole, read by a few lines of the tests' own.
struct AskedReply: Sendable {
    /// Heads of interim replies and of the last one.
    private(set) var heads: [String] = []
    private(set) var content: [UInt8] = []
    /// How the connection ended; nil where it was not read to its end.
    private(set) var ending: Wire.Ending?

    var head: String { heads.last ?? "" }
    var status: String { Self.status(of: head) }
    /// Interim ones first.
    var statuses: String { heads.map(Self.status).joined(separator: " ") }
    var lines: [String] { head.components(separatedBy: "\r\n").dropFirst().filter { !$0.isEmpty } }
    var text: String { String(decoding: content, as: UTF8.self) }

    private static func status(of head: String) -> String {
        head.split(separator: " ").dropFirst().first.map(String.init) ?? "nothing"
    }

    func values(_ name: String) -> [String] {
        lines.filter { $0.lowercased().hasPrefix(name.lowercased() + ":") }
            .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
    }

    /// Reads a head and, behind an interim one, the next.
    mutating func readHead(_ wire: Wire) throws {
        let text = try wire.readHead()
        heads.append(text)
        if text.isEmpty { ending = .closed }
    }

    var isInterim: Bool { status.hasPrefix("1") && status != "101" }

    /// Reads the content by its length or its chunks, or up to the end of the connection.
    mutating func readContent(_ wire: Wire, method: String, toEnd: Bool) throws {
        let hasNone =
            method == "HEAD" || status == "304" || status == "204" || status.hasPrefix("1")
            || (method == "CONNECT" && status == "200")
        if hasNone {
            // Nothing is to be read.
        } else if let length = values("Content-Length").first.flatMap({ Int($0) }) {
            content = try wire.read(length)
        } else if values("Transfer-Encoding").contains("chunked") {
            try readChunks(wire)
        } else {
            return try readRest(wire)
        }
        if toEnd || values("Connection").contains("close") { try readRest(wire) }
    }

    private mutating func readRest(_ wire: Wire) throws {
        let rest = try wire.readToEnd()
        content += rest.bytes
        ending = rest.ending
    }

    private mutating func readChunks(_ wire: Wire) throws {
        while true {
            let line = try Self.line(wire)
            guard let count = Int(line, radix: 16), count > 0 else { break }
            content += try wire.read(count)
            _ = try Self.line(wire)
        }
        while try !Self.line(wire).isEmpty {}
    }

    private static func line(_ wire: Wire) throws -> String {
        var bytes: [UInt8] = []
        while !bytes.suffix(2).elementsEqual([0x0D, 0x0A]) {
            let byte = try wire.read(1)
            if byte.isEmpty { return "" }
            bytes += byte
        }
        return String(decoding: bytes.dropLast(2), as: UTF8.self)
    }

    // MARK: JSON

    private var json: Any? {
        guard values("Content-Type").contains("application/json") else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(content), options: .fragmentsAllowed)
    }

    /// `unknown-run: there is no run …` of an answer that is a typed error and nothing else.
    var error: String? {
        guard let all = json as? [String: Any], all.count == 1, let error = all["error"] as? [String: String],
            error.count == 2, let code = error["code"], let message = error["message"]
        else { return nil }
        return "\(code): \(message)"
    }

    /// The member at a path such as `runs.0.base`; `runs.*.base` is one of each element, `runs.#` their number, and a member that
    /// is not there is `none`.
    func pick(_ path: String) -> String {
        let value: Any?
        if values("Content-Type").contains("application/x-ndjson") {
            value = text.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8), options: .fragmentsAllowed)
            }
        } else {
            value = json
        }
        guard let found = Self.find(path.split(separator: ".").map(String.init)[...], in: value) else { return "none" }
        return Self.text(found)
    }

    private static func find(_ path: ArraySlice<String>, in value: Any?) -> Any? {
        guard let name = path.first else { return value }
        let rest = path.dropFirst()
        if let list = value as? [Any] {
            if name == "#" { return list.count }
            if name == "*" { return list.map { find(rest, in: $0) ?? NSNull() } }
            if name == "last" { return find(rest, in: list.last) }
            if let (key, wanted) = condition(name) {
                return list.filter { element in
                    (element as? [String: Any])?[key].map { text($0).trimmingCharacters(in: ["\""]) == wanted } ?? false
                }.map { find(rest, in: $0) ?? NSNull() }
            }
            return Int(name).flatMap { list.indices.contains($0) ? find(rest, in: list[$0]) : nil }
        }
        guard let members = value as? [String: Any] else { return nil }
        if name == "#" { return members.keys.sorted() }
        // A name may have dots.
        for count in 1...path.count {
            if let member = members[path.prefix(count).joined(separator: ".")] {
                return find(path.dropFirst(count), in: member)
            }
        }
        return nil
    }

    /// `ev=replySent`: the elements whose member has that value.
    private static func condition(_ name: String) -> (key: String, value: String)? {
        let (key, value) = name.cut(at: "=")
        return value.map { (key, $0) }
    }

    static func text(_ value: Any) -> String {
        let data = try? JSONSerialization.data(
            withJSONObject: value, options: [.fragmentsAllowed, .sortedKeys, .withoutEscapingSlashes])
        return data.map { String(decoding: $0, as: UTF8.self) } ?? "\(value)"
    }
}
