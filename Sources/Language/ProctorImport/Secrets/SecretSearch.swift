import ProctorBase
import ProctorHTTP

/// Looks for the secrets of a recording before anything is written.
struct SecretSearch {
    private(set) var store: SecretStore
    /// What was not looked at.
    private(set) var remarks = ImportRemarks()

    init(keepsSecrets: Bool) { store = SecretStore(keepsSecrets: keepsSecrets) }

    /// Goes on with secrets that are known.
    init(continuing store: SecretStore) { self.store = store }

    /// `spend` counts the work on so many bytes.
    mutating func search(
        _ recording: Recording, spend: (_ byteCount: Int) throws(ImportFailure) -> Void
    ) throws(ImportFailure) {
        guard !store.keepsSecrets else { return }
        store.placeholders = recording.placeholders
        for exchange in recording.exchanges {
            try spend(exchange.byteCount)
            let place = exchange.place
            searchRequest(exchange.request, at: place)
            searchFields(exchange.reply.fields, at: place)
            searchContent(exchange.reply.content, type: MediaType(of: exchange.reply.fields), at: place)
        }
        store.prepare()
    }

    mutating func searchRequest(_ request: RecordedRequest, at place: String) {
        searchFields(request.fields, at: place)
        if let query = request.target.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().first {
            for pair in query.split(separator: UInt8(ascii: "&")) {
                let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
                guard halves.count == 2, let name = String(validUTF8: halves[0]), SecretNames.containsParameter(name)
                else { continue }
                _ = store.word(for: halves[1], "the parameter \(name)", at: place)
            }
        }
        store.collectTokens(in: request.target.utf8, at: place)
        searchContent(request.content ?? [], type: MediaType(of: request.fields), at: place)
    }

    private mutating func searchFields(_ fields: [HTTPField], at place: String) {
        for field in fields {
            switch field.name.lowercased() {
            case "set-cookie":
                guard let cookie = SetCookie(parsing: field.bytes, edition: .rfc6265bis) else { continue }
                rememberCookie(cookie.name, value: cookie.value, at: place)
            case "cookie":
                for pair in field.bytes.split(separator: UInt8(ascii: ";")) {
                    let halves = pair.split(separator: UInt8(ascii: "="), maxSplits: 1)
                    if halves.count == 2 { rememberCookie(halves[0].drop { $0 == 0x20 }, value: halves[1], at: place) }
                }
            case "authorization", "proxy-authorization":
                let halves = field.bytes.split(separator: 0x20, maxSplits: 1)
                guard let credential = halves.dropFirst().first, !halves[0].isSame("Digest") else { continue }
                _ = store.word(
                    for: credential, "\(field.name): \(String(decoding: halves[0], as: UTF8.self))", at: place)
            case let name where SecretNames.contains(name) && !name.hasPrefix("access-control-"):
                if !field.bytes.isEmpty { _ = store.word(for: field.bytes, "the field \(field.name)", at: place) }
            default: store.collectTokens(in: field.bytes, at: place)
            }
        }
    }

    private mutating func rememberCookie(
        _ name: some Collection<UInt8>, value: some Collection<UInt8>, at place: String
    ) {
        guard !value.isEmpty, !Array(value).isSame("deleted") else { return }
        _ = store.word(for: value, "the cookie \(String(decoding: name, as: UTF8.self))", at: place)
    }

    /// The most bytes of content that are looked at.
    private static let limit = 4 << 20

    private mutating func searchContent(_ content: [UInt8], type: MediaType?, at place: String) {
        guard content.count <= Self.limit else {
            remarks.add(
                at: place,
                "secrets were not looked for in these \(content.count) bytes of content; at most \(Self.limit) are read"
            )
            return
        }
        guard !content.isEmpty else { return }
        store.collectTokens(in: content, at: place)
        if type?.essence == "application/x-www-form-urlencoded" {
            for pair in (try? URLEncodedForm(parsing: content))?.pairs ?? [] {
                guard let name = String(validUTF8: pair.name), SecretNames.contains(name), !pair.value.isEmpty else {
                    continue
                }
                _ = store.word(for: pair.value, "the form field \(name)", at: place)
            }
        } else if type?.isJSON == true, let document = try? JSONDocument(parsing: content) {
            for value in document.values {
                guard let bytes = value.name, let name = String(validUTF8: bytes), SecretNames.contains(name),
                    case .text(let secret) = value.kind, !secret.isEmpty
                else { continue }
                _ = store.word(for: secret, "the member \(name) of JSON", at: place)
            }
        }
    }
}

extension MediaType {
    /// application/json, and subtypes that end with +json.
    var isJSON: Bool { subtype == "json" || subtype.hasSuffix("+json") }

    /// Whether content of the type is text for people.
    var isText: Bool {
        type == "text" || isJSON || subtype == "xml" || subtype.hasSuffix("+xml") || subtype == "javascript"
            || subtype == "x-www-form-urlencoded" || subtype == "graphql"
    }
}

extension Collection<UInt8> {
    /// Compares with a name without regard to the case of ASCII letters.
    func isSame(_ name: String) -> Bool {
        count == name.utf8.count && zip(self, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
