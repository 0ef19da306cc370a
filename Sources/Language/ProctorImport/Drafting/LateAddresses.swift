import ProctorBase

/// The origins of a source, whose URLs become late-bound in replies.
struct LateAddresses {
    private(set) var origins: [DraftOrigin] = []

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

    /// Late-bound text for a text in which URLs of the origins may stand; all else means itself.
    func late(_ text: String) -> String {
        var rest = text[...]
        var late = ""
        while let (range, origin) = firstURL(in: rest) {
            late += LiteralText.late(String(rest[..<range.lowerBound])) + written(origin)
            rest = rest[range.upperBound...]
        }
        return late + LiteralText.late(String(rest))
    }

    /// Whether a text names one of the origins.
    func occur(in text: String) -> Bool { firstURL(in: text[...]) != nil }

    private func firstURL(in text: Substring) -> (range: Range<Substring.Index>, origin: DraftOrigin)? {
        var first: (range: Range<Substring.Index>, origin: DraftOrigin)?
        for origin in origins where !origin.url.isEmpty {
            var rest = text
            while let range = rest.firstRange(ofText: origin.url) {
                // `http://a.example` stands in `http://a.example.org` too.
                let next = range.upperBound < rest.endIndex ? rest.utf8[range.upperBound] : nil
                let isWhole = next.map { !($0.isASCIILetter || $0.isASCIIDigit || ".:-_@".utf8.contains($0)) } ?? true
                if isWhole {
                    if first.map({ range.lowerBound < $0.range.lowerBound }) ?? true { first = (range, origin) }
                    break
                }
                rest = rest[range.upperBound...]
            }
        }
        return first
    }
}
