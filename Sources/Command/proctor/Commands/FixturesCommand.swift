internal import ProctorBase

let fixturesCommand = Command(
    name: "fixtures", operands: "[path | copy DIR [FAMILY ...]] [--pack NAME]",
    summary: "Says where the scenarios stand that come with proctor, or copies them to be changed",
    discussion: """
          proctor fixtures path                    prints their folder
          proctor fixtures copy mine               copies all of them, with their sidecar files, into the folder mine
          proctor fixtures copy mine redirect tls  copies these families
          proctor fixtures copy shop --pack httpbin

        The folder is made where it is missing. No file is replaced: when one is there already, nothing is copied, and that is
        exit 1. Then 'proctor serve mine' serves the copies alone, and 'proctor serve --fixtures mine' all scenarios, the
        copies in place of those with the same ids.
        """,
    flags: [Flag("--pack", "NAME", help: "a pack instead, like httpbin")]
) { arguments, context in
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
