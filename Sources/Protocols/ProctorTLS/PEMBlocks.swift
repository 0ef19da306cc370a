internal import ProctorBase

/// The blocks of a text of PEM (RFC 7468).
package enum PEMBlocks {
    /// The DER of every block with one of the labels, in order; blocks of invalid base64 are left out.
    package static func list(of labels: [String], in text: String) -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        var label: String?
        var digits: [UInt8] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let begun = line.body(after: "-----BEGIN ") {
                label = begun
                digits = []
            } else if let ended = line.body(after: "-----END ") {
                if label == ended, labels.contains(ended), let der = try? Base64Text.decode(digits), !der.isEmpty {
                    blocks.append(der)
                }
                label = nil
            } else if label != nil {
                digits += Array(line.utf8)
            }
        }
        return blocks
    }
}

extension Substring {
    fileprivate func body(after start: String) -> String? {
        let trimmed = String(decoding: utf8.filter { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        guard trimmed.hasPrefix(start), trimmed.hasSuffix("-----") else { return nil }
        return String(trimmed.dropFirst(start.count).dropLast(5))
    }
}
