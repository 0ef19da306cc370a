internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario
internal import ProctorScript

/// What a script of a fixture is for this module.
struct LuaProgram: Sendable {
    let source: ScriptSource
    /// Reads the tables that the script returns.
    let tables: ScriptTables
}

extension ScenarioReader {
    /// A script that makes a reply, matches requests, or has a WebSocket.
    static let luaScript = Shape<FixtureScript> { node, reader in
        guard let script = reader.luaScript(node, .answer) else { return nil }
        reader.scripts.answers.append(script)
        return script
    }

    /// The libraries at the top of the file.
    static let luaLibraries = Shape<[FixtureScript]> { node, reader in
        var named: Set<String> = []
        return reader.oneOrMore(node, "libraries", limit: Bounds.libraries).compactMap { node in
            guard let script = reader.shippedLibrary(node) ?? reader.luaScript(node, .library) else { return nil }
            guard let file = (script.program as? LuaProgram)?.source.file else { return nil }
            if file != reader.filePath, !named.insert(file).inserted {
                return reader.sink.refuse(node, "the library \(quoted(script.name)) stands here twice")
            }
            return script
        }
    }

    /// A library that comes with Proctor, `CFiles/Scripts/NAME.lua`, which a fixture names by one word; nil for any other text.
    private func shippedLibrary(_ node: Node) -> FixtureScript? {
        guard let name = node.text, Self.shippedLibraries.contains(name) else { return nil }
        let text = ContainedFile.bytes(of: "Scripts/\(name).lua")
        return script(ScriptSource(text: text, file: "\(name).lua of Proctor", role: .library), at: node)
    }

    private static let shippedLibraries = ["faults"]

    /// Compiles a script; its first error is reported at its place in the script's file.
    private func luaScript(_ node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        guard let text = sink.nonEmptyText(node, "a script") else { return nil }
        let isName = text.hasSuffix(".lua") && !text.utf8.contains { $0 == 0x0A || $0 == 0x20 || $0 == 0x28 }
        return isName ? scriptFile(node, role) : script(Array(text.utf8), writtenAt: node, role)
    }

    private func scriptFile(_ node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        guard let (path, text) = sidecarText(node, byteLimit: ScriptBounds().sourceByteCount) else { return nil }
        let source = ScriptSource(text: text, file: path, role: role)
        if let mistake = source.mistake() {
            sink.report(SourceLocation(file: path, line: mistake.line, column: mistake.column), mistake.sentence)
            return nil
        }
        return script(source, at: node)
    }

    private func script(_ text: [UInt8], writtenAt node: Node, _ role: ScriptSource.Role) -> FixtureScript? {
        let first = node.location(ofTextOffset: 0)
        let source = ScriptSource(text: text, file: filePath, firstLine: first.line, role: role)
        if let mistake = source.mistake() {
            // Line and column in the text give its offset, and the offset gives the place in the fixture.
            let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
            let before = lines.prefix(max(0, mistake.line - first.line)).reduce(0) { $0 + $1.count + 1 }
            sink.report(
                node.location(ofTextOffset: min(before + mistake.column - 1, text.count)), mistake.sentence)
            return nil
        }
        return script(source, at: node)
    }

    private func script(_ source: ScriptSource, at node: Node) -> FixtureScript {
        FixtureScript(
            text: source.text, name: source.name, location: node.location,
            program: LuaProgram(source: source, tables: ScriptTables(MadeNodes(of: self), in: source.file)))
    }
}
