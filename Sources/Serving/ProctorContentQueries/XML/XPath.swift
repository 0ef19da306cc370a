internal import ProctorBase

/// An expression of XPath 1.0, without variables, `id()` and `lang()`, and without the axis `namespace`.
struct XPath: Sendable {
    let text: String
    let expression: Expression

    indirect enum Expression: Sendable {
        case number(Double)
        case literal([UInt8])
        /// From the root, where `root` is its place in the text of the expression; nil: from the node that is asked about.
        case path(root: Int?, [Step])
        /// A value that is not a path, with predicates and steps behind it.
        case filter(Expression, predicates: [Expression], [Step])
        case call(Function, [Expression])
        case binary(Operator, Expression, Expression)
        case negated(Expression)
    }

    struct Step: Sendable {
        let axis: Axis
        let test: Test
        let predicates: [Expression]
    }

    enum Axis: String, Sendable {
        case child, descendant, parent, ancestor, following, preceding, attribute
        case `self` = "self"
        case descendantOrSelf = "descendant-or-self"
        case ancestorOrSelf = "ancestor-or-self"
        case followingSibling = "following-sibling"
        case precedingSibling = "preceding-sibling"

        /// Whether positions count backwards in the document (§2.4).
        var isReverse: Bool {
            switch self {
            case .parent, .ancestor, .ancestorOrSelf, .preceding, .precedingSibling: true
            default: false
            }
        }
    }

    enum Test: Sendable {
        /// `node()`.
        case node
        case text
        /// What a document here never has, such as `comment()`.
        case nothing
        /// `*`.
        case anyName
        /// `p:*`.
        case anyOf(namespace: XMLDocument.Namespace)
        case name(XMLDocument.Name)
    }

    enum Operator: Sendable {
        case or, and, equal, unequal, less, atMost, greater, atLeast, plus, minus, times, divided, remainder, union
    }

    enum Function: String, Sendable, CaseIterable {
        case last, position, count, sum, name, string, concat, contains, substring, translate, boolean, not, number
        case floor, ceiling, round
        case isTrue = "true"
        case isFalse = "false"
        case localName = "local-name"
        case namespaceURI = "namespace-uri"
        case startsWith = "starts-with"
        case substringBefore = "substring-before"
        case substringAfter = "substring-after"
        case stringLength = "string-length"
        case normalizeSpace = "normalize-space"

        /// How many arguments it takes (§4).
        var arguments: ClosedRange<Int> {
            switch self {
            case .last, .position, .isTrue, .isFalse: 0...0
            case .name, .localName, .namespaceURI, .string, .number, .stringLength, .normalizeSpace: 0...1
            case .count, .sum, .boolean, .not, .floor, .ceiling, .round: 1...1
            case .contains, .startsWith, .substringBefore, .substringAfter: 2...2
            case .substring: 2...3
            case .translate: 3...3
            case .concat: 2...20
            }
        }
    }

    static let byteBound = 4_096

    /// `namespaces` are those that prefixes in the expression stand for.
    init(_ text: String, namespaces: [String: String]) throws(LineFault) {
        self.text = text
        var parser = XPathParser(text, namespaces: namespaces)
        expression = try parser.parse()
    }
}
