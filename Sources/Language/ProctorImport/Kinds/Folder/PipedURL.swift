import ProctorBase
import ProctorHTTP

/// A URL with pipes that stands in a file of the folder.
struct PipedURL {
    /// The path as it stands there, without scheme and host.
    let path: String
    /// Decoded.
    let pipe: String
    /// The names of the other parameters, each once.
    let others: [String]
    /// The line of the file, from 1.
    let line: Int
    /// For messages.
    let shown: String

    /// Bytes before and behind `pipe=` that may belong to one URL.
    private static let reach = 4_096
    private static let fileByteLimit = 4 << 20
    /// URLs of one file.
    private static let mostURLs = 1_000

    /// Those of a file of text; none in a longer one.
    static func all(in bytes: [UInt8], isMarkup: Bool) -> [PipedURL] {
        guard bytes.count <= fileByteLimit, let first = bytes.firstRange(ofBytes: "pipe=".utf8),
            String(validUTF8: bytes) != nil
        else { return [] }
        var urls: [PipedURL] = []
        var place = first.lowerBound
        var line = 1
        var counted = 0
        while urls.count < mostURLs, let match = bytes[place...].firstRange(ofBytes: "pipe=".utf8) {
            place = match.upperBound
            guard match.lowerBound > 0, "?&;".utf8.contains(bytes[match.lowerBound - 1]) else { continue }
            line += bytes[counted..<match.lowerBound].count { $0 == 0x0A }
            counted = match.lowerBound
            guard let range = range(around: match.lowerBound, in: bytes) else { continue }
            place = max(place, range.upperBound)
            var text = String(decoding: bytes[range], as: UTF8.self)
            if isMarkup { text = text.replacing(text: "&amp;", with: "&") }
            if let url = PipedURL(text.replacing(text: "\\\\", with: "\\"), line: line) { urls.append(url) }
        }
        return urls
    }

    /// The text between quotes, or between white space where it stands in none.
    private static func range(around place: Int, in bytes: [UInt8]) -> Range<Int>? {
        let isEnd: (UInt8) -> Bool = { $0 <= 0x20 || "\"'`<>".utf8.contains($0) }
        var start = place
        while start > 0, place - start < reach, !isEnd(bytes[start - 1]) { start -= 1 }
        let quote = start > 0 && "\"'`".utf8.contains(bytes[start - 1]) ? bytes[start - 1] : nil
        var end = place
        while end < bytes.count, end - place < reach, bytes[end] != 0x0A,
            quote.map({ bytes[end] != $0 }) ?? !isEnd(bytes[end])
        {
            end += 1
        }
        return end - place < reach && place - start < reach ? start..<end : nil
    }

    private init?(_ text: String, line: Int) {
        let url = text.prefix { $0 != "#" }
        guard let mark = url.firstIndex(of: "?") else { return nil }
        var path = String(url[..<mark])
        // Where no quotes stand around it, as in src=data.txt?pipe=gzip.
        if let mark = path.lastIndex(where: { "=(,".contains($0) }) { path = String(path[path.index(after: mark)...]) }
        // A host, also one that is filled in.
        if let scheme = path.firstRange(ofText: "//") {
            path = path[scheme.upperBound...].firstIndex(of: "/").map { String(path[$0...]) } ?? "/"
        }
        guard let form = try? URLEncodedForm(parsing: Array(url[url.index(after: mark)...].utf8)),
            let pipe = form.values(of: "pipe").last.flatMap({ String(validUTF8: $0) })
        else { return nil }
        var names: [String] = []
        for pair in form.pairs {
            guard let name = String(validUTF8: pair.name), name != "pipe", !name.isEmpty, !names.contains(name) else {
                continue
            }
            names.append(name)
        }
        (self.path, self.pipe) = (path, pipe)
        others = names
        self.line = line
        shown = PrintableText.sanitize(String(url), limit: 200)
    }

    /// The file that it leads to: from the file that names it, else from the top, else by the end of its path.
    func file(from namer: String, in files: [String: [UInt8]]) -> String? {
        if path.isEmpty { return namer }
        let decoded = PercentText.decode(path.utf8).map { String(decoding: $0, as: UTF8.self) } ?? path
        let folder = decoded.hasPrefix("/") ? [] : namer.split(separator: "/").dropLast()
        var parts = folder.map { String($0) }
        for part in decoded.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        let whole = parts.joined(separator: "/")
        if files[whole] != nil { return whole }
        let own = decoded.split(separator: "/").filter { $0 != "." && $0 != ".." }.map { String($0) }
        for count in stride(from: own.count, to: 0, by: -1) {
            let end = own.suffix(count).joined(separator: "/")
            if files[end] != nil { return end }
        }
        guard let name = own.last else { return nil }
        let candidates = files.keys.filter { $0.hasSuffix("/\(name)") }
        return candidates.count == 1 ? candidates[0] : nil
    }
}
