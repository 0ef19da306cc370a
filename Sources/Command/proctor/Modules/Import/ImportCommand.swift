internal import ProctorBase
internal import ProctorImport

let importCommand = Command(
    name: "import",
    fillings: { ["kinds": ImportKind.allCases.map { "  \($0.rawValue): \($0.sentence)" }.joined(separator: "\n")] },
    words: { ImportKind.allCases.map(\.rawValue) }
) { arguments, context in
    let kinds = ImportKind.allCases.map(\.rawValue)
    guard let word = arguments.operands.first else {
        throw UsageError(
            "'import' needs a kind and a file: proctor import har shop.har; kinds are \(kinds.joined(separator: ", "))")
    }
    guard let kind = ImportKind(rawValue: word) else {
        let hint = NearestName.hint(for: word, in: kinds, else: "kinds are \(kinds.joined(separator: ", "))")
        throw UsageError("'import' does not know the kind '\(word)'; \(hint)")
    }
    let sources = Array(arguments.operands.dropFirst())
    guard !sources.isEmpty else { throw UsageError("'import \(word)' needs \(kind.sentence)") }
    guard arguments["--id"] == nil || kind == .curl || sources.count == 1 else {
        throw UsageError("--id is for one scenario, and each of the \(sources.count) files becomes one")
    }
    let folder = arguments["--into"] ?? FixtureLocation(environment: context.environment).folderForImport
    let keepsSecrets = arguments.has("--keep-secrets")
    let groups = kind == .curl ? [sources] : sources.map { [$0] }
    let progress = ImportProgress { [output = context.output] in output.message($0) }
    let reader = ImportSources(
        keepsSecrets: keepsSecrets, keepsWaits: arguments.has("--waits"), progress: progress,
        allowed: arguments.all("--allow-files"))
    var drafts: [(id: String, draft: Draft)] = []
    for group in groups {
        let id = arguments["--id"] ?? ImportedID.make(of: group[0], kind)
        try Scaffold.check(id)
        var draft = try reader.draft(kind, group)
        if arguments.has("--no-expect") { draft.description?.isExpected = false }
        drafts.append((id, draft))
    }
    var isClean = true
    for ((id, draft), group) in zip(drafts, groups) {
        var scenario = ImportedScenario(id: id, folder: folder, draft: draft)
        scenario.replaces = arguments.has("--replace")
        scenario.progress = progress
        if arguments.has("--check") {
            if try !scenario.check(InputFile.name(of: group[0]), context.output) { isClean = false }
        } else if try !scenario.write(context.output) {
            return .failure
        }
    }
    return isClean ? .success : .failure
}

/// The id of a scenario that is made of a file.
enum ImportedID {
    static func make(of source: String, _ kind: ImportKind) -> String {
        guard kind != .curl, source != "-" else { return "imported-\(kind.rawValue)" }
        var name = source.split(separator: "/").last.map { String($0) } ?? ""
        if !kind.isFolder, let dot = name.lastIndex(of: "."), dot != name.startIndex { name = String(name[..<dot]) }
        let words = name.utf8.split { !($0.isASCIILetter || $0.isASCIIDigit) }
            .map { String(decoding: $0, as: UTF8.self).lowercased() }
        return words.isEmpty ? "imported-\(kind.rawValue)" : words.joined(separator: "-")
    }
}
