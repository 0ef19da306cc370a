import ProctorHTTP

/// Input with the places in it where a violation is expected: `▸` stands before each, in the order of the kinds.
///
/// `◆` stands where another message begins, from where its own offsets count.
struct Marked: Sendable {
    let input: [UInt8]
    let expected: [Expected]

    struct Expected: Equatable, Sendable, CustomStringConvertible {
        let kind: Violation.Kind
        let offset: Int
        var description: String { "\(kind.rawValue) at \(offset)" }
    }

    init(_ marked: String, _ kinds: [Violation.Kind], name: String) {
        var input: [UInt8] = []
        var offsets: [Int] = []
        var start = 0
        for scalar in marked.unicodeScalars {
            if scalar == "▸" {
                offsets.append(input.count - start)
            } else if scalar == "◆" {
                start = input.count
            } else {
                input.append(UInt8(truncatingIfNeeded: scalar.value))
            }
        }
        precondition(offsets.count == kinds.count, "\(name): \(offsets.count) marks for \(kinds.count) kinds")
        self.input = input
        expected = zip(kinds, offsets).map { Expected(kind: $0, offset: $1) }
    }
}

extension [Violation] {
    /// What a row is compared with.
    var places: [Marked.Expected] { map { Marked.Expected(kind: $0.kind, offset: $0.offset) } }
}

/// One byte for each scalar, so that a test can write any byte: `\u{FF}` is 0xFF.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
