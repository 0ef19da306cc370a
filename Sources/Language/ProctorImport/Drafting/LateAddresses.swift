import ProctorBase

/// The origins of a source, whose URLs become late-bound in replies.
struct LateAddresses {
    private(set) var origins: [DraftOrigin] = []
    /// The matcher of the URLs of all origins; nil before ``prepare()``.
    private var matcher: ValueMatcher?

    init(_ origins: [DraftOrigin] = []) {
        self.origins = origins
        if !origins.isEmpty { prepare() }
    }

    /// A scenario has at most this many origins.
    static let most = 64

    /// The name of an origin, which is added where it is new; nil beyond the bound.
    mutating func name(of url: String) -> String? {
        if url.isEmpty { return origins.first?.name ?? add("") }
        if let known = origins.first(where: { $0.url == url }) { return known.name }
        // A recording that at first does not say its origin belongs to the first that it says.
        if origins.count == 1, origins[0].url.isEmpty { origins = [] }
        return add(url)
    }

    private mutating func add(_ url: String) -> String? {
        guard origins.count < Self.most else { return nil }
        let name = origins.isEmpty ? "main" : freeName(for: url)
        origins.append(DraftOrigin(name: name, url: url))
        matcher = nil
        return name
    }

    /// The first label of the host that is no `www`, made a name of letters and digits.
    private func freeName(for url: String) -> String {
        let host = url.utf8.split(separator: UInt8(ascii: "/")).last.map { $0.prefix { $0 != UInt8(ascii: ":") } } ?? []
        let labels = host.split(separator: UInt8(ascii: ".")).filter { !$0.isSame("www") }
        let word = labels.first.map { $0.filter { $0.isASCIILetter || $0.isASCIIDigit } } ?? []
        let stem = word.first?.isASCIILetter == true ? String(decoding: word, as: UTF8.self) : "other"
        var name = stem
        var number = 2
        while name == "main" || origins.contains(where: { $0.name == name }) {
            name = "\(stem)\(number)"
            number += 1
        }
        return name
    }

    private func written(_ origin: DraftOrigin) -> String {
        origin.name == "main" ? "{{base}}" : "{{origin.\(origin.name)}}"
    }

    /// Call it when all origins are known and before texts are looked through, which is slow without it.
    mutating func prepare() { matcher = makeMatcher() }

    private func makeMatcher() -> ValueMatcher {
        ValueMatcher(origins.map { Array($0.url.utf8) }.filter { !$0.isEmpty })
    }

    /// Late-bound text for a text in which URLs of the origins may stand; all else means itself.
    func late(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var late = ""
        var end = 0
        for url in urls(in: bytes) {
            late += LiteralText.late(String(decoding: bytes[end..<url.range.lowerBound], as: UTF8.self))
            late += written(url.origin)
            end = url.range.upperBound
        }
        return late + LiteralText.late(String(decoding: bytes[end...], as: UTF8.self))
    }

    /// Whether a text names one of the origins.
    func occur(in text: String) -> Bool { !urls(in: Array(text.utf8)).isEmpty }

    private func urls(in text: [UInt8]) -> [(range: Range<Int>, origin: DraftOrigin)] {
        let named = origins.filter { !$0.url.isEmpty }
        var end = 0
        return (matcher ?? makeMatcher()).ends(in: text).compactMap { match in
            // `http://a.example` stands in `http://a.example.org` too; behind a port a dot ends a sentence.
            let url = text[match.range]
            let hasPort = url.suffix(6).contains(UInt8(ascii: ":")) && url.last?.isASCIIDigit == true
            let next = match.range.upperBound < text.count ? text[match.range.upperBound] : nil
            let isWhole =
                next.map {
                    !($0.isASCIILetter || $0.isASCIIDigit || (hasPort ? ":-_@" : ".:-_@").utf8.contains($0))
                } ?? true
            guard isWhole, match.range.lowerBound >= end else { return nil }
            end = match.range.upperBound
            return (match.range, named[match.value])
        }
    }
}
