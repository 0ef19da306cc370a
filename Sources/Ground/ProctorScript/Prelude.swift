import ProctorBase

/// The Lua code that makes the sandbox of a state before any script runs, and removes what is unsafe.
enum Prelude {
    /// `CFiles/Scripts/prelude.lua`, in which a name between two `@` stands for what Swift knows: a native function, a
    /// number, or the table of a request's properties.
    static let text: [UInt8] = {
        var values = ["NativeFunction.property": "\(NativeFunction.property.rawValue)"]
        values["RequestProperty"] = RequestProperty.luaTable
        for function in NativeFunction.allCases { values["\(function)"] = "native(1, \(function.rawValue))" }
        for table in [Metatable.array, .fields, .request, .globals] {
            values["Metatable.\(table)"] = "\(table.rawValue)"
        }
        let pieces = ContainedFile.bytes(of: "Scripts/prelude.lua").dropLast()
            .split(separator: UInt8(ascii: "@"), omittingEmptySubsequences: false)
        return pieces.enumerated().flatMap { index, piece -> [UInt8] in
            guard index % 2 == 1 else { return Array(piece) }
            guard let value = values[String(decoding: piece, as: UTF8.self)] else {
                preconditionFailure(
                    "prelude.lua names '\(String(decoding: piece, as: UTF8.self))', which is nothing here")
            }
            return Array(value.utf8)
        }
    }()
}
