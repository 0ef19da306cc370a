internal import ProctorBase
internal import ProctorHTTP

/// What a server says to the wish for the rest of a download (RFC 9110 §14.4, §15.3.7, §15.5.17).
enum ResumptionAnswer: Equatable {
    /// The rest follows; -1: nobody knows how long the whole is.
    case goesOn(expected: Int)
    /// What follows is the whole, or something else altogether.
    case startsOver
    /// The rest can't be had.
    case refused(LoadError)

    /// `offset` and `validator` are those of the request.
    init(_ response: LoadResponse, to offset: Int, validator: String) {
        switch response.status {
        case 206: self = Self.judgePart(response, offset: offset, validator: validator)
        case 416:
            let range = response.fields.first(named: "Content-Range").map(Self.quoted) ?? "none"
            self = .refused(
                LoadError(
                    .badServerResponse,
                    "the server has nothing behind byte \(offset) of \(response.url) (416, Content-Range: \(range)); "
                        + "load it anew"))
        default: self = .startsOver
        }
    }

    private static func judgePart(_ response: LoadResponse, offset: Int, validator: String) -> ResumptionAnswer {
        let fields = response.fields
        let ranges = fields.all(named: "Content-Range")
        guard ranges.count == 1, let field = ranges.first, let range = ContentRange(field.bytes) else {
            let found = ranges.first.map(quoted) ?? "none"
            return .refused(
                LoadError(
                    .badServerResponse,
                    "a 206 for the rest of \(response.url) came with Content-Range \(found); expected one "
                        + "\"bytes \(offset)-LAST/LENGTH\" (RFC 9110 §14.4)"))
        }
        guard range.first == offset else {
            return .refused(
                LoadError(
                    .badServerResponse,
                    "the server sent \(response.url) from byte \(range.first) on; expected byte \(offset)"))
        }
        if let tag = fields.first(named: "ETag"), validator.utf8.first == UInt8(ascii: "\""), tag.value != validator {
            return .refused(
                LoadError(
                    .badServerResponse,
                    "the rest of \(response.url) belongs to ETag \(quoted(tag)); expected \(validator), as the "
                        + "request said"))
        }
        return .goesOn(expected: range.length ?? -1)
    }

    private static func quoted(_ field: HTTPField) -> String { "\"\(EscapedText.of(field.bytes, limit: 48))\"" }
}

/// Which part of a whole a reply has (RFC 9110 §14.4).
struct ContentRange: Equatable {
    var first: Int
    /// The last byte that is there.
    var last: Int
    /// Of the whole; nil for `*`.
    var length: Int?

    /// nil for another unit, for what is no range, and for one that contradicts itself.
    init?(_ value: [UInt8]) {
        let text = String(decoding: value, as: UTF8.self)
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        self.first = first
        self.last = last
        guard parts[1] != "*" else { return }
        guard let length = Self.number(parts[1]), last < length else { return nil }
        self.length = length
    }

    /// Digits alone; `Int` would take a sign.
    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(text) : nil
    }
}
