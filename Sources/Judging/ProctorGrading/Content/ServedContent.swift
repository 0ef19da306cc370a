import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorScenario

/// The contents that a load may correctly report with one status, from all replies that may be its own.
///
/// When the load of a reply is unknown, or a cache may have answered, these are the replies of the whole run.
struct ServedContent {
    /// The contents, in every form that a client may have; never empty.
    let forms: [Form]
    /// Whether every one of the replies was sent completely, so that a successful client has all bytes of one form.
    let isWhole: Bool

    /// nil when the content of one of these replies is unknown.
    init?(of exchange: SeenExchange?, status: Int, url: String?, in load: ContentLoad) {
        let exchanges: [SeenExchange]
        var forms: [Form] = []
        if let exchange {
            exchanges = [exchange]
        } else {
            guard let all = Self.replies(status: status, url: url, in: load) else { return nil }
            exchanges = all
            if load.hasCache, load.exchangesOfRun?.contains(status: 206) == true {
                // A cache also answers with parts of what it has, of which the result has no range.
                guard status == 200 else { return nil }
                forms = Self.combined(Self.ofURL(url, load.exchangesOfRun?.all ?? [], in: load))
            }
        }
        guard !exchanges.isEmpty || !forms.isEmpty, exchanges.allSatisfy({ $0.parts != nil }) else { return nil }
        isWhole = exchanges.allSatisfy(\.isWhole)
        for exchange in exchanges {
            guard
                let all = load.isResumed && exchange.status == 206
                    ? Self.resumed(exchange, in: load.exchangesOfRun?.all ?? []) : Self.plain(exchange)
            else { return nil }
            forms += all
        }
        self.forms = forms
    }

    // MARK: Which replies

    /// The replies of the run with that status and, where the client reports it, that URL.
    static func exchanges(status: Int, url: String?, in load: ContentLoad) -> [SeenExchange]? {
        // A cache may combine parts (RFC 9111 §3.4).
        load.hasCache && load.exchangesOfRun?.contains(status: 206) == true
            ? nil : replies(status: status, url: url, in: load)
    }

    private static func replies(status: Int, url: String?, in load: ContentLoad) -> [SeenExchange]? {
        // The program may store other content.
        guard let run = load.exchangesOfRun, !load.changesStoredContent, load.program?.method != "HEAD" else {
            return nil
        }
        let readable = run.replies(withStatus: status).filter { !$0.hasBytesOfEffects }
        // A reply that can't be read may be the one, and its content is unknown.
        return ofURL(url, readable + run.unreadable, in: load)
    }

    private static func ofURL(_ url: String?, _ exchanges: [SeenExchange], in load: ContentLoad) -> [SeenExchange] {
        exchanges.filter { exchange in
            guard let url, let sent = exchange.url else { return true }
            return ContentURL.isSame(url, as: sent, ownScheme: load.ownScheme) != false
        }
    }

    private static func plain(_ exchange: SeenExchange) -> [Form]? {
        guard !exchange.contents.isEmpty else { return nil }
        return exchange.forms.map { Form(byteCount: $0.byteCount, spans: [Span(first: 0, $0)]) }
    }

    // MARK: Content of several replies

    /// The wholes that a cache may make of parts with one strong validator (RFC 9111 §3.4), each up to its last byte.
    private static func combined(_ exchanges: [SeenExchange]) -> [Form] {
        exchanges.flatMap { last -> [Form] in
            guard let tag = last.strongTag, let range = last.range, range.length == range.last + 1, last.isWhole else {
                return []
            }
            return resumed(last, in: exchanges.filter { $0.strongTag == tag }) ?? []
        }
    }

