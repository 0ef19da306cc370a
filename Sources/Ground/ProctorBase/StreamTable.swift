/// What belongs to each open stream, by its number.
///
/// Few streams are open at once, and most are opened in the order of their numbers (RFC 9113 §5.1.1, RFC 9000 §2.1). So the
/// entries stand in one sorted array: a look is a binary search without a hash, and a new stream stands at the end.
/// It is public, and inlined where it is used: across modules the compiler specialises nothing else for the types of each protocol.
public struct StreamTable<Number: FixedWidthInteger, Value> {
    @usableFromInline var numbers: [Number] = []
    @usableFromInline var entries: [Value] = []

    /// A table of no stream.
    @inlinable public init() {}

    /// How many streams have an entry.
    @inlinable public var count: Int { numbers.count }
    /// Whether no stream has an entry.
    @inlinable public var isEmpty: Bool { numbers.isEmpty }
    /// The numbers of the streams, ascending.
    @inlinable public var keys: [Number] { numbers }
    /// In the order of ``keys``.
    @inlinable public var values: [Value] { entries }

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

    /// The entry of the stream; setting nil takes it out.
    @inlinable public subscript(stream: Number) -> Value? {
        get {
            let place = place(of: stream)
            return holds(stream, at: place) ? entries[place] : nil
        }
        set {
            let place = place(of: stream)
            switch (newValue, holds(stream, at: place)) {
            case (let value?, true): entries[place] = value
            case (let value?, false): insert(value, of: stream, at: place)
            case (nil, true): _ = removeEntry(at: place)
            case (nil, false): break
            }
        }
    }

    /// Adds the entry of a stream that has none.
    @inlinable package mutating func add(_ value: Value, of stream: Number) {
        insert(value, of: stream, at: place(of: stream))
    }

    /// What `body` makes of the entry, which it may change; nil where the stream has none.
    @inlinable public mutating func change<Result>(_ stream: Number, _ body: (inout Value) -> Result) -> Result? {
        let place = place(of: stream)
        return holds(stream, at: place) ? body(&entries[place]) : nil
    }

    /// Takes the entry out; nil where the stream has none.
    @inlinable public mutating func remove(_ stream: Number) -> Value? {
        let place = place(of: stream)
        return holds(stream, at: place) ? removeEntry(at: place) : nil
    }

    // At the end, where most streams are opened and many end, an array needs no general way of moving entries.

    @inlinable mutating func insert(_ value: Value, of stream: Number, at place: Int) {
        guard place < numbers.count else {
            numbers.append(stream)
            entries.append(value)
            return
        }
        numbers.insert(stream, at: place)
        entries.insert(value, at: place)
    }

    @inlinable mutating func removeEntry(at place: Int) -> Value {
        guard place + 1 < numbers.count else {
            numbers.removeLast()
            return entries.removeLast()
        }
        numbers.remove(at: place)
        return entries.remove(at: place)
    }
}

extension StreamTable: Equatable where Value: Equatable {}
extension StreamTable: Sendable where Number: Sendable, Value: Sendable {}
