internal import ProctorBase

/// A label of a host name that stands for one beyond ASCII (RFC 5891 §4.4).
enum ALabel {
    /// Whether what follows `xn--` is the one encoding of a label that IDNA 2008 permits.
    static func isValid(_ label: ArraySlice<UInt8>) -> Bool {
        let encoded = label.dropFirst(4).map(\.asciiLowercased)
        guard let text = Punycode.decode(encoded), text.unicodeScalars.contains(where: { !$0.isASCII }),
            Punycode.encode(text) == encoded
        else { return false }
        let scalars = Array(text.unicodeScalars)
        // RFC 5891 §4.2.3.1 and §4.2.3.2.
        let hyphens: [Unicode.Scalar] = ["-", "-"]
        guard scalars.first != "-", scalars.last != "-", !scalars.dropFirst(2).starts(with: hyphens),
            !scalars[0].isMark
        else { return false }
        return scalars.indices.allSatisfy { isPermitted(scalars, $0) }
    }

    /// RFC 5892 §2 and appendix A.
    private static func isPermitted(_ label: [Unicode.Scalar], _ index: Int) -> Bool {
        let scalar = label[index]
        let before = index > 0 ? label[index - 1] : nil
        let behind = index + 1 < label.count ? label[index + 1] : nil
        switch scalar.value {
        case 0x00B7: return before == "l" && behind == "l"
        case 0x0375: return behind?.isIn(0x0370...0x03FF, 0x1F00...0x1FFF) == true
        case 0x05F3, 0x05F4: return before?.isIn(0x0590...0x05FF) == true
        case 0x30FB:
            return label.contains { $0.isIn(0x3040...0x309F, 0x30A0...0x30FA, 0x30FC...0x30FF, 0x3400...0x9FFF) }
        case 0x0660...0x0669: return !label.contains { $0.isIn(0x06F0...0x06F9) }
        case 0x06F0...0x06F9: return !label.contains { $0.isIn(0x0660...0x0669) }
        // Joiners stand behind a virama; the rule by joining types is not asked.
        case 0x200C, 0x200D: return before?.properties.canonicalCombiningClass == .virama
        // Exceptions (§2.6).
        case 0x00DF, 0x03C2, 0x06FD, 0x06FE, 0x0F0B, 0x3007: return true
        case 0x0640, 0x07FA, 0x302E, 0x302F, 0x3031...0x3035, 0x303B: return false
        default: break
        }
        guard !scalar.isASCII else { return scalar == "-" || scalar.properties.isLowercase || isDigit(scalar) }
        switch scalar.properties.generalCategory {
        case .lowercaseLetter, .otherLetter, .modifierLetter, .nonspacingMark, .spacingMark, .decimalNumber:
            // What changes when it is written in small letters is not stable (§2.2).
            return scalar.properties.lowercaseMapping.unicodeScalars.elementsEqual([scalar])
                && !scalar.properties.isDefaultIgnorableCodePoint
        default: return false
        }
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate func isIn(_ ranges: ClosedRange<UInt32>...) -> Bool { ranges.contains { $0.contains(value) } }
}
