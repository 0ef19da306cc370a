import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// The contents that a load may rightly hand over under one status, from all replies that it may have had.
///
/// Where the load of a reply is unknown, or a cache may have answered, these are the replies of the whole run.
struct ServedContent {
    /// Each in every form that a client may have it in; never empty.
    let forms: [Form]
    /// Whether every one of the replies went out whole, so that a client that succeeded has all of one form.
    let isWhole: Bool

    /// nil where the content of any reply that counts is unknown.
    init?(of exchange: ContentExchange?, status: Int, url: String?, in load: ContentLoad) {
        let exchanges: [ContentExchange]
        if let exchange {
            exchanges = [exchange]
        } else {
            guard let all = Self.exchanges(status: status, url: url, in: load) else { return nil }
            exchanges = all
        }
        guard !exchanges.isEmpty, exchanges.allSatisfy({ $0.parts != nil }) else { return nil }
        isWhole = exchanges.allSatisfy(\.isWhole)
        var forms: [Form] = []
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

    /// The replies of the run with that status and, where the client tells it, for that URL.
    static func exchanges(status: Int, url: String?, in load: ContentLoad) -> [ContentExchange]? {
        // The program may store another content, and a cache may put parts together (RFC 9111 §3.4).
        guard let run = load.exchangesOfRun, !load.changesStoredContent, load.program?.method != "HEAD",
            !load.hasCache || !run.contains(status: 206)
        else { return nil }
        let readable = run.replies(withStatus: status).filter { !$0.request.hasBytesOfEffects }
        // A reply that cannot be read may be the one: it counts, and nothing is known of its content.
        return (readable + run.unreadable).filter { exchange in
            guard let url, let sent = exchange.url else { return true }
            return ContentURL.isSame(url, as: sent, ownScheme: load.ownScheme) != false
        }
    }

    private static func plain(_ exchange: ContentExchange) -> [Form]? {
        guard !exchange.contents.isEmpty else { return nil }
        return exchange.forms.map { Form(byteCount: $0.byteCount, spans: [Span(first: 0, $0)]) }
    }

    // MARK: Files of several replies

    /// The file that a part completes: the earlier bytes come first (RFC 9110 §14.4).
    private static func resumed(_ exchange: ContentExchange, in earlier: [ContentExchange]) -> [Form]? {
        guard let range = exchange.range, let content = exchange.plainContent else { return nil }
        let (byteCount, isBeyond) = range.first.addingReportingOverflow(content.byteCount)
        guard !isBeyond else { return nil }
        let part = Span(first: range.first, content)
        return beginnings(of: range.first, in: earlier).map { Form(byteCount: byteCount, spans: $0 + [part]) }
    }

    /// What the bytes before `end` may be, by the replies of the run: a whole reply has them from 0 on, a part from its
    /// first byte on.
    ///
    /// Of what no reply had, nothing is known.
    private static func beginnings(of end: Int, in exchanges: [ContentExchange], depth: Int = 0) -> [[Span]] {
        guard end > 0, depth < maximumPartCount else { return [[]] }
        var found: [[Span]] = []
        for exchange in exchanges where !exchange.isTunnel && (exchange.status == 200 || exchange.status == 206) {
            let first = exchange.status == 206 ? exchange.range?.first : 0
            guard let first, let content = exchange.plainContent else { return [[]] }
            guard first < end, content.byteCount >= end - first else { continue }
            let span = Span(first: first, bytes: content.kept.prefix(end - first))
            for before in beginnings(of: first, in: exchanges, depth: depth + 1) where found.count < maximumFormCount {
                let spans = before + [span]
                if !found.contains(spans) { found.append(spans) }
            }
        }
        return found.isEmpty || found.count == maximumFormCount ? [[]] : found
    }

    /// Parts of one file that follow one another; of more, the first bytes are unknown.
    private static let maximumPartCount = 4

    /// Ways to begin a file; where there are as many, its first bytes are unknown.
    private static let maximumFormCount = 16

    /// Bytes that are known, at a place of a content.
    struct Span: Equatable {
        let first: Int
        let bytes: ArraySlice<UInt8>
        /// The end and the hash of the content that the bytes begin; nil where that is unknown, and where they are all of it.
        private let whole: Whole?

        private struct Whole: Equatable {
            let end: Int
            let sha256: String
        }

        init(first: Int, bytes: ArraySlice<UInt8>) {
            (self.first, self.bytes, whole) = (first, bytes, nil)
        }

        init(first: Int, _ content: SentContent) {
            (self.first, bytes) = (first, content.kept[...])
            whole = content.sha256.map { Whole(end: first + content.byteCount, sha256: $0) }
        }

        /// Whether the content that goes on behind the bytes is another one in a body that has all of it.
        func isOther(behindIn body: [UInt8]) -> Bool {
            guard let whole, whole.end <= body.count else { return false }
            var hash: [UInt8] = []
            Self.hasher.appendHash(.sha256, of: Array(body[first..<whole.end]).span, to: &hash)
            // Without a hash function nothing is known.
            return !hash.isEmpty
                && hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() != whole.sha256
        }

        private static let hasher = OpenSSLHasher()

        var range: Range<Int> { first..<first + bytes.count }
    }

    /// One content, as far as the server keeps it.
    struct Form {
        let byteCount: Int
        /// In order; bytes between them are unknown.
        let spans: [Span]

        /// The first known bytes that differ from these, as far as these go; of longer ones the hash decides.
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
