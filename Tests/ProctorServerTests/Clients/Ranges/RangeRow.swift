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
    /// The file after the run, in the words of ``RangeContent``.
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

    /// As a line of `Docs/clients/ranges.md`.
    var line: String {
        let cells = [
            "`\(command)`", "`\(scenario)`", before.map(String.init) ?? "",
            exits.map(String.init).joined(separator: " "),
            file, requests.map { "`\($0)`" }.joined(separator: " "), because ?? "",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }
}

extension RangeRow {
    /// What curl 7.88 does.
    static let curl: [RangeRow] = [
        RangeRow(.curlRange, "first-bytes", with: "0-9", file: "the first 10", requests: ["0-9"]),
        RangeRow(.curlRange, "from-the-middle", with: "10-12", file: "10-12", requests: ["10-12"]),
        RangeRow(.curlRange, "to-the-end", with: "30-", file: "the last 6", requests: ["30-"]),
        RangeRow(.curlRange, "last-bytes", with: "-3", file: "the last 3", requests: ["-3"]),
        RangeRow(.curlRange, "suffix-longer-than-the-file", with: "-99", file: "whole", requests: ["-99"]),
        RangeRow(.curlRange, "beyond-the-end", with: "34-99", file: "the last 2", requests: ["34-99"]),
        RangeRow(
            .curlRange, "not-satisfiable", with: "36-", file: "other bytes", requests: ["36-"],
            because: "the page of the 416 is kept as if it were the part; -f would fail"),
        RangeRow(.curlRange, "only-one-of-several-is-there", with: "3-5,90-99", file: "3-5", requests: ["3-5,90-99"]),
        RangeRow(
            .curlRange, "several", with: "0-4,10-14", file: "other bytes", requests: ["0-4,10-14"],
            because: "the parts are kept as they come, with their heads"),
        RangeRow(
            .curlRange, "several-that-touch", with: "0-9,5-14", file: "other bytes", requests: ["0-9,5-14"],
            because: "the parts are kept as they come, with their heads"),
        RangeRow(.curlRange, "ignored", with: "5-9", file: "whole", requests: ["5-9"], because: "a 200 is taken too"),
        RangeRow(
            .curlRange, "another-part-than-asked-for", with: "5-9", file: "the first 5", requests: ["5-9"],
            because: "Content-Range is not looked at: other bytes than those asked for"),
        RangeRow(
            .curlRange, "206-without-content-range", with: "5-9", file: "5-9", requests: ["5-9"],
            because: "taken on trust"),
        RangeRow(.curlContinue, "to-the-end", before: 30, file: "whole", requests: ["30-"]),
        RangeRow(
            .curlContinue, "to-the-end", before: 36, file: "whole", requests: ["36-"],
            because: "the 416 is taken for a file that is all there"),
        RangeRow(
            .curlContinue, "ignored", before: 6, exits: [33], file: "the first 6", requests: ["6-"],
            because: "a 200 is refused, and what is there is kept"),
        RangeRow(
            .curlContinue, "206-without-content-range", before: 6, exits: [33], file: "the first 6", requests: ["6-"],
            because: "refused: nothing says where the part belongs"),
        RangeRow(
            .curlContinue, "another-part-than-asked-for", before: 6, exits: [33], file: "the first 6", requests: ["6-"],
            because: "refused: it is another part"),
        RangeRow(.curlContinue, "content-range-of-unknown-length", before: 5, file: "the first 10", requests: ["5-"]),
        RangeRow(.curlContinueAt, "to-the-end", with: "10", before: 10, file: "whole", requests: ["10-"]),
        RangeRow(
            .curlContinueAt, "to-the-end", with: "10", file: "the last 26", requests: ["10-"],
            because: "with no file there, the rest is all there is"),
        RangeRow(.curlContinue, "resume-after-a-close", exits: [18, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(.curlContinue, "resume-after-a-reset", exits: [56, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(
            .curlContinue, "resume-that-is-cut-again", exits: [56, 56, 0], file: "whole",
            requests: ["-", "50000-", "100000-"]),
        RangeRow(.curlContinue, "resume-by-last-modified", exits: [56, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(
            .curlContinue, "resume-by-a-weak-tag", exits: [56, 0], file: "whole", requests: ["-", "100000-"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(
            .curlContinue, "resume-without-a-validator", exits: [56, 0], file: "whole", requests: ["-", "100000-"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(
            .curlContinue, "resume-of-a-coded-download", exits: [56, 0], file: "whole", requests: ["-", "2000-"]),
        RangeRow(
            .curlContinue, "resume-of-what-changed", exits: [56, 0], file: "the first 100000",
            requests: ["-", "100000-"],
            because:
                "wrong (RFC 9110 §15.5.17): any 416 is taken for a file that is all there; half a file is a success"),
        RangeRow(
            .curlContinue, "resume-of-what-changed-in-place", exits: [56, 0], file: "half old, half new",
            requests: ["-", "100000-"],
            because: "wrong (RFC 9110 §15.3.7.3): no If-Range, so that a file of two halves is a success"),
        RangeRow(
            .curlContinue, "resume-answered-with-the-whole", exits: [56, 33], file: "the first 100000",
            requests: ["-", "100000-"], because: "a 200 is refused, and what is there is kept"),
        RangeRow(
            .curlContinue, "resume-answered-with-another-part", exits: [56, 33], file: "the first 100000",
            requests: ["-", "100000-"], because: "refused: it is another part"),
        RangeRow(
            .curlContinue, "resume-answered-416", exits: [56, 0], file: "the first 100000", requests: ["-", "100000-"],
            because:
                "wrong (RFC 9110 §15.5.17): any 416 is taken for a file that is all there; half a file is a success"),
        RangeRow(
            .curlContinueOrFail, "resume-answered-416", exits: [56, 22], file: "the first 100000",
            requests: ["-", "100000-"], because: "with -f the 416 is an error"),
        RangeRow(.curlRetry, "resume-after-a-reset", file: "whole", requests: ["-", "-"], because: "begins anew"),
    ]
}

extension RangeRow {
    /// What wget 1.21 does.
    static let wget: [RangeRow] = [
        RangeRow(.wgetStart, "to-the-end", with: "10", file: "the last 26", requests: ["10-"]),
        RangeRow(
            .wgetStart, "to-the-end", with: "36", file: "empty", requests: ["36-"],
            because: "the 416 is taken for a success"),
        RangeRow(
            .wgetStart, "ignored", with: "5", file: "the last 31", requests: ["5-"],
            because: "of a 200 what was not asked for is read over"),
        RangeRow(.wgetContinue, "to-the-end", before: 30, file: "whole", requests: ["30-"]),
        RangeRow(
            .wgetContinue, "to-the-end", before: 36, file: "whole", requests: ["36-"],
            because: "the 416 is taken for a file that is all there"),
        RangeRow(
            .wgetContinue, "ignored", before: 6, file: "whole", requests: ["6-"],
            because: "of a 200 what was not asked for is read over"),
        RangeRow(
            .wgetContinue, "206-without-content-range", before: 6, exits: [4], file: "the first 6", requests: ["6-"],
            because: "refused: nothing says where the part belongs"),
        RangeRow(
            .wgetContinue, "another-part-than-asked-for", before: 6, exits: [4], file: "the first 6", requests: ["6-"],
            because: "refused: it is another part"),
        RangeRow(.wgetContinue, "content-range-of-unknown-length", before: 5, file: "the first 10", requests: ["5-"]),
        RangeRow(.wgetContinue, "resume-after-a-close", exits: [4, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(.wgetContinue, "resume-after-a-reset", exits: [4, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(
            .wgetContinue, "resume-that-is-cut-again", exits: [4, 4, 0], file: "whole",
            requests: ["-", "50000-", "100000-"]),
        RangeRow(.wgetContinue, "resume-by-last-modified", exits: [4, 0], file: "whole", requests: ["-", "100000-"]),
        RangeRow(
            .wgetContinue, "resume-by-a-weak-tag", exits: [4, 0], file: "whole", requests: ["-", "100000-"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(
            .wgetContinue, "resume-without-a-validator", exits: [4, 0], file: "whole", requests: ["-", "100000-"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(.wgetContinue, "resume-of-a-coded-download", exits: [4, 0], file: "whole", requests: ["-", "2000-"]),
        RangeRow(
            .wgetContinue, "resume-of-what-changed", exits: [4, 0], file: "the first 100000",
            requests: ["-", "100000-"],
            because:
                "wrong (RFC 9110 §15.5.17): any 416 is taken for a file that is all there; half a file is a success"),
        RangeRow(
            .wgetContinue, "resume-of-what-changed-in-place", exits: [4, 0], file: "half old, half new",
            requests: ["-", "100000-"],
            because: "wrong (RFC 9110 §15.3.7.3): no If-Range, so that a file of two halves is a success"),
        RangeRow(
            .wgetContinue, "resume-answered-with-the-whole", exits: [4, 0], file: "whole", requests: ["-", "100000-"],
            because: "of a 200 as many bytes as are there are read over, unseen"),
        RangeRow(
            .wgetContinue, "resume-answered-with-another-part", exits: [4, 4], file: "the first 100000",
            requests: ["-", "100000-"], because: "refused: it is another part"),
        RangeRow(
            .wgetContinue, "resume-answered-416", exits: [4, 0], file: "the first 100000", requests: ["-", "100000-"],
            because:
                "wrong (RFC 9110 §15.5.17): any 416 is taken for a file that is all there; half a file is a success"),
        RangeRow(.wgetRetry, "resume-after-a-reset", file: "whole", requests: ["-", "100000-"]),
        RangeRow(.wgetRetry, "resume-that-is-cut-again", file: "whole", requests: ["-", "50000-", "100000-"]),
        RangeRow(
            .wgetRetry, "resume-of-what-changed-in-place", file: "half old, half new", requests: ["-", "100000-"],
            because: "wrong (RFC 9110 §15.3.7.3): no If-Range, so that a file of two halves is a success"),
        RangeRow(
            .wgetRetry, "resume-answered-with-another-part", exits: [4], file: "the first 100000",
            requests: ["-", "100000-", "100000-"], because: "tries once more in vain: it is another part"),
    ]
}

extension RangeRow {
    /// What aria2c 1.36 does.
    static let aria: [RangeRow] = [
        RangeRow(
            .ariaContinue, "to-the-end", before: 30, file: "whole", requests: ["-"],
            because: "asks for the whole first, to see how long it is, and takes it when it comes at once"),
        RangeRow(
            .ariaContinue, "to-the-end", before: 36, file: "whole", requests: ["-"],
            because: "asks how long the whole is, and that is all"),
        RangeRow(
            .ariaContinue, "ignored", before: 6, file: "whole", requests: ["-"],
            because: "asks for the whole first, to see how long it is, and takes it when it comes at once"),
        RangeRow(
            .ariaContinue, "resume-after-a-close", exits: [1, 0], file: "whole", requests: ["-", "-", "98304-199999"],
            because: "asks for the whole first, and gives that up; goes on at a multiple of 16 KiB"),
        RangeRow(
            .ariaContinue, "resume-after-a-reset", exits: [1, 0], file: "whole", requests: ["-", "-", "98304-199999"],
            because: "asks for the whole first, and gives that up; goes on at a multiple of 16 KiB"),
        RangeRow(
            .ariaContinue, "resume-that-is-cut-again", exits: [1, 0], file: "whole",
            requests: ["-", "-", "49152-199999"],
            because: "the second reply was cut too, but it was only asked how long it is"),
        RangeRow(
            .ariaContinue, "resume-by-last-modified", exits: [1, 0], file: "whole",
            requests: ["-", "-", "98304-199999"],
            because: "asks for the whole first, and gives that up; goes on at a multiple of 16 KiB"),
        RangeRow(
            .ariaContinue, "resume-by-a-weak-tag", exits: [1, 0], file: "whole", requests: ["-", "-", "98304-199999"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(
            .ariaContinue, "resume-without-a-validator", exits: [1, 0], file: "whole",
            requests: ["-", "-", "98304-199999"],
            because: "goes on without a strong validator (RFC 9110 §15.3.7.3); that it is the same file is luck"),
        RangeRow(
            .ariaContinue, "resume-of-a-coded-download", exits: [1, 0], file: "whole", requests: ["-", "-"],
            because: "asks for the whole first, to see how long it is, and takes it when it comes at once"),
        RangeRow(
            .ariaContinue, "resume-of-what-changed", exits: [1, 1], file: "the first 100000", requests: ["-", "-"],
            because: "another length is noticed"),
        RangeRow(
            .ariaContinue, "resume-of-what-changed-in-place", exits: [1, 0], file: "half old, half new",
            requests: ["-", "-", "98304-199999"],
            because: "wrong (RFC 9110 §15.3.7.3): no If-Range, so that a file of two halves is a success"),
        RangeRow(
            .ariaContinue, "resume-answered-with-the-whole", exits: [1, 8], file: "the first 100000",
            requests: ["-", "-", "98304-199999"], because: "a 200 is refused, and what is there is kept"),
        RangeRow(
            .ariaContinue, "resume-answered-with-another-part", exits: [1, 8], file: "the first 100000",
            requests: ["-", "-", "98304-199999"], because: "refused: it is another part"),
        RangeRow(
            .ariaContinue, "resume-answered-416", exits: [1, 22], file: "the first 100000", requests: ["-", "-"],
            because: "the 416 is an error"),
        RangeRow(.ariaRetry, "resume-after-a-reset", file: "whole", requests: ["-", "100000-199999"]),
        RangeRow(
            .ariaRetry, "resume-that-is-cut-again", file: "whole", requests: ["-", "50000-199999", "100000-199999"]),
        RangeRow(
            .ariaRetry, "resume-of-what-changed", exits: [22], file: "the first 100000",
            requests: ["-", "100000-199999"], because: "the 416 is an error"),
        RangeRow(
            .ariaRetry, "resume-of-what-changed-in-place", file: "half old, half new",
            requests: ["-", "100000-199999"],
            because: "wrong (RFC 9110 §15.3.7.3): no If-Range, so that a file of two halves is a success"),
        RangeRow(
            .ariaRetry, "resume-answered-with-the-whole", exits: [8], file: "the first 100000",
            requests: ["-", "100000-199999"], because: "a 200 is refused, and what is there is kept"),
        RangeRow(
            .ariaRetry, "resume-answered-with-another-part", exits: [8], file: "the first 100000",
            requests: ["-", "100000-199999"], because: "refused: it is another part"),
        RangeRow(
            .ariaRetry, "resume-answered-416", exits: [22], file: "the first 100000", requests: ["-", "100000-199999"],
            because: "the 416 is an error"),
    ]

    /// The whole table.
    static let all = curl + wget + aria
}
