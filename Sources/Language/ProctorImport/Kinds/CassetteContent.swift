import ProctorBase
import ProctorHTTP

/// The content of a request or a response in a cassette.
///
/// It stands as text, under `string` with or without its encoding, as base64, or as the values that were sent
/// (`parsed_body`, and what clients of aiohttp gave as `json` or `data`).
struct CassetteContent {
    /// Nil where there is none.
    private(set) var bytes: [UInt8]?
    /// The values as a form, where the cassette has values that may have been sent so.
    private(set) var form: [UInt8]?
    /// Whether ``bytes`` are made of values.
    private(set) var isJSON = false

    private static let wrappers: Set<String> = ["string", "base64_string", "encoding", "file"]

    init(
        _ message: SourceValue, _ fields: [HTTPField], _ remarks: inout ImportRemarks
    ) throws(CassetteReader.Skipped) {
        let given = [message["body"], message["content"], message["request_body"], message["parsed_body"]]
        guard let value = given.lazy.compactMap({ $0 }).first(where: { !$0.isNull }) else { return }
        if message["binary"]?.boolean == true {
            bytes = try Self.binaryTerm(value)
            return
        }
        guard value.members != nil || value.items != nil else {
            readText(value, encoding: nil, fields, &remarks)
            return
        }
        if let stream = Self.streamBytes(value) {
            bytes = stream
            return
        }
        guard let members = value.members, !members.contains(where: { !Self.wrappers.contains($0.name) }) else {
            readValues(value, fields)
            return
        }
        if value["file"]?.boolean == true || value["file"]?.text == "yes" {
            throw CassetteReader.Skipped(reason: "has its content in a file beside the cassette, which is not read")
        }
        if let text = value["base64_string"]?.text, !text.isEmpty {
            guard let decoded = try? Base64Text.decode(text.utf8.filter { $0 > 0x20 }) else {
                throw CassetteReader.Skipped(reason: "has a base64_string that is no base64")
            }
            bytes = decoded
            return
        }
        guard let inner = value["string"], !inner.isNull else { return }
        if let stream = Self.streamBytes(inner) {
            bytes = stream
            return
        }
        guard inner.members == nil, inner.items == nil else {
            readValues(inner, fields)
            return
        }
        readText(inner, encoding: value["encoding"]?.text, fields, &remarks)
    }

    /// The bytes of a `BytesIO` as PyYAML writes one: its state is the bytes, the position and its attributes.
    private static func streamBytes(_ value: SourceValue) -> [UInt8]? {
        guard let members = value.members, members.count == 1, members[0].name == "state",
            let state = members[0].value.items, state.count == 3, let first = state.first, first.isText
        else { return nil }
        return first.bytes
    }

    /// The bytes of a binary of Erlang in the external term format (version 131, BINARY_EXT), in base64.
    private static func binaryTerm(_ value: SourceValue) throws(CassetteReader.Skipped) -> [UInt8] {
        guard let text = value.text, let term = try? Base64Text.decode(Array(text.utf8)), term.count >= 6,
            term[0] == 131, term[1] == 109,
            term[2..<6].reduce(0, { $0 << 8 | Int($1) }) == term.count - 6
        else { throw CassetteReader.Skipped(reason: "has content as a term of Erlang that is no binary") }
        return Array(term[6...])
    }

    /// A mapping or a list, which was sent as a form where the fields say so, and else as JSON.
    private mutating func readValues(_ value: SourceValue, _ fields: [HTTPField]) {
        let pairs = (value.members ?? []).compactMap { name, value in
            value.text.map { URLEncodedForm.Pair(name: name.utf8, value: $0.utf8) }
        }
        let isFlat = !pairs.isEmpty && pairs.count == value.members?.count
        let type = MediaType(of: fields)
        if isFlat, type?.essence == "application/x-www-form-urlencoded" {
            bytes = URLEncodedForm(pairs).bytes
            return
        }
        bytes = Array(value.json.utf8)
        isJSON = true
        if isFlat, type == nil { form = URLEncodedForm(pairs).bytes }
    }

    /// `encoding` is that of the string, by which the recorder has decoded it.
    private mutating func readText(
        _ value: SourceValue, encoding: String?, _ fields: [HTTPField], _ remarks: inout ImportRemarks
    ) {
        guard value.isPlainText, let text = value.text else {
            bytes = value.bytes
            return
        }
        let isCoded = fields.contains(named: "Content-Encoding")
        let announced = isCoded ? nil : fields.value(of: "Content-Length").flatMap { Int($0) }
        let read = TextBytes(text, charset: encoding?.lowercased(), lengths: [announced])
        bytes = read.bytes
        if let sentence = read.remark { remarks.add(at: value.place, sentence) }
    }
}
