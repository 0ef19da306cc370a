enum SpecLink {
    /// `RFC 9110 §15.4.3` gives that section, a WHATWG standard its first page; nil for an unknown document.
    static func address(of document: String) -> String? {
        let words = document.split(whereSeparator: { $0 == " " || $0 == "," })
        if words.count >= 2, words[0] == "RFC", let number = Int(words[1]), number > 0 {
            let base = "https://www.rfc-editor.org/rfc/rfc\(number)"
            guard words.count > 2, words[2].hasPrefix("§") else { return base }
            let section = words[2].dropFirst()
            guard section.allSatisfy({ $0.isNumber || $0 == "." }), !section.isEmpty else { return base }
            return "\(base)#section-\(section)"
        }
        switch words.first {
        case "Fetch": return "https://fetch.spec.whatwg.org/"
        case "URL" where document.hasPrefix("URL Standard"): return "https://url.spec.whatwg.org/"
        case "WHATWG" where words.count > 1 && words[1] == "URL": return "https://url.spec.whatwg.org/"
        default: return nil
        }
    }
}
