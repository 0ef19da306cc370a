/// Numbers for objects, by identity, without keeping them alive.
struct ObjectNumbers {
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var next = 0
    /// For objects that are made out of sight, in the order in which they will be seen.
    private var expected: [Int] = []

    private struct Entry {
        /// nil when the object is gone and its address may belong to another.
        weak var object: AnyObject?
        let number: Int
    }

    mutating func number(of object: AnyObject) -> Int {
        if let entry = entries[ObjectIdentifier(object)], entry.object === object { return entry.number }
        let number = expected.isEmpty ? next : expected.removeFirst()
        assign(number, to: object)
        return number
    }

    /// A number for an object that is not there yet.
    mutating func take() -> Int {
        defer { next += 1 }
        return next
    }

    /// The next object that was never seen is the one of a number taken before.
    mutating func expect(_ number: Int) { expected.append(number) }

    /// The object of that number was not seen, and will not be.
    mutating func withdraw(_ number: Int) { expected.removeAll { $0 == number } }

    /// Later objects get numbers behind the highest one.
    mutating func assign(_ number: Int, to object: AnyObject) {
        entries[ObjectIdentifier(object)] = Entry(object: object, number: number)
        next = max(next, number + 1)
    }

    /// The next object gets at least that number.
    mutating func reserve(below number: Int) { next = max(next, number) }
}
