internal import ProctorBase

/// A query of JSONPath (RFC 9535).
struct JSONPath: Sendable {
    let text: String
    let segments: [Segment]

    struct Segment: Sendable {
        /// Whether it is asked of a value and of all inside it (§2.5.2).
        let isDescendant: Bool
        let selectors: [Selector]
    }

    indirect enum Selector: Sendable {
        case name([UInt8])
        case wildcard
        /// From the end where it is negative.
        case index(Int)
        case slice(start: Int?, end: Int?, step: Int)
        case filter(Condition)
    }

    indirect enum Condition: Sendable {
        case or([Condition])
        case and([Condition])
        case not(Condition)
        /// Whether a query finds anything.
        case exists(Query)
        case compares(Comparable, Relation, Comparable)
        /// `match` where it is whole, else `search`.
        case matches(Comparable, Comparable, isWhole: Bool)
    }

    enum Relation: String, Sendable, CaseIterable {
        case equal = "=="
        case unequal = "!="
        case atMost = "<="
        case atLeast = ">="
        case less = "<"
        case greater = ">"
    }

    struct Query: Sendable {
        /// Where it begins in the text, as no other query does.
        let offset: Int
        /// Whether it begins at the document's root, by `$`, and not at the value that is asked about, by `@`.
        let isAbsolute: Bool
        let segments: [Segment]

        /// Whether it finds one value at most (§2.3.5.1).
        var isSingular: Bool {
            segments.allSatisfy { segment in
                guard !segment.isDescendant, segment.selectors.count == 1 else { return false }
                switch segment.selectors[0] {
                case .name, .index: return true
                case .wildcard, .slice, .filter: return false
                }
            }
        }
    }

    indirect enum Comparable: Sendable {
        case literal(JSONDocument)
        case query(Query)
        case length(Comparable)
        case count(Query)
        case value(Query)
    }

    static let byteBound = 4_096

    init(_ text: String) throws(LineFault) {
        self.text = text
        var parser = JSONPathParser(text)
        segments = try parser.parse()
    }
}
