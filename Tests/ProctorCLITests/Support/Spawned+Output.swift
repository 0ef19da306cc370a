extension Spawned {
    /// What a program prints until its end; on a thread that may block.
    static func output(of words: [String]) throws -> String {
        let process = try Spawned(words[0], Array(words.dropFirst()))
        _ = try process.waitUntilExit()
        return try process.out()
    }
}
