/// Finds many values in a text at once, in time that grows with the text alone (Aho and Corasick, 1975).
///
/// Memory: 21 bytes for each byte of the values.
struct ValueMatcher: Sendable {
    /// A part of a text that holds values: one, or several that overlap.
    struct Match: Equatable, Sendable {
        let range: Range<Int>
        /// The index of the longest value in it.
        let value: Int
    }

    /// Nodes of the tree of all values; a node's children are a chain of siblings, and 0 is the root.
    private var byte: [UInt8] = [0]
    private var firstChild: [Int32] = [0]
    private var nextSibling: [Int32] = [0]
    /// The node of the longest proper suffix that is in the tree.
    private var suffix: [Int32] = [0]
    /// The longest value that ends at the node, as an index; -1: none does.
    private var ended: [Int32] = [-1]
    /// Children of the root by byte, since most bytes of a text are looked up there.
    private var rootChildren = [Int32](repeating: 0, count: 256)
    private let lengths: [Int]

    /// No value may be empty.
    init(_ values: [[UInt8]]) {
        lengths = values.map(\.count)
        for (index, value) in values.enumerated() { add(value, index) }
        connect()
    }

    private mutating func add(_ value: [UInt8], _ index: Int) {
        var node: Int32 = 0
        for next in value {
            var child = child(of: node, next)
            if child == 0 {
                child = Int32(byte.count)
                byte.append(next)
                firstChild.append(0)
                nextSibling.append(firstChild[Int(node)])
                suffix.append(0)
                ended.append(-1)
                firstChild[Int(node)] = child
                if node == 0 { rootChildren[Int(next)] = child }
            }
            node = child
        }
        ended[Int(node)] = Int32(index)
    }

    /// Links each node to that of its longest suffix, level by level.
    private mutating func connect() {
        var level: [Int32] = [0]
        while !level.isEmpty {
            var deeper: [Int32] = []
            for node in level {
                var child = firstChild[Int(node)]
                while child != 0 {
                    if node != 0 { suffix[Int(child)] = step(from: suffix[Int(node)], byte[Int(child)]) }
                    if ended[Int(child)] < 0 { ended[Int(child)] = ended[Int(suffix[Int(child)])] }
                    deeper.append(child)
                    child = nextSibling[Int(child)]
                }
            }
            level = deeper
        }
    }

    /// 0 where there is none.
    private func child(of node: Int32, _ next: UInt8) -> Int32 {
        if node == 0 { return rootChildren[Int(next)] }
        var child = firstChild[Int(node)]
        while child != 0, byte[Int(child)] != next { child = nextSibling[Int(child)] }
        return child
    }

    private func step(from node: Int32, _ next: UInt8) -> Int32 {
        var node = node
        while true {
            let child = child(of: node, next)
            if child != 0 || node == 0 { return child }
            node = suffix[Int(node)]
        }
    }

    /// Each place where a value ends, in order; of values that end there the longest.
    func ends(in text: [UInt8]) -> [Match] {
        var ends: [Match] = []
        var node: Int32 = 0
        for (offset, next) in text.enumerated() {
            node = step(from: node, next)
            let value = Int(ended[Int(node)])
            if value >= 0 { ends.append(Match(range: (offset + 1 - lengths[value])..<(offset + 1), value: value)) }
        }
        return ends
    }

    /// The parts of a text that hold values, in their order; values that overlap are one part, so that no rest of one stays.
    func matches(in text: [UInt8]) -> [Match] {
        var matches: [Match] = []
        for end in ends(in: text) {
            var (range, longest) = (end.range, end.value)
            while let last = matches.last, last.range.upperBound > range.lowerBound {
                range = min(last.range.lowerBound, range.lowerBound)..<range.upperBound
                if lengths[last.value] > lengths[longest] { longest = last.value }
                matches.removeLast()
            }
            matches.append(Match(range: range, value: longest))
        }
        return matches
    }
}
