import ProctorProgram

/// Has a run, or the scenario that stands at a running server, begin again.
let resetCommand = Command(
    name: "reset", operands: "RUN|ID [--server URL] [--token TEXT]",
    summary: "Has a run, or a scenario of a running server, begin again",
    discussion: """
        The next request gets the first reply of each list, and the journal is empty. Name a run as 'proctor journal' lists
        it, or a scenario by its id: the run that stands for it is meant then.
        """,
    flags: [
        Flag("--server", "URL", help: "where the server stands (default http://127.0.0.1:8088)"),
        Flag("--token", "TEXT", help: "the server's token, if it was started with one"),
    ]
) { arguments, context in
    guard let name = arguments.operands.first, arguments.operands.count == 1 else {
        throw UsageError("'reset' takes one RUN or one ID: proctor reset plain/get")
    }
    let client = try ControlClient(
        server: arguments["--server"] ?? "http://127.0.0.1:\(ServeOptions.defaultPort)", token: arguments["--token"])
    let place = StandingRun.isRun(name) ? "runs/\(name)" : "standing/\(StandingRun.path(of: name))"
    let reply = try await client.send(.reset(place))
    guard reply.status == 200 else {
        context.output.note(JournalReader.message(in: reply))
        return .failure
    }
    context.output.note("\(name) begins again")
    return .success
}

/// What names a run on a command line.
enum StandingRun {
    /// `r12`; everything else is the id of a scenario, or a file.
    static func isRun(_ name: String) -> Bool {
        name.hasPrefix("r") && name.utf8.count > 1 && name.utf8.dropFirst().allSatisfy { 0x30...0x39 ~= $0 }
    }

    /// An id as it may stand in a target; what no id holds is escaped.
    static func path(of id: String) -> String {
        var text = ""
        for byte in id.utf8 {
            let scalar = Unicode.Scalar(byte)
            let isPlain =
                byte < 0x80 && (scalar.properties.isAlphabetic || 0x30...0x39 ~= byte || "-_.~/".utf8.contains(byte))
            text += isPlain ? String(Character(scalar)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return text
    }
}
