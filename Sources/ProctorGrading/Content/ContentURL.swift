import ProctorHTTP
import ProctorTrace

/// URLs as callbacks write them, against those that requests were sent to.
enum ContentURL {
    /// Whether both name the same resource, escapes of unreserved characters, user and fragment aside; nil where the text is
    /// no URL that can be read.
    static func isSame(_ text: String, as url: ClientURL, ownScheme: String?) -> Bool? {
        var text = text
        if let ownScheme, text.lowercased().hasPrefix("\(ownScheme.lowercased()):") {
            text = url.origin.scheme.rawValue + text.dropFirst(ownScheme.count)
        }
        do throws(ClientURLError) {
            let other = try ClientURL(text)
            return other.origin == url.origin && target(of: other) == target(of: url)
        } catch .unsupportedScheme {
            return false
        } catch {
            return nil
        }
    }

    /// Path and query with their escapes in one spelling (RFC 3986 §6.2.2).
    private static func target(of url: ClientURL) -> [UInt8] {
        let reference = url.reference.uppercasingPercentEscapes().decodingUnreservedEscapes()
        return Array(reference.path) + (reference.query.map { [0x3F] + $0 } ?? [])
    }

    /// In double quotes, for a finding.
    static func shown(_ url: ClientURL) -> String { WireText.quoted(Array(url.description.utf8)) }
}

extension ContentFault {
    /// A text of the client in double quotes, without control characters.
    static func quoted(_ text: String) -> String { WireText.quoted(Array(text.utf8)) }
}
