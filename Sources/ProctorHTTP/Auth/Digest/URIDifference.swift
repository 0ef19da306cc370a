import ProctorBase

/// How the `uri` of a credential came to differ from the request-target.
enum URIDifference {
    /// nil where no usual mistake explains it.
    static func sentence(came: [UInt8], expected: [UInt8]) -> String? {
        if originForm(of: came) == expected { return "the absolute form came, the request-target is in origin-form" }
        if originForm(of: expected) == came {
            return "the origin-form came, the request-target is in absolute form, as a proxy gets it"
        }
        if came == withoutQuery(expected) { return "the query is missing" }
        if withoutFragment(came) == expected { return "the fragment belongs to no request-target" }
        if PercentText.decode(expected) == came { return "the percent-escapes were undone" }
        if PercentText.decode(came) == expected { return "what the request-target has plain is percent-escaped" }
        if lowered(came) == lowered(expected) { return "only letter case differs" }
        if came.isEmpty { return "it is empty" }
        return nil
    }

    /// Path and query of an absolute URI; nil where it is none.
    static func originForm(of uri: [UInt8]) -> [UInt8]? {
        guard let colon = uri.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            uri[(colon + 1)...].starts(with: "//".utf8)
        else { return nil }
        let authority = uri[(colon + 3)...]
        guard
            let end = authority.firstIndex(where: {
                $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#")
            })
        else { return [UInt8(ascii: "/")] }
        return (authority[end] == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + authority[end...]
    }

    static func withoutQuery(_ uri: [UInt8]) -> [UInt8]? {
        uri.firstIndex(of: UInt8(ascii: "?")).map { Array(uri[..<$0]) }
    }

    private static func withoutFragment(_ uri: [UInt8]) -> [UInt8]? {
        uri.firstIndex(of: UInt8(ascii: "#")).map { Array(uri[..<$0]) }
    }

    private static func lowered(_ bytes: [UInt8]) -> [UInt8] { bytes.map(\.asciiLowercased) }
}
