internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

/// The codings of a reply that this client undoes, each list in the order in which they were applied.
struct ReplyCodings: Equatable {
    /// Of the content; empty also where it has one that nobody here knows, and then it is handed on as it is.
    let content: [ContentCoding]
    /// Of the message (RFC 9112 §7.2), without `chunked`, which the reader has undone; all of them are known.
    let transfer: [ContentCoding]

    /// Of a final reply; that it has content is the caller's to know.
    init(of head: ReplyHead) {
        // Of a coded whole a part is no coded whole.
        content = head.status == 206 ? [] : Self.undone(head.fields.values(named: "Content-Encoding"))
        transfer = Self.elements(head.fields.values(named: "Transfer-Encoding")).compactMap {
            let coding = ContentCoding(name: $0.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") })
            return coding == .identity ? nil : coding
        }
    }

    var isEmpty: Bool { content.isEmpty && transfer.isEmpty }

    /// Whether content arrives other than it was sent, so that nobody knows how long it will be.
    static func areUndone(of head: ReplyHead) -> Bool {
        head.status != 206 && !undone(head.fields.values(named: "Content-Encoding")).isEmpty
    }

    /// Whether bytes of the content stand for something else: ranges of them count what is coded (RFC 9110 §14.1).
    static func areNamed(in fields: [HTTPField]) -> Bool {
        fields.elements(of: "Content-Encoding").contains { ContentCoding(name: $0) != .identity }
    }

    /// Empty where one of them is unknown: to undo the others would leave what nobody has named.
    private static func undone(_ values: [ArraySlice<UInt8>]) -> [ContentCoding] {
        let names = elements(values)
        let known = names.compactMap { ContentCoding(name: $0) }
        return known.count == names.count ? known.filter { $0 != .identity } : []
    }

    private static func elements(_ values: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        values.flatMap { HTTPField(name: "", bytes: Array($0)).elements }
    }
}
