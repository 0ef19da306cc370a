internal import ProctorBase

/// Instructions to add and remove the authority in programs and systems: the chapters of `CFiles/Help/trust.txt`.
struct TrustInstructions {
    let path: String
    let fingerprint: String

    /// The first chapter stands before all others.
    private static let chapters = ContainedFile.chapters(of: "Help/trust.txt")
    static let names = chapters.dropFirst().map(\.name)

    /// `system` is nil for all of them.
    func text(for system: String?) -> String {
        Self.chapters.filter { system == nil || $0.name == system }.map(\.text).joined(separator: "\n").filled([
            "file": quoted(path), "path": path, "fingerprint": fingerprint.filter { $0 != ":" },
        ])
    }

    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            0x61...0x7A ~= byte || 0x41...0x5A ~= byte || 0x2D...0x3A ~= byte || byte == 0x5F
        }
        return isPlain ? text : "'" + text.replacing(text: "'", with: "'\\''") + "'"
    }
}
