/// The public addresses of documents that fixtures name.
package enum SpecLink {
    /// The address of a document; nil for an unknown one.
    ///
    /// For `RFC 9110 §15.4.3` and `RFC 9112 Appendix C.2` it is that section, for a WHATWG standard its first page.
    package static func address(of document: String) -> String? {
        let words = document.split(whereSeparator: { $0 == " " || $0 == "," })
        if words.count >= 2, words[0] == "RFC" { return addressOfRFC(words[1], Array(words[2...])) }
        switch words.first {
        case "Fetch" where words.count > 1 && words[1] == "Metadata":
            return "https://w3c.github.io/webappsec-fetch-metadata/"
        case "Referrer": return "https://w3c.github.io/webappsec-referrer-policy/"
        case "Mixed": return "https://w3c.github.io/webappsec-mixed-content/"
        case "Fetch": return "https://fetch.spec.whatwg.org/"
        case "URL" where document.hasPrefix("URL Standard"): return "https://url.spec.whatwg.org/"
        case "WHATWG" where words.count > 1 && words[1] == "URL": return "https://url.spec.whatwg.org/"
        case "WHATWG" where words.count > 1 && words[1] == "MIME": return "https://mimesniff.spec.whatwg.org/"
        case "HTML": return "https://html.spec.whatwg.org/multipage/"
        default: return nil
        }
    }

    private static func addressOfRFC(_ number: Substring, _ rest: [Substring]) -> String? {
        let base: String
        if number == "6265bis" {
            base = "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html"
        } else if let number = Int(number), number > 0 {
            base = "https://www.rfc-editor.org/rfc/rfc\(number)"
        } else {
            return nil
        }
        guard let place = rest.first else { return base }
        if place.hasPrefix("§") { return section(place.dropFirst()).map { "\(base)#section-\($0)" } ?? base }
        guard place.lowercased() == "appendix", rest.count > 1, rest[1].contains(".") else { return base }
        return section(rest[1]).map { "\(base)#appendix-\($0)" } ?? base
    }

    /// The number of a section, `15.4.3` or `A.2`; nil for other texts.
    private static func section(_ text: Substring) -> Substring? {
        let isSection = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: ".") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        }
        return isSection && !text.isEmpty ? text : nil
    }
}

/// A section of a specification, or a rule of callback order.
package struct SpecReference: Sendable, Hashable {
    /// The section as fixtures and findings write it: `RFC 9110 §15.4.3`, `callback rule R12`.
    package var section: String
    /// The address; nil for a document without a public one.
    package var link: String? { SpecLink.address(of: section) }

    package init(_ section: String) { self.section = section }
}
