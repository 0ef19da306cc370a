package import ProctorBase

/// A schema of JSON content, which a module above reads (`schema:` of a condition); any thread may ask it.
package protocol ContentSchema: Sendable {
    /// Where it begins.
    var location: SourceLocation { get }

    /// Whether it accepts a request's content; nil where a bound was reached.
    func accepts(_ document: JSONDocument, within budget: WorkBudget?) -> Bool?

    /// What it does not accept, a sentence each; empty: it accepts the content.
    func faults(of document: JSONDocument, within budget: WorkBudget?) -> [String]
}
