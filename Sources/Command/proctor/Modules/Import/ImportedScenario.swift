internal import ProctorBase
internal import ProctorFixtures
internal import ProctorImport
internal import ProctorProving
internal import ProctorScenario

/// Holds a scenario that was imported to its source, writes it, and tells what was changed and what is not as it was.
struct ImportedScenario {
    let id: String
    let folder: String
    let draft: Draft
    /// Whether files of an earlier import are written over.
    var replaces = false
    /// nil: nothing is told of it.
    var progress: ImportProgress?

    /// What is written; nil after a message.
    private func sound(_ output: Output) throws -> SoundDraft? {
        do throws(CallFailure) {
            var staged = try StagedFiles()
            do throws(SoundDraft.Failure) {
                let form = SoundDraft.Form(
                    id: id, head: FixtureSchema.line(below: id.count { $0 == "/" })
                ) { files throws(CallFailure) in try staged.write(files) }
                return try SoundDraft(draft, as: form, within: WorkBudget(), progress: progress)
            } catch {
                printChanges(of: draft, output)
                output.message(error.description)
                return nil
            }
        } catch {
            output.message("the import can't be tried in \(TemporaryFolder.path): \(error.text)")
            return nil
        }
    }

    /// Asks it the requests of the source, and writes nothing; false where a reply is not as the source says.
    func check(_ source: String, _ output: Output) throws -> Bool {
        guard let sound = try sound(output) else { return false }
        printChanges(of: sound.draft, output)
        printDifferences(sound, output)
        if sound.draft.claims.isEmpty {
            output.line("\(source): it holds no replies that the scenario could be held to")
        } else if sound.differences.isEmpty {
            let count = Plural.count(sound.draft.claims.count, "request")
            output.line("\(source): \(count) answered as it says")
        }
        return sound.differences.isEmpty
    }

    /// False when a file can't be written or nothing that loads can be made; then nothing is written.
    func write(_ output: Output) throws -> Bool {
        let path = "\(folder)/\(id).yaml"
        if !replaces, isThere(path, output) { return false }
        guard let sound = try sound(output) else { return false }
        let beside = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        let files =
            sound.text.files.map { ("\(beside)/\($0.path)", $0.content) }
            + [(path, DraftFile.bytes(Array(sound.text.text.utf8)))]
        if !replaces, files.contains(where: { isThere($0.0, output) }) { return false }
        for (path, content) in files {
            do throws(CallFailure) {
                if replaces { try AtomicFile.remove(path) }
                try content.write(to: path)
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
        printChanges(of: sound.draft, output)
        printDifferences(sound, output)
        FixtureReport.print(sound.warnings, output)
        return true
    }

    private func isThere(_ path: String, _ output: Output) -> Bool {
        guard FileKind(of: path, followsLinks: false) != nil else { return false }
        output.message(
            "\(path) is there already, and was left alone; --replace writes over it, --id or --into names another place"
        )
        return true
    }

    private func printChanges(of draft: Draft, _ output: Output) {
        if draft.secrets.count > 0 {
            let count = Plural.count(draft.secrets.count, "secret")
            RemarkList.write(
                lines: draft.secrets.lines, under: "\(count) replaced; --keep-secrets leaves them:", output)
        }
        RemarkList.write(draft.remarks, under: "changed or left out:", output)
    }

    private func printDifferences(_ sound: SoundDraft, _ output: Output) {
        RemarkList.write(
            sound.differences, under: "not as the source says; mend the scenario by hand, or tell us of the source:",
            output)
    }
}
