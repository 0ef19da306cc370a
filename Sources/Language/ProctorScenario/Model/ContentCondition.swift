package import ProctorBase

/// A condition on content that a module above reads and judges, such as a schema of JSON; any thread may ask it.
package protocol ContentCondition: Sendable {
    /// What it is, for those who can't have it: `a JSON Schema`.
    var noun: String { get }
    /// Content that meets it, as text; nil: none is known.
    var example: String? { get }

    /// The verdict on a request's content, where nil was not read; undecided where a bound was reached.
    func verdict(on content: (any JudgedContent)?, within budget: WorkBudget?) -> Verdict

    /// What does not hold, a sentence each that begins with `body`; empty where it holds.
    func differences(in content: (any JudgedContent)?, within budget: WorkBudget?) -> [String]
}

/// The content of one request, of which each form is made at most once; by the thread that compares the request.
///
/// Reading is counted by the budget before it begins, so that long content is not read on a loop.
package protocol JudgedContent: AnyObject {
    func json(within budget: WorkBudget?) throws(SpentBudget) -> DecodedContent<JSONDocument>

    /// A value of a type that a module above reads, whatever the Content-Type says; `language` is for messages: `XML`.
    func value<Value>(
        of language: String, within budget: WorkBudget?, _ read: ([UInt8]) throws(LineFault) -> Value
    ) throws(SpentBudget) -> DecodedContent<Value>
}

/// A value, or a description of the received content: `content of type "text/plain"`.
package enum DecodedContent<Value> {
    case value(Value)
    case other(String)
}

/// What is told of content that no value could be made of, since it was not read.
package let unreadContent = "content that was not read"

extension DecodedContent {
    /// The description of the content for another type of value; only for content that has no value.
    package func other<Other>() -> DecodedContent<Other> {
        if case .other(let text) = self { .other(text) } else { .other(unreadContent) }
    }

    /// What `read` makes of content; nil is content that was not read, and a spent budget is told in its place.
    package static func reading(
        _ content: (any JudgedContent)?, _ read: (any JudgedContent) throws(SpentBudget) -> Self
    ) -> Self {
        guard let content else { return .other(unreadContent) }
        do throws(SpentBudget) {
            return try read(content)
        } catch {
            return .other("content that was not read, since \(error)")
        }
    }
}
