/// Plays handshakes of TLS, each between two ends in this process.
///
/// A block `cases` holds a row in each line: versions and words of ``HandshakeWords``, then what came of it.
struct HandshakeRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        for block in row.blocks {
            switch block.name {
            case "slow": break
            case "cases":
                for (index, line) in block.lines.enumerated() where !line.isEmpty && !line.hasPrefix("# ") {
                    let parts = line.split(separator: " => ", maxSplits: 1, omittingEmptySubsequences: false)
                    guard parts.count > 1 || check.isRecording else {
                        throw RowError(block.line + index + 1, "expected given => wanted")
                    }
                    let given = String(parts[0])
                    let got = try await outcome(of: given, shown: block.words, line: block.line + index + 1)
                    check.expect(
                        block, line: index, given: given, wanted: parts.count > 1 ? String(parts[1]) : "", got: got)
                }
            default: throw RowError(block.line, "unknown block \"\(block.name)\"; blocks are cases")
            }
        }
    }

    /// Of several versions one outcome, where it is the same.
    private func outcome(of given: String, shown: [String], line: Int) async throws -> String {
        var words = given.split(separator: " ").map(String.init)
        guard let versions = words.first?.split(separator: ","), !versions.isEmpty else {
            throw RowError(line, "expected versions and words, such as 1.2,1.3 select h2")
        }
        words.removeFirst()
        var outcomes: [(version: Substring, text: String)] = []
        for version in versions {
            let handshake = HandshakeWords(version: String(version), words: words, shown: shown, line: line)
            outcomes.append((version, try await handshake.lines().joined(separator: "; ")))
        }
        if Set(outcomes.map(\.text)).count == 1 { return outcomes[0].text }
        return outcomes.map { "in \($0.version): \($0.text)" }.joined(separator: "; ")
    }
}
