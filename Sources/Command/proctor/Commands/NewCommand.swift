internal import ProctorBase

let newCommand = Command(name: "new") { arguments, context in
    guard arguments.operands.count == 1, let id = arguments.operands.first else {
        throw UsageError("'new' takes one ID: proctor new redirect/my-case")
    }
    try Scaffold.check(id)
    guard !arguments.has("--auth") || !arguments.has("--tls") else {
        throw UsageError("--auth and --tls exclude each other: a scenario begins as one of them")
    }
    let kind: Scaffold.Kind = arguments.has("--auth") ? .guarded : arguments.has("--tls") ? .secured : .redirect
    let folder = arguments["--fixtures"] ?? FixtureLocation(environment: context.environment).folderForNew
    let path = "\(folder)/\(id).yaml"
    try AtomicFile.createNew(path, with: Array(Scaffold.text(for: id, kind).utf8))
    context.output.line(path)
    do {
        if try !FixtureSchema.add(to: folder) { context.output.message("no schema for editors comes with this binary") }
    } catch {
        throw InputFailure("the schema for editors is missing, and the scenario is there: \(error)")
    }
    if FixtureLocation.isShipped(folder) {
        context.output.message("\(folder) holds proctor's own scenarios; --fixtures FOLDER writes among yours")
    }
    context.output.message("edit it, then: proctor check \(path) && proctor serve \(folder)")
    return .success
}

enum Scaffold {
    /// Throws unless the id is a path of words that need no escapes in a URL.
    static func check(_ id: String) throws(UsageError) {
        let segments = id.split(separator: "/", omittingEmptySubsequences: false)
        for segment in segments {
            let isPlain = segment.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-._~".utf8.contains($0) }
            guard isPlain, !segment.isEmpty, !segment.hasPrefix("."), !segment.hasPrefix("_") else {
                throw UsageError(
                    "'\(id)' can't be an id: words of letters, digits, '-', '.', '_' and '~', joined by '/', and none "
                        + "begins with '.' or '_'")
            }
        }
        if id.hasSuffix(".yaml") || id.hasSuffix(".yml") {
            throw UsageError(
                "an id is said without its extension: proctor new \(id.split(separator: ".").dropLast().joined(separator: "."))"
            )
        }
    }

    /// A chapter of `CFiles/Fixtures/new.yaml`.
    enum Kind: String { case redirect, guarded, secured }

    /// The text of a working scenario, with comments at the places to edit.
    static func text(for id: String, _ kind: Kind = .redirect) -> String {
        let chapter = ContainedFile.chapter(kind.rawValue, of: "Fixtures/new.yaml")
        return FixtureSchema.line(below: id.count { $0 == "/" }) + "\n" + chapter
    }
}
