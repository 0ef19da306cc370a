internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP

/// The codings of a reply that this client decodes, each list in the order of their application.
struct ReplyCodings: Equatable {
    /// The content codings; empty when one of them is unknown, and the content is then passed on as received.
    let content: [ContentCoding]
    /// The transfer codings (RFC 9112 §7.2) without `chunked`, which the reader has decoded; all are known.
    let transfer: [ContentCoding]

    /// The codings of a final reply; the caller checks that it has content.
    init(of head: ReplyHead) {
        // A part of coded content cannot be decoded.
        content = head.status == 206 ? [] : Self.undone(head.fields.values(named: "Content-Encoding"))
        transfer = Self.elements(head.fields.values(named: "Transfer-Encoding")).compactMap {
            let coding = ContentCoding(name: $0.prefix { $0 > 0x20 && $0 != UInt8(ascii: ";") })
            return coding == .identity ? nil : coding
        }
    }

    var isEmpty: Bool { content.isEmpty && transfer.isEmpty }

    /// Whether content is decoded on arrival, so that its length is unknown.
    static func areUndone(of head: ReplyHead) -> Bool {
        head.status != 206 && !undone(head.fields.values(named: "Content-Encoding")).isEmpty
    }

    /// Whether the content is coded; ranges count coded bytes (RFC 9110 §14.1).
    static func areNamed(in fields: [HTTPField]) -> Bool {
        fields.elements(of: "Content-Encoding").contains { ContentCoding(name: $0) != .identity }
    }

    /// The codings; empty when one of them is unknown, since decoding only the others would give bytes of no named
    /// coding.
    private static func undone(_ values: [ArraySlice<UInt8>]) -> [ContentCoding] {
        let names = elements(values)
        let known = names.compactMap { ContentCoding(name: $0) }
        return known.count == names.count ? known.filter { $0 != .identity } : []
    }

    private static func elements(_ values: [ArraySlice<UInt8>]) -> [ArraySlice<UInt8>] {
        values.flatMap { HTTPField(name: "", bytes: Array($0)).elements }
    }
}
