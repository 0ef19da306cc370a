import Foundation
import ProctorHTTP

/// Why a client treats a Set-Cookie field otherwise than RFC 6265 and RFC 6265bis; a line of `Docs/judging/cookies.md`.
struct CorpusExplanation: Sendable {
    let client: CookieClient
    /// What it does, as a sentence.
    let sentence: String
    /// The section that says otherwise.
    let section: String
    /// Whether this explains the difference.
    let explains: @Sendable (CorpusComparison.Difference) -> Bool

    init(
        _ client: CookieClient, _ sentence: String, _ section: String,
        _ explains: @escaping @Sendable (CorpusComparison.Difference) -> Bool
    ) {
        self.client = client
        self.sentence = sentence
        self.section = section
        self.explains = explains
    }

    /// As it stands in the document.
    var line: String { "| `\(client.rawValue)` | \(sentence) | \(section) |" }

    /// The lines of the document about a client, in its order.
    static func documented(of client: CookieClient) throws -> [String] {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        // .../Tests/ProctorHTTPTests/Cookies/Corpus/CorpusExplanation.swift
        let path = parts.dropLast(5).joined(separator: "/") + "/Docs/judging/cookies.md"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            .filter { $0.hasPrefix("| `\(client.rawValue)` |") }.map(String.init)
    }

    /// For each client the first one that explains a difference counts.
    static let all = cookiejar + curl
}

// Each was looked up in the client's behaviour, and explains nothing else in the corpus.
extension CorpusExplanation {
    static let cookiejar: [CorpusExplanation] = [
        CorpusExplanation(
            .cookiejar, "A cookie without a name is kept, even where its value looks like a prefix (`__Secure-a`).",
            "RFC 6265 §5.2"
        ) { $0.isExtra && !$0.field.prefix { $0 != ";" }.contains("=") && $0.field.hasPrefix("__") },
        CorpusExplanation(
            .cookiejar, "An empty Domain, or a point alone, makes it refuse the cookie.", "RFC 6265 §5.2.3"
        ) { $0.isMissing && $0.values(of: "domain").contains { $0.isEmpty || $0 == "." } },
        CorpusExplanation(
            .cookiejar, "Of an attribute that comes twice the first counts.", "RFC 6265 §5.3"
        ) { difference in
            ["expires", "path", "domain"].contains { difference.values(of: $0).count > 1 }
        },
        CorpusExplanation(
            .cookiejar,
            "A Path that is empty, or does not begin with a slash, is kept as it is and matches nothing.",
            "RFC 6265 §5.2.4"
        ) { difference in
            difference.isMissing && difference.values(of: "path").contains { $0.isEmpty || !$0.hasPrefix("/") }
        },
        CorpusExplanation(
            .cookiejar, "A Max-Age that is no number makes it refuse the cookie.", "RFC 6265 §5.2.2"
        ) { difference in
            difference.isMissing
                && difference.values(of: "max-age").contains { value in
                    !value.allSatisfy { $0.isNumber || $0 == "-" } || value.isEmpty
                }
        },
        CorpusExplanation(
            .cookiejar, "Expires: the form of asctime is not read.", "RFC 6265 §5.1.1"
        ) { $0.isExtra && $0.values(of: "expires").contains { $0.hasSuffix("1994") && !$0.contains(",") } },
        CorpusExplanation(
            .cookiejar, "Expires: the year 70 is 2070, and a year before 1970 is no date.", "RFC 6265 §5.1.1"
        ) { $0.isExtra && $0.values(of: "expires").contains { $0.contains(" 1601 ") || $0.contains(" 70 ") } },
        CorpusExplanation(
            .cookiejar, "Expires: a month that there is not is an error, by which all cookies of the reply are lost.",
            "RFC 6265 §5.1.1"
        ) { $0.isMissing && $0.values(of: "expires").contains { $0.contains(" jum ") } },
        CorpusExplanation(
            .cookiejar, "An Expires with an impossible day, or with a year of one digit, is read as a date.",
            "RFC 6265 §5.1.1"
        ) { $0.isMissing && $0.values(of: "expires").contains { $0.contains("31 feb") || $0.contains("jun 5 ") } },
        CorpusExplanation(
            .cookiejar, "`Secure=` with an empty value is not taken for Secure.", "RFC 6265 §5.2.5"
        ) { $0.isExtra && $0.field.contains("secure=") && $0.values(of: "secure").contains("") },
        CorpusExplanation(
            .cookiejar,
            "Version=1 turns it to the older rules: without Path the directory ends with a slash, which the "
                + "directory itself does not match.", "RFC 6265 §5.1.4"
        ) { $0.isMissing && $0.has("version") && !$0.has("path") },
        CorpusExplanation(
            .cookiejar, "Port keeps the cookie from every port that is not named.", "RFC 6265 §8.5"
        ) { $0.isMissing && $0.has("port") },
        CorpusExplanation(
            .cookiejar, "A control character at the end of a Path is cut off as if it were a blank.", "RFC 6265 §5.2"
        ) { $0.isExtra && $0.row.topic == "control character" && $0.has("path") },
        CorpusExplanation(
            .cookiejar, "A cookie without Domain goes to the hosts below its own too.", "RFC 6265 §5.3"
        ) { difference in
            difference.isExtra && difference.values(of: "domain").allSatisfy { $0.isEmpty }
                && difference.ask.split(separator: "/")[1].hasSuffix(
                    "." + difference.row.origin.split(separator: "/")[1])
        },
    ]

