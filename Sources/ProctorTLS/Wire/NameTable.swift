/// Names by number and numbers by name, of a text with a hexadecimal number and a name on each line.
struct NameTable: Sendable {
    private let names: [UInt16: String]
    private let numbers: [String: UInt16]

    /// Leaves out what is no such line.
    init(_ text: String) {
        var names: [UInt16: String] = [:]
        var numbers: [String: UInt16] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let number = UInt16(words[0], radix: 16) else { continue }
            names[number] = String(words[1])
            numbers[String(words[1])] = number
        }
        self.names = names
        self.numbers = numbers
    }

    /// nil for a number that is not in it.
    subscript(number: UInt16) -> String? { names[number] }

    /// nil for a name that is not in it.
    func number(of name: String) -> UInt16? { numbers[name] }

    /// Every number in it.
    var all: [UInt16] { names.keys.sorted() }
}
