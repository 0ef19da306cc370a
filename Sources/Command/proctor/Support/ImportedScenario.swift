internal import ProctorBase
internal import ProctorFixtures
internal import ProctorImport
internal import ProctorScenario

/// Writes a scenario that was imported, checks it, and tells what was changed.
struct ImportedScenario {
    let id: String
    let folder: String
    let draft: Draft

    /// Lines of one list that are printed.
    private static let lineLimit = 100

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
            output.message("the schema for editors is missing: \(error)")
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
        if !draft.secrets.isEmpty {
            output.message("\(Plural.count(draft.secrets.count, "secret")) replaced; --keep-secrets leaves them:")
            list(draft.secrets, output)
        }
        let remarks = Self.grouped(draft.remarks)
        guard !remarks.isEmpty else { return }
        output.message("changed or left out:")
        list(remarks, output)
    }

    private func list(_ lines: [String], _ output: Output) {
        for line in lines.prefix(Self.lineLimit) { output.err("  \(PrintableText.sanitize(line, limit: 400))\n") }
        if lines.count > Self.lineLimit { output.err("  and \(lines.count - Self.lineLimit) more\n") }
    }

    /// One line for each sentence, with its first place.
    private static func grouped(_ remarks: [ImportRemark]) -> [String] {
        var sentences: [String] = []
        var places: [String: [String]] = [:]
        for remark in remarks {
            if places[remark.sentence] == nil { sentences.append(remark.sentence) }
            places[remark.sentence, default: []].append(remark.place)
        }
        return sentences.map { sentence in
            let all = places[sentence] ?? []
            let others = all.count > 1 ? " and \(Plural.count(all.count - 1, "other place"))" : ""
            return "\(all.first ?? "")\(others): \(sentence)"
        }
    }
}
