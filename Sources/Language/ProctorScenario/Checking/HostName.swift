import ProctorBase
import ProctorDocument
import ProctorHTTP

/// The host name of an origin: a name reserved for tests or documentation, which therefore exists nowhere else.
package struct HostName: Equatable {
    /// In lower case, without a trailing dot.
    package let text: String

    package struct Refusal: Error, Equatable {
        package let sentence: String
        package let hint: String?
    }

    /// Checks the syntax (RFC 1035 §2.3.1 with RFC 1123 §2.1), then whether the name is reserved.
    package init(parsing text: String) throws(Refusal) {
        guard !text.hasSuffix(".") else {
            throw Refusal(
                sentence: "the name \(quoted(text)) ends with a point",
                hint: "write it without; URLs may still end it with one")
        }
        let name = text.utf8.allSatisfy { $0 < 0x80 } ? text.lowercased() : text
        let labels = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for label in labels {
            if let refusal = Self.refusal(of: label, in: text) { throw refusal }
        }
        guard name.utf8.count <= 253 else {
            throw Refusal(
                sentence: "the name has \(name.utf8.count) bytes; at most 253 are permitted (RFC 1035 §2.3.4)",
                hint: nil)
        }
        if let last = labels.last, last.utf8.allSatisfy(\.isASCIIDigit) {
            throw Refusal(
                sentence: "\(quoted(text)) reads as an address: the last label of a name is no number (RFC 1123 §2.1)",
                hint: Self.addressHint)
        }
        guard Self.isKept(name) else {
            throw Refusal(
                sentence: "the name \(quoted(text)) may belong to someone: only reserved names are permitted",
                hint: Self.nearest(labels) ?? "take one in \(Self.domainText)")
        }
        self.text = name
    }

    // MARK: Which names

    /// Names reserved with all their subdomains, for documentation (RFC 2606 §3).
    private static let wholeDomains = ["example.org", "example.com", "example.net"]
    /// Top-level domains of which only the names below are allowed (RFC 2606 §2, RFC 6761 §6).
    private static let topDomains = ["test", "example", "invalid", "localhost"]

    /// `example.org, example.com, …`, for messages.
    package static let domainText =
        wholeDomains.joined(separator: ", ") + " or below them, or below "
        + topDomains.map { ".\($0)" }.joined(separator: ", ")

    /// Whether a name in lower case, without a trailing dot, is reserved (RFC 2606, RFC 6761).
    static func isKept(_ name: String) -> Bool {
        wholeDomains.contains { name == $0 || name.hasSuffix(".\($0)") }
            || topDomains.contains { name.hasSuffix(".\($0)") && name.utf8.count > $0.utf8.count + 1 }
    }

    /// Whether the run's certificate authority signs the name.
    package static func isVouchedFor(_ name: String) -> Bool {
        wholeDomains.contains { name == $0 || name.hasSuffix(".\($0)") } || name.hasSuffix(".test")
            || name.hasSuffix(".localhost")
    }

    /// The names that the authority signs, for messages.
    package static let vouchedText = wholeDomains.joined(separator: ", ") + ", .test or .localhost"

    package static let addressHint =
        "addresses are the server's to choose: write address, 127.0.0.1, other-address or ipv6"

    // MARK: Syntax

    private static func refusal(of label: String, in name: String) -> Refusal? {
        guard !label.isEmpty else {
            return Refusal(sentence: "the name \(quoted(name)) has an empty label", hint: "one point parts two labels")
        }
        guard label.utf8.allSatisfy({ $0 < 0x80 }) else {
            let written = ALabelHint.encode(label).map { "write \(quoted($0))" }
            return Refusal(
                sentence: "the label \(quoted(label)) is not ASCII, and names on the wire are",
                hint: "\(written ?? "write its A-label, which begins with xn--") (RFC 5890 §2.3.2.1)")
        }
        if let bad = label.first(where: { !$0.isLabelCharacter }) {
            return Refusal(
                sentence: "the label \(quoted(label)) holds \(quoted(String(bad))): "
                    + "letters, digits and hyphens are permitted (RFC 1123 §2.1)",
                hint: bad == ":" ? "write the port beside it, as port: N" : nil)
        }
        if label.hasPrefix("-") || label.hasSuffix("-") {
            return Refusal(
                sentence: "the label \(quoted(label)) begins or ends with a hyphen (RFC 1035 §2.3.1)", hint: nil)
        }
        guard label.utf8.count <= 63 else {
            return Refusal(
                sentence: "a label has \(label.utf8.count) bytes; at most 63 are permitted (RFC 1035 §2.3.4)", hint: nil
            )
        }
        return nil
    }

    /// A correction of the name: `home.example.org` for `home.exmaple.org`.
    private static func nearest(_ labels: [String]) -> String? {
        guard let top = labels.last, let second = labels.dropLast().last,
            wholeDomains.contains("example.\(top)"), NearestName.find(second, in: ["example"]) != nil
        else { return nil }
        let name = (labels.dropLast(2) + ["example", top]).joined(separator: ".")
        return "did you mean \(quoted(name))?"
    }
}

extension Character {
    fileprivate var isLabelCharacter: Bool {
        guard let byte = asciiValue else { return false }
        return byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-")
    }
}

/// Writes a label in Unicode as its A-label, for hints.
///
/// Applies only the lower-casing of RFC 5895; a label that needs more of its mapping gets no A-label.
enum ALabelHint {
    /// nil for labels that need more than lower-casing, or that become too long.
    package static func encode(_ label: String) -> String? {
        let lower = label.lowercased()
        let isComposed = lower.unicodeScalars.allSatisfy { scalar in
            // IDNA2008 keeps these two (RFC 5894 §7.2).
            if scalar == "ß" || scalar == "ς" { return true }
            switch scalar.properties.generalCategory {
            case .lowercaseLetter, .otherLetter, .decimalNumber: return !scalar.properties.changesWhenNFKCCaseFolded
            default: return scalar == "-"
            }
        }
        guard isComposed else { return nil }
        return Punycode.encode(lower).map { "xn--" + String(decoding: $0, as: UTF8.self) }
    }
}
