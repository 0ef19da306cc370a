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
