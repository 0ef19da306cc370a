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
