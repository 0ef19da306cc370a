/// A value that is copied between Swift and Lua.
package indirect enum ScriptValue: Sendable, Equatable {
    case none
    case flag(Bool)
    case whole(Int64)
    case real(Double)
    case text([UInt8])
    /// `null` of JSON, which a Lua table can contain.
    case null
    /// A table with the keys 1, 2, 3 …; a JSON array.
    case list([ScriptValue])
    /// A table with string keys; sorted by their bytes if it comes from Lua.
    case table([Member])

    package struct Member: Sendable, Equatable {
        package let key: [UInt8]
        package let value: ScriptValue

        package init(_ key: [UInt8], _ value: ScriptValue) {
            (self.key, self.value) = (key, value)
        }
    }

    package static func text(_ text: String) -> ScriptValue { .text(Array(text.utf8)) }
}

/// An error of a script, or a bound that it reached.
package struct ScriptFailure: Error, Sendable, Equatable {
    /// With file and line if they are known: `reply.lua:3: attempt to index a nil value`.
    package let message: String
    /// nil for an error of the script itself.
    package let bound: ScriptBound?

    package init(_ message: String, bound: ScriptBound? = nil) {
        (self.message, self.bound) = (message, bound)
    }
}
