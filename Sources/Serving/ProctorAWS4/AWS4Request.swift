internal import ProctorBase
internal import ProctorHTTP
internal import ProctorReplies

/// A request as Signature Version 4 looks at it, and its canonical form.
struct AWS4Request {
    var method: String
    /// As sent.
    let path: [UInt8]
    let query: [Pair]
    /// Names in lower case, in their order.
    private var fields: [(name: String, value: [UInt8])]
    /// nil where it was not kept.
    let content: [UInt8]?
    /// How the path is written in the canonical request.
    var pathForm = PathForm.once
    var queryForm = QueryForm.sorted

    /// A parameter of the query, decoded; a plus stays a plus.
    struct Pair {
        let name: [UInt8]
        let value: [UInt8]
    }

    enum PathForm {
        /// Percent-encoded once, as for S3.
        case once
        /// What was sent is encoded once more, without dot segments, as for all other services.
        case twice
        /// As sent.
        case asSent
        /// Decoded.
        case decoded
    }

    enum QueryForm {
        case sorted
        /// In the order in which it was sent.
        case asSent
        case leftOut
    }

    init(_ request: RequestView) {
        method = String(decoding: request.head.methodBytes, as: UTF8.self)
        let path = request.head.path.map { Array($0) } ?? request.head.target
        self.path = path.isEmpty ? [UInt8(ascii: "/")] : path
        query = (request.head.query ?? []).split(separator: UInt8(ascii: "&")).map { item in
            let mark = item.firstIndex(of: UInt8(ascii: "=")) ?? item.endIndex
            return Pair(name: Self.decoded(item[..<mark]), value: Self.decoded(item[mark...].dropFirst()))
        }
        fields = [HTTPField](request.head.fields).map { ($0.name.lowercased(), $0.bytes) }
        content = request.body
    }

    var isSignedInQuery: Bool {
        query.contains { ["X-Amz-Algorithm", "X-Amz-Signature"].contains(String(decoding: $0.name, as: UTF8.self)) }
    }

    var fieldNames: [String] { fields.map(\.name) }

    /// nil without the field; of several, as one.
    func value(of name: String) -> String? {
        let values = fields.filter { $0.name == name }.map { Self.folded($0.value) }
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    /// Replaces the fields of a name by one.
    mutating func replace(_ name: String, by value: String) {
        fields.removeAll { $0.name == name }
        fields.append((name, Array(value.utf8)))
    }

    func canonical(signed names: [String], payload: String) -> String {
        let lines = names.map { "\($0):\(value(of: $0) ?? "")\n" }.joined()
        return [method, canonicalPath, canonicalQuery, lines, names.joined(separator: ";"), payload].joined(
            separator: "\n")
    }

    private var canonicalPath: String {
        switch pathForm {
        case .once: Self.encoded(Self.decoded(path[...]), keepsSlash: true)
        case .twice: Self.encoded(Self.withoutDots(path), keepsSlash: true)
        case .asSent: String(decoding: path, as: UTF8.self)
        case .decoded: String(decoding: Self.decoded(path[...]), as: UTF8.self)
        }
    }

    private var canonicalQuery: String {
        guard queryForm != .leftOut else { return "" }
        var items = query.filter { !$0.name.elementsEqual("X-Amz-Signature".utf8) }.map {
            (name: Self.encoded($0.name, keepsSlash: false), value: Self.encoded($0.value, keepsSlash: false))
        }
        if queryForm == .sorted { items.sort { ($0.name, $0.value) < ($1.name, $1.value) } }
        return items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    // MARK: Text

    /// Without blanks at its ends, and with one space for each run of blanks.
    private static func folded(_ value: [UInt8]) -> String {
        String(decoding: value, as: UTF8.self).split { $0 == " " || $0 == "\t" }.joined(separator: " ")
    }

    private static func encoded(_ bytes: [UInt8], keepsSlash: Bool) -> String {
        var text = ""
        for byte in bytes {
            let isKept =
                byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
                || keepsSlash && byte == UInt8(ascii: "/")
            text += isKept ? String(UnicodeScalar(byte)) : "%" + byte.hexadecimal(uppercase: true)
        }
        return text
    }

    /// A percent sign without two digits stays.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), bytes.endIndex - index > 2,
                let high = bytes[index + 1].hexadecimalValue,
                let low = bytes[index + 2].hexadecimalValue
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result
    }

    /// Without empty and dot segments; a slash at the end stays.
    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        for segment in path.split(separator: UInt8(ascii: "/")) {
            if segment.elementsEqual("..".utf8) {
                _ = segments.popLast()
            } else if !segment.elementsEqual(".".utf8) {
                segments.append(segment)
            }
        }
        let slash = [UInt8(ascii: "/")]
        let end = path.last == slash[0] && !segments.isEmpty ? slash : []
        return slash + Array(segments.joined(separator: slash)) + end
    }
}
