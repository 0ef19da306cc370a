import ProctorDocument
import ProctorTrace

/// What a case says beyond the order within a lane.
extension ScenarioReader {
    /// `edges:` as a list of texts; a mistake is shown where it stands in the text.
    func edges(_ node: Node, stepCount: Int) -> [CausalEdge] {
        sink.texts(node, "an edge", limit: Bounds.edges).compactMap { text, node in
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: text)
                for end in [edge.later, edge.earlier] where end.lane.number >= stepCount && end.lane.lane.isOfStep {
                    sink.report(
                        node, "there is no step \(end.lane.number); this case has \(stepCount), counted from 0")
                }
                return edge
            } catch {
                sink.report(node.location(ofTextOffset: error.offset), error.sentence)
                return nil
            }
        }
    }

    /// `breaks:` as one rule or a list of rules.
    func breaks(_ node: Node) -> [RuleNumber] {
        sink.texts(node, "a rule", limit: Bounds.answers).compactMap { text, node in
            guard let number = RuleNumber(parsing: text), (1...58).contains(number.value),
                number.description.utf8.count == text.utf8.count
            else {
                sink.report(node, "expected a rule from R1 to R58, found \(quoted(text))")
                return nil
            }
            return number
        }
    }
}

extension Lane {
    /// Whether its number is that of a step; objects are numbered as they come.
    fileprivate var isOfStep: Bool { self == .task || self == .handler || self == .harness }
}
