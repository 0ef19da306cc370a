import ProctorBase

extension URIReference {
    /// A host as people write it, as the DNS has it: escapes undone, and labels beyond ASCII as A-labels (RFC 5891 §4).
    ///
    /// Letters lose case and width, marks join their letters in the alphabets of Europe and in kana, and the ideographic
    /// full stops are dots; what else UTS 46 maps needs its table, which is not carried. What can't be brought into such
    /// a form stays as it is.
    func spellingHostInASCII() -> URIReference {
        guard let range = ranges.host, let host = Self.asciiHost(bytes[range]) else { return self }
        return URIReference(splitting: Array(bytes[..<range.lowerBound]) + host + Array(bytes[range.upperBound...]))
    }

    /// nil where there is nothing to do, or nothing that can be done.
    private static func asciiHost(_ host: ArraySlice<UInt8>) -> [UInt8]? {
        guard host.first != UInt8(ascii: "["), host.contains(where: { $0 >= 0x80 || $0 == UInt8(ascii: "%") }),
            let decoded = PercentText.decode(host, isStrict: true),
            let text = String(validating: decoded, as: UTF8.self)
        else { return nil }
        var labels: [[UInt8]] = []
        for label in HostLetters.mapped(text).split(separator: ".", omittingEmptySubsequences: false) {
            guard let ascii = ascii(label) else { return nil }
            labels.append(ascii)
        }
        let name = Array(labels.joined(separator: [UInt8(ascii: ".")]))
        // An escape may have hidden what ends a host, and then it is none.
        return name.allSatisfy { $0.isUnreserved || $0.isSubDelimiter } ? name : nil
    }

    private static func ascii(_ label: Substring) -> [UInt8]? {
        guard label.utf8.contains(where: { $0 >= 0x80 }) else { return Array(label.utf8) }
        return Punycode.encode(String(label)).map { Array("xn--".utf8) + $0 }
    }
}
