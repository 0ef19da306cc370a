/// What belongs to each open stream, by its number.
///
/// Few streams are open at once, and most are opened in the order of their numbers (RFC 9113 §5.1.1, RFC 9000 §2.1). So the
/// entries stand in one sorted array: a look is a binary search without a hash, and a new stream stands at the end.
/// It is inlined where it is used, since modules of several protocols have it, each for types of its own.
package struct StreamTable<Number: FixedWidthInteger, Value> {
    @usableFromInline var numbers: [Number] = []
    @usableFromInline var entries: [Value] = []

    @inlinable package init() {}

    @inlinable package var count: Int { numbers.count }
    @inlinable package var isEmpty: Bool { numbers.isEmpty }
    /// The numbers of the streams, ascending.
    @inlinable package var keys: [Number] { numbers }
    /// In the order of ``keys``.
    @inlinable package var values: [Value] { entries }

    /// The place of the stream, or the one that it would have.
    @inlinable func place(of stream: Number) -> Int {
        guard let last = numbers.last, stream <= last else { return numbers.count }
        var range = 0..<numbers.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            range = numbers[middle] < stream ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    @inlinable func holds(_ stream: Number, at place: Int) -> Bool { place < numbers.count && numbers[place] == stream }

    @inlinable package subscript(stream: Number) -> Value? {
        get {
            let place = place(of: stream)
            return holds(stream, at: place) ? entries[place] : nil
        }
        set {
            let place = place(of: stream)
            switch (newValue, holds(stream, at: place)) {
            case (let value?, true): entries[place] = value
            case (let value?, false):
                numbers.insert(stream, at: place)
                entries.insert(value, at: place)
            case (nil, true):
                numbers.remove(at: place)
                entries.remove(at: place)
            case (nil, false): break
            }
        }
    }

    /// What `body` makes of the entry, which it may change; nil where the stream has none.
    @inlinable package mutating func change<Result>(_ stream: Number, _ body: (inout Value) -> Result) -> Result? {
        let place = place(of: stream)
        return holds(stream, at: place) ? body(&entries[place]) : nil
    }

    /// Takes the entry out; nil where the stream has none.
    @inlinable package mutating func remove(_ stream: Number) -> Value? {
        let place = place(of: stream)
        guard holds(stream, at: place) else { return nil }
        numbers.remove(at: place)
        return entries.remove(at: place)
    }
}

extension StreamTable: Sendable where Number: Sendable, Value: Sendable {}
