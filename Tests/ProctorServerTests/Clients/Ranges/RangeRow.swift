import Testing

/// What one way to call a client does with one scenario of `fixtures/range`.
struct RangeRow: Sendable, CustomTestStringConvertible {
    let client: RangeClient
    /// Of the client's option, where it takes one.
    let argument: String?
    /// Below `range/`.
    let scenario: String
    /// Bytes of the file that are there before; nil: there is no file.
    let before: Int?
    /// The exit status of each call.
    let exits: [Int32]
    /// What is there afterwards, in the words of ``RangeContent``.
    let file: String
    /// The Range of each request, and its If-Range; `-` is a request for the whole.
    let requests: [String]
    /// Why it is worth a remark, or wrong.
    let because: String?

    init(
        _ client: RangeClient, _ scenario: String, with argument: String? = nil, before: Int? = nil,
        exits: [Int32] = [0], file: String, requests: [String], because: String? = nil
    ) {
        self.client = client
        self.argument = argument
        self.scenario = scenario
        self.before = before
        self.exits = exits
        self.file = file
        self.requests = requests
        self.because = because
    }

    var command: String { ([client.rawValue] + [argument].compactMap(\.self)).joined(separator: " ") }

    var testDescription: String { "\(command): \(scenario)\(before.map { " behind \($0) bytes" } ?? "")" }

    /// As a line of `Docs/range-clients.md`.
    var line: String {
        let cells = [
            "`\(command)`", "`\(scenario)`", before.map(String.init) ?? "",
            exits.map(String.init).joined(separator: " "),
            file, requests.map { "`\($0)`" }.joined(separator: " "), because ?? "",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}
