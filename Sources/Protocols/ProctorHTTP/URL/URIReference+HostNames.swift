import ProctorBase

extension URIReference {
    /// The host as in the DNS: without escapes, labels beyond ASCII as A-labels (RFC 5891 §4).
    ///
    /// Lower-cases letters, replaces full-width by normal letters, composes marks, and replaces ideographic full stops
    /// by dots. Other mappings of UTS 46 need its table, which this module does not have. A host without such a form
    /// stays unchanged.
    func spellingHostInASCII() -> URIReference {
        guard let range = ranges.host, let host = Self.asciiHost(bytes[range]) else { return self }
        return URIReference(splitting: Array(bytes[..<range.lowerBound]) + host + Array(bytes[range.upperBound...]))
    }

    /// nil if nothing changes, or if the host has no such form.
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
        // An escape may decode to a byte that ends a host; the name is invalid then.
        return name.allSatisfy { $0.isUnreserved || $0.isSubDelimiter } ? name : nil
    }

    private static func ascii(_ label: Substring) -> [UInt8]? {
        guard label.utf8.contains(where: { $0 >= 0x80 }) else { return Array(label.utf8) }
        return Punycode.encode(String(label)).map { Array("xn--".utf8) + $0 }
    }
}

/// Equivalent spellings of letters in host names (UTS 46 §4, in part).
enum HostLetters {
    /// In lower case, of normal width, composed.
    static func mapped(_ text: String) -> String {
        let narrow = String(String.UnicodeScalarView(text.unicodeScalars.map(narrowed)))
        var mapped = String.UnicodeScalarView()
        for character in narrow.lowercased() {
            if character.unicodeScalars.count > 1, let whole = wholeLetters[character] {
                mapped.append(whole)
            } else {
                mapped.append(contentsOf: character.unicodeScalars)
            }
        }
        return String(mapped)
    }

    /// The full-width forms of ASCII are one block in the order of ASCII.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x3002, 0xFF61: "."
        default: scalar
        }
    }

    /// Letters that have one composed scalar, also found by their decomposed form, which is an equal `Character`.
    private static let wholeLetters: [Character: Unicode.Scalar] = {
        var letters: [Character: Unicode.Scalar] = [:]
        for range in [0xC0...0x58F, 0x1E00...0x1FFF, 0x3040...0x30FF] as [ClosedRange<UInt32>] {
            for scalar in range.lazy.compactMap({ Unicode.Scalar($0) }) {
                // Of two scalars for equal letters, the first is the common one.
                if letters[Character(scalar)] == nil { letters[Character(scalar)] = scalar }
            }
        }
        return letters
    }()
}
