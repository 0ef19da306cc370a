/// What is told of the secrets that were replaced.
package struct ReplacedSecrets: Sendable {
    /// One line for each of the first 1,000, then one for all others.
    package private(set) var lines: [String] = []
    package private(set) var count = 0

    package init() {}

    /// `orOpen`: a request may leave a secret open in place of its word.
    init(_ store: SecretStore, orOpen: Bool = false) {
        count = store.replacements.count + store.untoldCount
        lines = store.replacements.map { "\($0.place): \($0.what) is \($0.word) now\(orOpen ? ", or left open" : "")" }
        if store.untoldCount > 0 {
            lines.append("all: \(store.untoldCount) other secrets were replaced; the first \(lines.count) are told")
        }
    }
}
