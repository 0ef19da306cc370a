import CLua
import ProctorBase

/// The functions of `key`: the first argument is an algorithm, the second the name of a key of the run or a table.
extension NativeCall {
    /// So many instructions count for a signature, a verification, or the making of a key.
    private static let workOfKey: Int64 = 20_000

    func showKey(_ function: String, withPrivate: Bool) throws(ScriptFailure) {
        let key = try key(function)
        buffer.value(try use(key, to: .show(withPrivate: withPrivate), function))
    }

    func signByKey() throws(ScriptFailure) {
        let key = try key("key.sign")
        let content = try text(3, "key.sign")
        try charge(Int64(content.count / 4))
        buffer.value(try use(key, to: .sign(content), "key.sign"))
    }

    /// Returns whether the signature is right, and where the key or the algorithm is none the reason as well.
    func verifyByKey() throws(ScriptFailure) -> Int32 {
        let key = try key("key.verify")
        let content = try text(3, "key.verify")
        let signature = try text(4, "key.verify")
        try charge(Int64(content.count / 4))
        try charge(Self.workOfKey)
        switch call.host.use(key, to: .verify(content, signature: signature)) {
        case .success(let value):
            buffer.value(value)
            return 1
        case .failure(let failure):
            buffer.flag(false)
            buffer.text(failure.message)
            return 2
        }
    }

    private func use(
        _ key: ScriptKey, to act: ScriptKey.Act, _ function: String
    ) throws(ScriptFailure) -> ScriptValue {
        try charge(Self.workOfKey)
        return try call.host.use(key, to: act).mapError { ScriptFailure("\(function): \($0.message)") }.get()
    }

    private func key(_ function: String) throws(ScriptFailure) -> ScriptKey {
        let algorithm = try text(1, function)
        switch stack.type(2) {
        case LUA_TSTRING:
            let name = try text(2, function)
            guard 1...ScriptKey.nameByteLimit ~= name.count else {
                throw ScriptFailure("\(function): the name of a key has 1 to \(ScriptKey.nameByteLimit) bytes")
            }
            return ScriptKey(algorithm: algorithm, source: .text(name))
        case LUA_TTABLE:
            var reader = unsafe LuaTreeReader(stack, state.bounds, arrayMark: state.arrayMark)
            return ScriptKey(algorithm: algorithm, source: try reader.value(2))
        default:
            throw ScriptFailure(
                "bad argument to '\(function)' (the name of a key, or a JSON Web Key as a table, expected, got "
                    + "\(stack.typeName(2)))")
        }
    }
}
