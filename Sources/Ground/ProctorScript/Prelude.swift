import ProctorBase

/// The Lua code that makes the sandbox of a state before any script runs, and removes what is unsafe.
enum Prelude {
    /// The code with a function for each of the `effects`.
    static func text(effects: [String]) -> [UInt8] {
        halves[0] + effects.map { "\"\($0)\"" }.joined(separator: ", ").utf8 + halves[1]
    }

    /// `CFiles/Scripts/prelude.lua` before and behind `@effects@`; another name between two `@` stands for what Swift knows: a
    /// native function, a number, or the table of a request's properties.
    private static let halves: [[UInt8]] = {
        var values = ["NativeFunction.property": "\(NativeFunction.property.rawValue)"]
        values["RequestProperty"] = RequestProperty.luaTable
        for function in NativeFunction.allCases { values["\(function)"] = "native(1, \(function.rawValue))" }
        for table in [Metatable.array, .fields, .request, .globals] {
            values["Metatable.\(table)"] = "\(table.rawValue)"
        }
        let pieces = ContainedFile.bytes(of: "Scripts/prelude.lua").dropLast()
            .split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        var halves: [[UInt8]] = [[]]
        for (index, piece) in pieces.enumerated() {
            let name = String(decoding: piece, as: UTF8.self)
            switch (index % 2, name) {
            case (0, _): halves[halves.count - 1] += piece
            case (_, "effects"): halves.append([])
            default:
                guard let value = values[name] else {
                    preconditionFailure("prelude.lua names '\(name)', which is nothing here")
                }
                halves[halves.count - 1] += value.utf8
            }
        }
        precondition(halves.count == 2, "prelude.lua names '@effects@' once")
        return halves
    }()
}
