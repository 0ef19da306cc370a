internal import ProctorHTTP
internal import ProctorProgram

/// Encodes names and values in application/x-www-form-urlencoded, for contents and queries (WHATWG URL §5).
struct FormEncoder: ValueEncoder {
    /// A deliberate fault.
    var fault: Fault?

    /// A deliberate fault, by the label of its breakage.
    enum Fault: String, Sendable, CaseIterable {
        case formIsNotEncoded = "form-values-unescaped"
        case queryIsNotEncoded = "query-values-unescaped"
    }

    func form(_ pairs: [[String]]) -> String { fault == .formIsNotEncoded ? Self.raw(pairs) : Self.text(pairs) }

    func query(_ pairs: [[String]]) -> String {
        // A space would end the request-target, so it is escaped even with the fault.
        fault == .queryIsNotEncoded
            ? Self.raw(pairs).split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
            : Self.text(pairs)
    }

    private static func text(_ pairs: [[String]]) -> String {
        let form = URLEncodedForm(
            pairs.filter { $0.count == 2 }.map { URLEncodedForm.Pair(name: $0[0].utf8, value: $0[1].utf8) })
        return String(decoding: form.bytes, as: UTF8.self)
    }

    private static func raw(_ pairs: [[String]]) -> String {
        pairs.map { $0.joined(separator: "=") }.joined(separator: "&")
    }
}
