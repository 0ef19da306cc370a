import Foundation
import ProctorBase
import ProctorHTML
import ProctorMarkdown

@testable import ProctorRegex

extension ReaderRunner {
    static let texts: [String: DataReader] = [
        // Markdown as a page; what links to `gone` is missing.
        "markdown-html": .text { text, _ in
            let html = Markdown(text).html { $0 == "gone" ? .missing("gone.txt") : .address($0) }
            return lines(html)
        },
        // `width N`.
        "markdown-text": .text { text, block in
            let lines = Markdown(text).text(width: try block.number(of: "width") ?? 80)
                .components(separatedBy: "\n")
            return (lines.last == "" ? lines.dropLast() : lines + ["without an end"]).map { "|" + $0 }
        },
        // Title, lead, anchors and links; and how much of it the opening has.
        "markdown-outline": .text { text, _ in
            let (page, opening) = (Markdown(text), Markdown(openingOf: text))
            var lines = [
                "title \(page.title ?? "none")", "lead \(ValueText.text(page.lead))",
                "anchors \(page.anchors.joined(separator: " "))",
                "links " + page.links.map { "\($0.target) '\($0.words)'" }.joined(separator: " "),
                "opening of \(opening.blocks.count) blocks",
            ]
            if opening.title != page.title || opening.lead != page.lead
                || opening.blocks != Array(page.blocks.prefix(opening.blocks.count))
            {
                lines.append("another opening")
            }
            return lines.filter { !$0.hasSuffix(" ") }
        },
        // A value between two pieces of HTML, and HTML with it within HTML.
        "html": .whole { input, _ in
            let value = Parts.text(input)
            let inner: HTML = "<p title=\"\(value)\">\(value)</p>"
            let outer: HTML = "<b>\(inner)\(7)</b>"
            return lines(inner) + lines(outer)
        },
        // The title of a document.
        "html-document": .whole { input, _ in
            lines(HTML("<p>x</p>").document(title: Parts.text(input), head: "<style>x</style>"))
        },
        // `PATTERN`, or `PATTERN <- VALUE | VALUE`, which all of a value must match. `steps N` bounds a search.
        "regex": .whole { input, block in try RegexLines.lines(RegexLines.parts(input), block) },
        // `PATTERN <- VALUE`: how far the value could still match.
        "regex-reach": .whole { input, _ in
            let parts = RegexLines.parts(input)
            let reach = try RegularExpression(Parts.text(parts[0])).reach(in: parts[1])
            return [reach.map { "\($0)" } ?? "unknown"]
        },
    ]

    private static func lines(_ html: HTML) -> [String] {
        [String(decoding: html.bytes, as: UTF8.self).replacing("\n", with: "\\n")]
    }
}

private enum RegexLines {
    /// Values may be long, and are not looked through.
    static func parts(_ input: [UInt8]) -> [[UInt8]] {
        guard let arrow = input.prefix(200).firstRange(of: Array(" <- ".utf8)) else { return [input] }
        return [Array(input[..<arrow.lowerBound]), Array(input[arrow.upperBound...])]
    }

    static func lines(_ parts: [[UInt8]], _ block: Block) throws -> [String] {
        let pattern = Parts.text(parts.first ?? [])
        let expression: RegularExpression
        do throws(RegularExpressionFault) { expression = try RegularExpression(pattern) } catch {
            return ["at \(error.offset): \(error.sentence)"]
        }
        guard parts.count > 1 else { return ["fine"] }
        var words: [String: [String]] = [:]
        var others: [String] = []
        for value in (1...1_000).contains(parts[1].count) ? Parts.of(parts[1]) : [parts[1]] {
            let shown = value.count > 1_000 ? "\(value.count) bytes" : ByteText.inLine(value)
            let bound = try block.number(of: "steps")
            let budget = bound.map { WorkBudget(stepLimit: $0) } ?? WorkBudget()
            let counted = expression.match(value.span, within: budget)
            let outcome = block.has("steps") ? counted : expression.match(value.span)
            if counted != outcome { others.append("within a budget \(shown) comes to \(counted)") }
            if let bound, budget.stepCount > bound + value.count {
                others.append("\(budget.stepCount) steps were made")
            }
            switch outcome {
            case .matched(let groups):
                let told = zip(expression.groupNames, groups).map { name, range -> String in
                    guard let range else { return "\(name)=-" }
                    return "\(name)=\(ByteText.inLine(value[range])) at \(range.lowerBound)"
                }
                words["matches", default: []].append(([shown] + told).joined(separator: " "))
                if try !matchesLonger(pattern, value) { others.append("with more behind it \(shown) does not match") }
            case .unmatched: words["others", default: []].append(shown)
            case .gaveUp(let bound): words["gives up", default: []].append(bound)
            }
        }
        return ["matches", "others", "gives up"].compactMap { word in
            words[word].map { "\(word) \($0.joined(separator: " | "))" }
        } + others
    }

    /// Longer than what is searched without a count.
    private static func matchesLonger(_ pattern: String, _ value: [UInt8]) throws -> Bool {
        // A verb stands at the start of a pattern alone.
        guard !pattern.hasPrefix("(*"), !pattern.hasPrefix("^"), value.count < 1_000, !pattern.contains("?<") else {
            return true
        }
        let long = try RegularExpression("(?:\(pattern))(?<rest>!{300})")
        let longer = value + [UInt8](repeating: UInt8(ascii: "!"), count: 300)
        return long.match(longer.span, within: WorkBudget()) == .matched([value.count..<longer.count])
    }
}
