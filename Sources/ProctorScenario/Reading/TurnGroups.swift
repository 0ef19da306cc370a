import ProctorDocument

/// The turns that exchanges of one file share, by name; filled while exchanges are read.
final class TurnGroups {
    private var groups: [Group] = []

    private struct Group {
        let name: String
        let node: Node
        var exchangeCount: Int
        var mostReplies: Int
    }

    /// The number of the turn with that name, counted from 0.
    func join(_ name: String, replyCount: Int, at node: Node) -> Int {
        guard let index = groups.firstIndex(where: { $0.name == name }) else {
            groups.append(Group(name: name, node: node, exchangeCount: 1, mostReplies: replyCount))
            return groups.count - 1
        }
        groups[index].exchangeCount += 1
        groups[index].mostReplies = max(groups[index].mostReplies, replyCount)
        return index
    }

    /// Reports turns that nobody shares, and those that decide nothing.
    func check(_ sequence: Scenario.Sequence, _ sink: DiagnosticSink) {
        for group in groups {
            let name = "\"\(group.name)\""
            if sequence == .strict {
                sink.report(
                    group.node, "\"shared\" does not go with a strict sequence, which has one order for all already")
            } else if group.exchangeCount == 1 {
                sink.report(
                    group.node, "nobody shares the turn \(name)",
                    hint: "write turns: { shared: \(group.name) } at another exchange too")
            } else if group.mostReplies < 2 {
                sink.report(
                    group.node, "the turn \(name) decides nothing: every exchange that shares it has one reply",
                    hint: "write a list of replies at one of them")
            }
        }
    }
}
