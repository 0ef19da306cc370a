extension String {
    func rightAligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    func leftAligned(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// At most `width` characters; a shortened text ends in `ellipsis`.
    func cut(to width: Int, ellipsis: String = "…") -> String {
        count > width ? prefix(max(0, width - ellipsis.count)) + ellipsis : self
    }

    var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension Sequence {
    /// The elements of each key in their order, with the keys in the order of their first element.
    package func grouped<Key: Hashable>(by key: (Element) -> Key) -> [(key: Key, elements: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            let key = key(element)
            if let place = places[key] {
                groups[place].elements.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
