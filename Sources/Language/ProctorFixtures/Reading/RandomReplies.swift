import ProctorBase
import ProctorDocument
import ProctorScenario

/// The replies of an exchange, and the turns for which one of several is drawn at random.
struct ReadReplies {
    var replies: [Reply] = []
    /// The turns; empty when each reply is a turn.
    var draws: [ReplyDraw] = []
}

extension ScenarioReader {
    /// Reads one reply, or a list in turn; each may be a `choose`.
    func turns(_ node: Node) -> ReadReplies {
        let items = node.items ?? [node]
        guard items.contains(where: { Self.choose(in: $0) != nil }) else { return ReadReplies(replies: replies(node)) }
        var read = ReadReplies()
        for item in items {
            let first = read.replies.count
            var weights = [1]
            if let entry = Self.choose(in: item) {
                let chosen = choose(entry, in: item)
                weights = chosen.map(\.weight)
                read.replies += chosen.map(\.reply)
            } else if let reply = reply(item) {
                read.replies.append(reply)
            }
            if !weights.isEmpty { read.draws.append(ReplyDraw(first: first, weights: weights)) }
        }
        guard read.replies.count <= Bounds.replies else {
            sink.report(
                node, "there are \(read.replies.count) replies; at most \(Bounds.replies) are permitted")
            return ReadReplies()
        }
        return read
    }

    private static func choose(in node: Node) -> Node.Entry? { node.entries?.first { $0.key == "choose" } }

    /// Reads the replies of a `choose`, with their weights.
    private func choose(_ entry: Node.Entry, in node: Node) -> [(reply: Reply, weight: Int)] {
        for other in node.entries ?? [] where other.key != "choose" {
            sink.report(
                other.keyNode, "\(quoted(other.key)) does not go with \"choose\"", hint: "write it in its replies")
        }
        guard let items = sink.list(entry.value, "choose", limit: Bounds.replies) else { return [] }
        if items.count < 2 {
            sink.report(entry.value, "choose needs a list of two replies or more, of which one is chosen")
        }
        var inner = self
        inner.isInChoose = true
        return items.compactMap { item in
            var weight = 1
            if let node = item.entries?.first(where: { $0.key == "weight" })?.value {
                weight = sink.integer(node, "a weight", in: 1...ReplyDraw.mostWeight) ?? 1
            }
            return inner.reply(item).map { ($0, weight) }
        }
    }
}
