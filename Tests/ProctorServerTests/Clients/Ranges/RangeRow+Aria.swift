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
