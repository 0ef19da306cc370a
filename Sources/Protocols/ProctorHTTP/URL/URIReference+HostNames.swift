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

/// Encodes one label beyond ASCII (RFC 3492), without `xn--`.
package enum Punycode {
    private static let base = 36
    private static let tMin = 1
    private static let tMax = 26
    private static let skew = 38
    private static let damp = 700
    private static let initialBias = 72
    private static let initialScalar: UInt32 = 0x80
    /// The number of bytes of a DNS label (RFC 1035 §2.3.4) after `xn--`.
    private static let longest = 59

    /// nil for a label that would be too long.
    package static func encode(_ label: String) -> [UInt8]? {
        let scalars = label.unicodeScalars.map(\.value)
        guard scalars.count <= longest else { return nil }
        var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (scalar, delta, bias, handled) = (initialScalar, 0, initialBias, basicCount)
        while handled < scalars.count {
            guard let next = scalars.filter({ $0 >= scalar }).min() else { return nil }
            delta += Int(next - scalar) * (handled + 1)
            scalar = next
            for value in scalars {
                if value < scalar { delta += 1 }
                guard value == scalar else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            scalar += 1
        }
        return output.count <= longest ? output : nil
    }

    /// One number of variable length (§3.3).
    private static func append(_ number: Int, bias: Int, to output: inout [UInt8]) {
        var rest = number
        var position = base
        while true {
            let threshold = min(max(position - bias, tMin), tMax)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func adapt(_ number: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? number / damp : number / 2
        delta += delta / count
        var steps = 0
        while delta > (base - tMin) * tMax / 2 {
            delta /= base - tMin
            steps += base
        }
        return steps + (base - tMin + 1) * delta / (delta + skew)
    }

    /// a…z are 0…25, and 0…9 are 26…35 (§5).
    private static func digit(_ value: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: value < 26 ? Int(UInt8(ascii: "a")) + value : Int(UInt8(ascii: "0")) + value - 26)
    }
}
