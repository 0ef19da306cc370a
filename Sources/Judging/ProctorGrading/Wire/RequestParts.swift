import ProctorBase
import ProctorEvents
import ProctorHTTP

/// The parts of a request's name in expressions: `GET /a?b`.
struct RequestParts {
    private let method: Substring
    /// `http://host`; empty for a target in origin-form.
    private let authority: Substring
    private let path: Substring
    private let query: Substring?

    /// nil when there is no space between method and target.
    init?(_ text: String) {
        guard let space = text.firstIndex(of: " ") else { return nil }
        method = text[..<space]
        var target = text[text.index(after: space)...]
        if target.first != "/", let mark = target.firstRange(ofText: "://") {
            let end = target[mark.upperBound...].firstIndex { $0 == "/" || $0 == "?" } ?? target.endIndex
            authority = target[..<end]
            target = target[end...]
        } else {
            authority = ""
        }
        let mark = target.firstIndex(of: "?")
        path = target[..<(mark ?? target.endIndex)]
        query = mark.map { target[$0...] }
    }

    /// The names of the parts that differ; empty when all are equal.
    func differences(from wanted: RequestParts) -> [String] {
        var names: [String] = []
        if method != wanted.method { names.append("method") }
        if authority.isEmpty != wanted.authority.isEmpty {
            names.append("form of target")
        } else if authority != wanted.authority {
            names.append("authority")
        }
        if path != wanted.path { names.append("path") }
        if query != wanted.query { names.append("query") }
        return names
    }

    /// How one request differs from another, without the texts of both, which differ from case to case.
    struct Difference: Sendable, Equatable {
        /// `another path`, or `another request` where several parts differ.
        let name: String
        /// `GET for POST`, `dot segments`; nil where nothing more general can be said.
        let detail: String?
    }

    func difference(from wanted: RequestParts) -> Difference {
        let parts = differences(from: wanted)
        guard parts.count == 1 else { return Difference(name: "another request", detail: nil) }
        let detail: String? =
            switch parts[0] {
            case "method": "\(method) for \(wanted.method)"
            case "path": Self.pathDetail(String(path), String(wanted.path))
            default: nil
            }
        return Difference(name: "another \(parts[0])", detail: detail)
    }

    /// `GET for POST`.
    static func exchanged(_ got: [UInt8], for wanted: [UInt8]) -> String {
        let texts = [got, wanted].map { EventText.printable(String(decoding: $0, as: UTF8.self), limit: 40) }
        return "\(texts[0]) for \(texts[1])"
    }

    /// The step of normalisation that makes one path the other (RFC 3986 §6.2.2, §5.2.4); nil where none does it.
    private static func pathDetail(_ came: String, _ wanted: String) -> String? {
        guard let cameBytes = PercentText.decode(came.utf8), let wantedBytes = PercentText.decode(wanted.utf8) else {
            return nil
        }
        if cameBytes == wantedBytes { return "escapes" }
        if came.lowercased() == wanted.lowercased() { return "capitals" }
        if came + "/" == wanted || came == wanted + "/" { return "a slash at the end" }
        if cameBytes.starts(with: wantedBytes), cameBytes.dropFirst(wantedBytes.count).first == UInt8(ascii: "#") {
            return "the fragment"
        }
        let dots: Set<Substring> = [".", ".."]
        let hasDots = [came, wanted].map { !dots.isDisjoint(with: $0.split(separator: "/")) }
        return hasDots[0] != hasDots[1] ? "dot segments" : nil
    }
}
