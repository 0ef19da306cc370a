import ProctorBase
import ProctorTrace

/// Bytes that a client brings piece by piece, against what the server sent.
///
/// What was sent may be known in two forms, with and without codings; a client keeps to one of them.
struct ContentMatch {
    /// The forms that all pieces so far agree with.
    private var forms: [SentContent]
    private let all: [SentContent]
    /// Bytes so far.
    private(set) var byteCount = 0

    /// nil where nothing is known of the content.
    init?(_ exchange: ContentExchange) {
        guard !exchange.contents.isEmpty else { return nil }
        all = exchange.contents
        forms = all
    }

    /// What is wrong with a piece.
    enum Mistake {
        /// The content ends before it: so many bytes were sent in all.
        case beyond(sent: Int)
        /// The bytes that were sent in its place.
        case otherBytes(sent: ArraySlice<UInt8>)
    }

    /// Takes the next piece: its size and, where they are known, its checksum or its bytes.
    mutating func take(_ count: Int, crc32: Int? = nil, bytes: [UInt8]? = nil) -> Mistake? {
        // A trace may claim any number.
        let (sum, isOver) = byteCount.addingReportingOverflow(max(0, count))
        let range = byteCount..<(isOver ? .max : sum)
        byteCount = range.upperBound
        let roomy = forms.filter { range.upperBound <= $0.byteCount }
        guard !roomy.isEmpty else { return .beyond(sent: forms.first?.byteCount ?? 0) }
        let equal = roomy.filter { form in
            guard range.upperBound <= form.kept.count else { return true }
            let sent = form.kept[range]
            if let bytes { return sent.elementsEqual(bytes) }
            return crc32.map { $0 == Int(CRC32.of(sent)) } ?? true
        }
        guard !equal.isEmpty else { return .otherBytes(sent: roomy[0].kept[range]) }
        forms = equal
        return nil
    }

    /// How many bytes were sent, when those that came are not all of any form; nil when they are.
    var missing: Int? {
        forms.contains { $0.byteCount == byteCount } ? nil : forms.map(\.byteCount).min()
    }
}
