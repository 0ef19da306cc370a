/// What a test runner shows for a case.
package enum CaseFate: Sendable {
    case pass, failure, error, skipped

    /// The fate of an outcome of ``CaseVerdict/Outcome/words``; a failure that does not count is skipped.
    package init(_ outcome: String, counts: Bool) {
        self =
            switch outcome {
            case "fail", "fixed": counts ? .failure : .skipped
            case "hang", "crash", "not-judged", "setup-failed", "adapter-error": counts ? .error : .skipped
            case "known", "partly", "lacks", "not-in-this-adapter", "skipped": .skipped
            default: .pass
            }
    }
}
