extension String {
    func rightAligned(_ width: Int) -> String { String(repeating: " ", count: max(0, width - count)) + self }

    package func leftAligned(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }

    /// At most `width` characters; a shortened text ends in `…`.
    package func cut(to width: Int) -> String { count > width ? prefix(max(0, width - 1)) + "…" : self }

    package var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension Array {
    /// The elements at the kept indexes, each with the number of elements left out before it.
    package func elided(keeping kept: Set<Int>) -> [(hidden: Int, element: Element)] {
        var hidden = 0
        return enumerated().compactMap { index, element in
            guard kept.contains(index) else {
                hidden += 1
                return nil
            }
            defer { hidden = 0 }
            return (hidden, element)
        }
    }
}

extension Sequence {
    /// The elements by key, in their order; the keys are in the order of their first element.
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