    /// The file that a part completes, which begins with bytes that were received before (RFC 9110 §14.4).
    private static func resumed(_ exchange: SeenExchange, in earlier: [SeenExchange]) -> [Form]? {
        guard let range = exchange.range, let content = exchange.plainContent else { return nil }
        let (byteCount, isBeyond) = range.first.addingReportingOverflow(content.byteCount)
        guard !isBeyond else { return nil }
        let part = Span(first: range.first, content)
        return beginnings(of: range.first, in: earlier).map { Form(byteCount: byteCount, spans: $0 + [part]) }
    }

    /// The possible bytes before `end`, by the replies of the run: a whole reply has them from 0 on, a part from its
    /// first byte on.
    ///
    /// Bytes that no reply had are unknown.
    private static func beginnings(of end: Int, in exchanges: [SeenExchange], depth: Int = 0) -> [[Span]] {
        guard end > 0, depth < maximumPartCount else { return [[]] }
        var pieces: [[Span]] = []
        for exchange in exchanges where !exchange.isConnect && (exchange.status == 200 || exchange.status == 206) {
            let first = exchange.status == 206 ? exchange.range?.first : 0
            guard let first, let content = exchange.plainContent else { return [[]] }
            guard first < end, content.byteCount >= end - first else { continue }
            let span = Span(first: first, bytes: content.kept.prefix(end - first))
            for before in beginnings(of: first, in: exchanges, depth: depth + 1) where pieces.count < maximumFormCount {
                let spans = before + [span]
                if !pieces.contains(spans) { pieces.append(spans) }
            }
        }
        return pieces.isEmpty || pieces.count == maximumFormCount ? [[]] : pieces
    }

    /// The most consecutive parts of one file; with more parts, the first bytes are unknown.
    private static let maximumPartCount = 4

    /// The most possible beginnings of a file; with as many, its first bytes are unknown.
    private static let maximumFormCount = 16

    /// Known bytes at an offset of a content.
    struct Span: Equatable {
        let first: Int
        let bytes: ArraySlice<UInt8>
        /// End and hash of the content that begins with these bytes; nil when they are unknown, or when the bytes are
        /// all of it.
        private let rest: Remainder?

        private struct Remainder: Equatable {
            let end: Int
            let sha256: String
        }

        init(first: Int, bytes: ArraySlice<UInt8>) {
            (self.first, self.bytes, rest) = (first, bytes, nil)
        }

        init(first: Int, _ content: SentContent) {
            (self.first, bytes) = (first, content.kept[...])
            rest = content.sha256.map { Remainder(end: first + content.byteCount, sha256: $0) }
        }

        /// Whether a body that is long enough has different content after these bytes, according to the hash.
        func isOther(behindIn body: [UInt8]) -> Bool {
            guard let rest, rest.end <= body.count else { return false }
            var hash: [UInt8] = []
            Self.hasher.appendHash(.sha256, of: Array(body[first..<rest.end]).span, to: &hash)
            // Without a hash function, the rest can't be compared.
            return !hash.isEmpty
                && hash.hexadecimal != rest.sha256
        }

        private static let hasher = OpenSSLHasher()

        var range: Range<Int> { first..<first + bytes.count }
    }

    /// One content, as far as the server kept its bytes.
    struct Form {
        let byteCount: Int
        /// Known bytes in order; the bytes between them are unknown.
        let spans: [Span]

        /// The first known bytes that differ from these; bytes that were not kept are compared by their hash.
        func difference(from bytes: [UInt8]) -> Span? {
            spans.first { span in
                let known = span.range.clamped(to: bytes.indices)
                return !known.isEmpty && !bytes[known].elementsEqual(span.bytes.prefix(known.count))
            } ?? spans.first { $0.isOther(behindIn: bytes) }
        }

        /// The first `count` bytes; nil where some of them are unknown.
        func beginning(_ count: Int) -> [UInt8]? {
            var bytes: [UInt8] = []
            for span in spans {
                guard span.first <= bytes.count else { return nil }
                bytes += span.bytes.dropFirst(bytes.count - span.first)
            }
            return bytes.count < count ? nil : Array(bytes.prefix(count))
        }
    }
}
