internal import ProctorBase

let fixturesCommand = Command(name: "fixtures") { arguments, context in
    let source: String
    if let name = arguments["--pack"] {
        source = try Pack(named: name).folder
    } else if let folder = try ShippedFiles.folder("fixtures") {
        source = folder
    } else {
        throw UsageError("no scenarios come with this binary: it stands outside of its checkout and has none inside")
    }
    let operands = arguments.operands
    switch operands.first {
    case nil: throw UsageError("'fixtures' needs a word: path, or copy DIR")
    case "path" where operands.count == 1:
        context.output.line(AbsolutePath.withoutLinks(source) ?? source)
        return .success
    case "copy" where operands.count >= 2:
        return try FixtureCopy(source: source, families: Array(operands.dropFirst(2))).write(
            to: operands[1], context.output)
    case "copy": throw UsageError("'fixtures copy' needs a folder: proctor fixtures copy DIR")
    case "path": throw UsageError("'fixtures path' does not take '\(operands[1])'")
    case let word?:
        let hint = NearestName.hint(for: word, in: ["path", "copy"], else: "there are path and copy")
        throw UsageError("'fixtures' does not know '\(word)'; \(hint)")
    }
}
