import Testing

/// A page's tags, read strictly: what is no tag of ours shows up as one that is not permitted.
struct Markup {
    struct Tag {
        let name: String
        let attributes: [String: String]
    }

    private(set) var tags: [Tag] = []
    /// What is left without tags, still escaped.
    private(set) var text = ""

    private static let void: Set = ["!doctype", "meta"]
    static let permitted: Set = [
        "!doctype", "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "nav", "a", "ul", "li",
        "span", "code", "pre", "dl", "dt", "dd",
    ]

    /// Throws when elements are not properly nested.
    init(_ html: String) throws {
        var open: [String] = []
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            text += rest[..<start]
            let end = try #require(rest[start...].firstIndex(of: ">"))
            let inside = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if inside.hasPrefix("/") {
                #expect(open.popLast() == String(inside.dropFirst()))
            } else {
                let name = String(inside.prefix { $0 != " " })
                var attributes: [String: String] = [:]
                for match in inside.matches(of: /([a-z]+)="([^"]*)"/) { attributes[String(match.1)] = String(match.2) }
                tags.append(Tag(name: name, attributes: attributes))
                if !Self.void.contains(name) { open.append(name) }
            }
        }
        text += rest
        #expect(open.isEmpty)
    }

    var links: [String] { tags.filter { $0.name == "a" }.compactMap { $0.attributes["href"] } }

    /// Whether the page is made of our elements and attributes alone, and can neither run nor fetch anything.
    func expectHarmless() {
        #expect(Set(tags.map(\.name)).subtracting(Self.permitted).isEmpty)
        let names = Set(tags.flatMap(\.attributes.keys))
        #expect(names.subtracting(["lang", "charset", "name", "content", "id", "class", "href"]).isEmpty)
        for link in links { #expect(link.hasPrefix("/") || link.hasPrefix("#") || link.hasPrefix("https://")) }
        #expect(!text.contains("url(") && !text.contains("@import"))
    }
}
