internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Writes a first version of a scenario.
let newCommand = Command(
    name: "new", operands: "ID [--fixtures FOLDER] [--auth | --tls]",
    summary: "Writes a commented scenario to begin with",
    discussion: """
        The ID is a path that says the behaviour: redirect/302-post-becomes-get. The file is ID.yaml below FOLDER
        (default: PROCTOR_FIXTURES, the nearest folder 'fixtures' above the working directory, else ./fixtures);
        a file that is there already is left alone. 'proctor check' accepts what is written.
        """,
    flags: [
        Flag("--fixtures", "FOLDER", "where scenarios stand"),
        Flag("--auth", nil, "a scenario behind a guard that asks for a password, instead of a redirect"),
        Flag("--tls", nil, "a scenario over https with a certificate of your choice, instead of a redirect"),
    ]
) { arguments, surroundings in
    guard arguments.operands.count == 1, let id = arguments.operands.first else {
        throw UsageError("'new' takes one ID: proctor new redirect/my-case")
    }
    try Scaffold.check(id)
    guard !arguments.has("--auth") || !arguments.has("--tls") else {
        throw UsageError("--auth and --tls exclude each other: a scenario begins as one of them")
    }
    let kind: Scaffold.Kind = arguments.has("--auth") ? .guarded : arguments.has("--tls") ? .secured : .redirect
    let folder = arguments["--fixtures"] ?? FixtureLocation(environment: surroundings.environment).folderForNew
    let path = "\(folder)/\(id).yaml"
    do throws(CallFailure) {
        try WholeFile.create(path, with: Scaffold.text(for: id, kind))
    } catch {
        surroundings.output.note(
            error.code == EEXIST
                ? "\(path) is there already, and was left alone" : "\(path) can't be written: \(error.text)")
        return .failure
    }
    surroundings.output.line(path)
    if FixtureLocation.isShipped(folder) {
        surroundings.output.note("\(folder) holds proctor's own scenarios; --fixtures FOLDER writes among yours")
    }
    surroundings.output.note("edit it, then: proctor check \(path) && proctor serve \(folder)")
    return .success
}
