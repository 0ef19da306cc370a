import ProctorEvents

extension Notation {
    /// Refuses an ambient expression that names a terminal event, which cannot be interleaved.
    package func checkAsAmbient(terminals: [String] = EventVocabulary.terminalNames) throws(NotationError) {
        for node in syntax.nodes {
            guard case .symbol(let index) = node.kind, terminals.contains(syntax.symbols[index].name) else { continue }
            throw NotationError(
                text: text, offset: node.range.lowerBound,
                sentence: """
                    '\(syntax.symbols[index].name)' ends the lane, so it cannot be interleaved; \
                    write it in the lane's own expression
                    """)
        }
    }
}

extension NotationSyntax {
    func body(ofRepetitionAt range: Range<Int>) -> Range<Int>? {
        for node in nodes where node.range == range {
            if case .repeated(let body, _, _) = node.kind { return nodes[body].range }
        }
        return nil
    }
}
