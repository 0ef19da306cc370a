import ProctorBase
import ProctorHTTP

/// A file of a folder, with what its sidecars say of its reply.
struct FolderFile {
    let path: String
    let files: [String: [UInt8]]
    /// As messages name it.
    let folder: String

    /// `NAME.sub.headers` has values that the request fills in, and goes before `NAME.headers`.
    private static let sidecars = [".sub.headers", ".headers", ".status"]

    /// The file that a sidecar is about; nil for a file that is none.
    static func owner(of path: String) -> String? {
        sidecars.first { path.hasSuffix($0) && path.utf8.count > $0.utf8.count }.map { String(path.dropLast($0.count)) }
    }

    /// Whether wptserve runs the file in place of sending it.
    static func isHandler(_ path: String, _ bytes: [UInt8]) -> Bool {
        path.hasSuffix(".py") && bytes.firstRange(ofBytes: "def main(".utf8) != nil
    }

    /// How many bytes of the path name the page of its folder; nil: it is no such page.
    static func indexEnd(of path: String) -> Int? {
        path == "index.html" || path.hasSuffix("/index.html") ? "index.html".utf8.count : nil
    }

    /// The path of a URL: bytes that stand for themselves in one (RFC 3986 §3.3), and escapes.
    static func target(of path: String) -> String {
        "/" + PercentEncoding.encode(path, keeping: "!$&'()*+,;=/:@")
    }

    /// Its content, its fields and its status.
    func reply(place: String, _ remarks: inout ImportRemarks) -> FolderReply {
        let name = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        var reply = FolderReply(place: place, content: files[path] ?? [])
        reply.fields = fields(of: name + "__dir__", &remarks) + fields(of: path, &remarks)
        if !reply.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            reply.fields.insert(.init("Content-Type", Array(FolderTypes.type(of: path).utf8)), at: 0)
        }
        if let bytes = files["\(path).status"] {
            let words = String(decoding: bytes, as: UTF8.self).split(maxSplits: 1) {
                $0 == " " || $0 == "\n" || $0 == "\r"
            }
            if let status = words.first.flatMap({ Int($0) }), 200...999 ~= status {
                reply.status = status
                let reason = words.count == 2 ? words[1].prefix { $0 != "\n" && $0 != "\r" && $0 != "\r\n" } : ""
                reply.reason = reason.isEmpty ? nil : String(reason)
            } else {
                remarks.add(
                    at: "\(folder)/\(path).status",
                    "expected a status from 200 to 999, and a reason behind it; 200 is sent")
            }
        }
        return reply
    }

    private func fields(of owner: String, _ remarks: inout ImportRemarks) -> [FolderReply.Field] {
        let late = files["\(owner).sub.headers"]
        guard let bytes = late ?? files["\(owner).headers"] else { return [] }
        let sidecar = owner + (late == nil ? ".headers" : ".sub.headers")
        var fields: [FolderReply.Field] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where !Self.trimmed(line).isEmpty {
            let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
            let field = HTTPField(
                name: String(decoding: Self.trimmed(line[..<colon]), as: UTF8.self),
                bytes: Self.trimmed(line[colon...].dropFirst()))
            guard colon < line.endIndex, field.isSendable else {
                remarks.add(
                    at: "\(folder)/\(sidecar):\(number + 1)",
                    "expected 'Name: value' without control characters; the line is left out")
                continue
            }
            fields.append(.init(field.name, field.bytes, isTemplate: late != nil))
        }
        return fields
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        let rest = bytes.drop(while: isBlank)
        return Array(rest[..<(rest.lastIndex { !isBlank($0) }.map { $0 + 1 } ?? rest.startIndex)])
    }
}

/// The media types that wptserve gives files by their endings: `CFiles/Tables/folder-types.tsv`.
enum FolderTypes {
    static func type(of path: String) -> String { types[ending(of: path)] ?? "application/octet-stream" }

    /// Whether text that is filled in is written with the escapes of HTML.
    static func isMarkup(_ path: String) -> Bool {
        ["html", "htm", "xht", "xhtml", "xml", "svg"].contains(ending(of: path))
    }

    private static func ending(of path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }

    private static let types = TableCells.rows(of: "folder-types").reduce(into: [String: String]()) { types, row in
        for ending in row["endings"].split(separator: " ") { types[String(ending)] = row["type"] }
    }
}
