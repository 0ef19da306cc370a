internal import ProctorBase
internal import ProctorFixtures
internal import ProctorImport
internal import ProctorScenario

/// Writes a scenario that was imported, checks it, and tells what was changed.
struct ImportedScenario {
    let id: String
    let folder: String
    let draft: Draft

    /// False when a file can't be written or the scenario is not sound, which was printed.
    func write(_ output: Output) throws -> Bool {
        let name = id.split(separator: "/").last.map { String($0) } ?? id
        let text = ScenarioText(draft, name: name, head: FixtureSchema.line(below: id.count { $0 == "/" }))
        let path = "\(folder)/\(id).yaml"
        let beside = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let files = text.files.map { ("\(beside)/\($0.path)", $0.bytes) } + [(path, Array(text.text.utf8))]
        if let present = files.first(where: { FileKind(of: $0.0, followsLinks: false) != nil }) {
            output.message("\(present.0) is there already, and was left alone; --id or --into names another place")
            return false
        }
        for (path, bytes) in files {
            do throws(CallFailure) {
                try AtomicFile.create(path, with: bytes)
            } catch {
                output.message("\(path) can't be written: \(error.text)")
                return false
            }
        }
        output.line(path)
        do {
            _ = try FixtureSchema.add(to: folder)
        } catch {
            output.message("the schema for editors is missing, and the scenario is there: \(error)")
            return false
        }
        printChanges(output)
        let (scenario, diagnostics) = ScenarioLoader.load(id, in: [folder])
        FixtureReport.print(diagnostics, output)
        guard scenario != nil else {
            output.message("the scenario has these mistakes; take out what it can't say, or tell us of the file")
            return false
        }
        return true
    }

    private func printChanges(_ output: Output) {
        if draft.secrets.count > 0 {
            let count = Plural.count(draft.secrets.count, "secret")
            RemarkList.write(
                lines: draft.secrets.lines, under: "\(count) replaced; --keep-secrets leaves them:", output)
        }
        RemarkList.write(draft.remarks, under: "changed or left out:", output)
    }
}
