/// The parts of a URL as words of a command line, spelled as the URL spells them.
struct CommandURL {
    /// Without the brackets of an IPv6 address.
    let host: String
    /// The port of the URL, or that of the scheme where the URL has none.
    let port: String
    /// The path and the query, without a fragment; `/` where the URL has no path.
    let target: String

    init(_ url: String) {
        let scheme = url.prefix { $0 != ":" }
        let rest = url.dropFirst(scheme.count + 1).drop { $0 == "/" }
        let authority = rest.prefix { !"/?#".contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let named = rest.dropFirst(authority.count).prefix { $0 != "#" }
        target = (named.hasPrefix("/") ? "" : "/") + named
        let digits = place.reversed().prefix { $0.isNumber }
        let hasPort = place.dropLast(digits.count).last == ":"
        port = hasPort && !digits.isEmpty ? String(digits.reversed()) : scheme == "https" ? "443" : "80"
        let name = hasPort ? place.dropLast(digits.count + 1) : place
        host = name.first == "[" ? String(name.dropFirst().dropLast()) : String(name)
    }
}
