/// What is one letter to a host, however it is written (UTS 46 §4, a part of it).
enum HostLetters {
    /// In lower case, of plain width, with the marks in their letters.
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

    /// The full-width forms of ASCII lie in a block of their own, in its order.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0xFF01...0xFF5E: Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
        case 0x3002, 0xFF61: "."
        default: scalar
        }
    }

    /// Letters that have a scalar of their own; a letter with its marks behind it is equal to it, and so finds it here.
    private static let wholeLetters: [Character: Unicode.Scalar] = {
        var letters: [Character: Unicode.Scalar] = [:]
        for range in [0xC0...0x58F, 0x1E00...0x1FFF, 0x3040...0x30FF] as [ClosedRange<UInt32>] {
            for scalar in range.lazy.compactMap({ Unicode.Scalar($0) }) {
                // Two that are equal are one letter, whose first scalar is the common one.
                if letters[Character(scalar)] == nil { letters[Character(scalar)] = scalar }
            }
        }
        return letters
    }()
}
