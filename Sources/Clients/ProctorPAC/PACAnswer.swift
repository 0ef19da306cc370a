/// What a proxy auto-configuration file answers for one URL: the ways to it, in the order in which they are tried.
package struct PACAnswer: Sendable, Equatable {
    /// Never empty.
    package let entries: [PACEntry]
    /// The parts of the text that name no way, as they were written; a client passes them over.
    package let unknown: [String]

    /// The most entries; the rest are passed over.
    package static let entryLimit = 64

    /// Reads a text such as `PROXY a:8080; SOCKS b:1080; DIRECT`; nil, and a text without a way, mean a direct one.
    package init(_ text: String?) {
        var (entries, unknown): ([PACEntry], [String]) = ([], [])
        for part in (text ?? "").split(separator: ";").prefix(Self.entryLimit) {
            let words = part.split { $0 == " " || $0 == "\t" || $0.isNewline }
            guard !words.isEmpty else { continue }
            if let entry = PACEntry(words) {
                entries.append(entry)
            } else {
                unknown.append(String(part))
            }
        }
        self.entries = entries.isEmpty ? [.direct] : entries
        self.unknown = unknown
    }
}

/// One way to a server.
package enum PACEntry: Sendable, Equatable {
    case direct
    case proxy(Kind, host: String, port: Int)

    package enum Kind: String, Sendable, CaseIterable {
        case http, https, socks4, socks5
    }

    /// The words of a part, without regard to case: `DIRECT`, or a kind and a host with a port.
    fileprivate init?(_ words: [Substring]) {
        guard let first = words.first?.uppercased() else { return nil }
        if first == "DIRECT" {
            guard words.count == 1 else { return nil }
            self = .direct
            return
        }
        let kind: Kind
        switch first {
        case "PROXY", "HTTP": kind = .http
        case "HTTPS": kind = .https
        // Browsers speak version 4 where no version is named.
        case "SOCKS", "SOCKS4": kind = .socks4
        case "SOCKS5": kind = .socks5
        default: return nil
        }
        guard words.count == 2, let (host, port) = Self.authority(words[1]) else { return nil }
        self = .proxy(kind, host: host, port: port ?? kind.usualPort)
    }

    /// `host`, `host:port` or `[::1]:port`; nil: it is none.
    private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
        var host = text
        var port: Int?
        if let colon = text.lastIndex(of: ":"), text[colon...].firstIndex(of: "]") == nil {
            host = text[..<colon]
            guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
            port = Int(number)
        }
        if host.hasPrefix("["), host.hasSuffix("]") {
            guard host.count > 2 else { return nil }
        } else if host.isEmpty || host.contains(where: { ":[]@/?#".contains($0) }) {
            return nil
        }
        return (String(host), port)
    }
}

extension PACEntry.Kind {
    fileprivate var usualPort: Int {
        switch self {
        case .http: 80
        case .https: 443
        case .socks4, .socks5: 1080
        }
    }
}
