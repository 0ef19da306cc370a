import ProctorBase

/// An option of curl that an import knows: a row of `CFiles/Tables/curl-options.tsv`.
struct CurlOption: Sendable {
    /// The long name, without dashes.
    let name: String
    let meaning: Meaning
    let takesValue: Bool

    enum Meaning: String, Sendable {
        case method, header, agent, referer, cookie, user, oauth
        case data, dataBinary, dataRaw, dataEncoded, json, form, formText
        case get, head, upload, range, compressed, digest, follow, url, next
        case proxy, http2
        /// The option changes no request of a scenario.
        case told
    }

    /// The options by long name, and by letter those that have one.
    private static let (named, lettered): ([String: CurlOption], [Character: CurlOption]) = {
        var (named, lettered) = ([String: CurlOption](), [Character: CurlOption]())
        for row in TableCells.rows(of: "curl-options") {
            let option = CurlOption(
                name: row["option"], meaning: row.value("meaning", Meaning.init), takesValue: row.text("value") != nil)
            named[option.name] = option
            if let letter = row.text("letter")?.first { lettered[letter] = option }
        }
        return (named, lettered)
    }()

    /// nil for a name that is unknown.
    static func find(long name: String) -> CurlOption? {
        if let known = named[name] { return known }
        guard name.hasPrefix("no-"), let known = named[String(name.dropFirst(3))], known.meaning == .told,
            !known.takesValue
        else { return nil }
        return CurlOption(name: name, meaning: .told, takesValue: false)
    }

    static func find(short letter: Character) -> CurlOption? { lettered[letter] }
}