    static let curl: [CorpusExplanation] = [
        CorpusExplanation(
            .curl, "A cookie whose Domain is only a dot is refused.", "RFC 6265 §5.2.3"
        ) { $0.isMissing && $0.values(of: "domain").contains(".") },
        CorpusExplanation(
            .curl, "A Domain that does not fit makes it refuse the cookie at once, though a later one would count.",
            "RFC 6265 §5.3"
        ) { $0.isMissing && $0.values(of: "domain").count > 1 },
        CorpusExplanation(
            .curl, "Quotes around a Path are taken off.", "RFC 6265 §5.2.4"
        ) { $0.isExtra && $0.values(of: "path").contains { $0.contains("\"") } },
        CorpusExplanation(
            .curl,
            "A Path that is empty or does not begin with a slash means `/`, and not the directory of the request.",
            "RFC 6265 §5.2.4"
        ) { difference in
            difference.isExtra && difference.values(of: "path").contains { $0.isEmpty || !$0.hasPrefix("/") }
        },
        CorpusExplanation(
            .curl, "The slash at the end of a Path is cut off, so that the cookie goes to the path without it.",
            "RFC 6265 §5.1.4"
        ) { $0.isExtra && $0.values(of: "path").contains { $0.count > 1 && $0.hasSuffix("/") } },
        CorpusExplanation(
            .curl, "Expires: the year 70 is 2070, and a year before 1970 is no date.", "RFC 6265 §5.1.1"
        ) { $0.isExtra && $0.values(of: "expires").contains { $0.contains(" 70 ") || $0.contains(" 1601 ") } },
        CorpusExplanation(
            .curl, "An Expires with an impossible day, or with a year of one digit, is read as a date.",
            "RFC 6265 §5.1.1"
        ) { $0.isMissing && $0.values(of: "expires").contains { $0.contains("31 feb") || $0.contains("jun 5 ") } },
        CorpusExplanation(
            .curl, "A Max-Age that is no number is taken for 0, and the cookie is gone.", "RFC 6265 §5.2.2"
        ) { difference in
            difference.isMissing
                && difference.values(of: "max-age").contains { $0.first.map { !$0.isNumber || $0 == "0" } ?? true }
        },
        CorpusExplanation(
            .curl, "Secure with a value other than nothing is not taken for Secure.", "RFC 6265 §5.2.5"
        ) { $0.isExtra && $0.values(of: "secure").contains { !$0.isEmpty } },
        CorpusExplanation(
            .curl, "A field that begins with a semicolon is read from there on.", "RFC 6265 §5.2"
        ) { $0.isExtra && $0.field.hasPrefix(";") },
        CorpusExplanation(
            .curl, "The bound of 4,096 bytes counts the `=` between name and value.", "RFC 6265bis §5.7"
        ) { $0.isMissing && $0.row.topic == "size" },
    ]
}
