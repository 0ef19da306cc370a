import ProctorBase
import ProctorEvents

/// A line of standard error in which a runtime says why it ends the process: `File.swift:3: Fatal error: …`.
package struct TrapLine: Sendable {
    /// The place of the trap, without addresses; equal for each crash by one trap.
    ///
    /// The text begins with the name of the file, or with the runtime's own words where no file stands before them.
    package let place: String

    /// nil for a line that says nothing of the kind.
    package init?(_ line: String) {
        guard let (mark, at) = Self.mark(in: line) else { return nil }
        let start = mark.namesFileBefore ? line[..<at.lowerBound].lastIndex(of: "/").map(line.index(after:)) : nil
        let isWhole = mark.namesFileBefore && start == nil
        let text = String(line[(isWhole ? line.startIndex : start ?? at.lowerBound)...])
        place = EventText.printable(Self.withoutAddresses(text), limit: Self.placeLimit)
    }

    private static let placeLimit = 160

    private typealias Mark = (words: String, namesFileBefore: Bool)

    /// The words of Swift, of assertions in C, of Rust and of C++.
    private static let marks: [Mark] = [
        ("Fatal error", true), ("Precondition failed", true), ("Assertion failed", true), ("Assertion `", true),
        ("panicked at ", false), ("terminate called ", false),
    ]

    private static func mark(in line: String) -> (Mark, Range<String.Index>)? {
        marks.lazy.compactMap { mark in line.firstRange(ofText: mark.words).map { (mark, $0) } }.first
    }

    /// `0x…` for each number of that form.
    private static func withoutAddresses(_ text: String) -> String {
        var (result, rest) = ("", text)
        while let at = rest.firstRange(ofText: "0x") {
            result += rest[..<at.upperBound] + "…"
            rest = String(rest[at.upperBound...].drop(while: \.isHexDigit))
        }
        return result + rest
    }
}
