import CLua

extension ScriptState {
    /// Copies what a script returned.
    func copyAnswer(_ index: Int, on lua: OpaquePointer) throws(ScriptFailure) -> ScriptAnswer {
        let stack = unsafe stack(lua)
        switch stack.type(index) {
        case LUA_TNIL: return .nothing
        case LUA_TBOOLEAN: return .flag(stack.flag(index))
        case LUA_TTABLE: break
        default:
            throw ScriptFailure(
                "the script returns a \(stack.typeName(index)); a reply is a table like { status = 200, body = \"…\" }")
        }
        if let plain = plain(index, stack) { return .plain(plain) }
        var reader = unsafe LuaTreeReader(stack, bounds, arrayMark: arrayMark)
        return .table(try reader.value(index))
    }

    private struct Unusual: Error {}

    /// A reply with only the usual keys, without a tree of values; nil if there is another key.
    private func plain(_ index: Int, _ stack: LuaStack) -> ScriptAnswer.Plain? {
        var plain = ScriptAnswer.Plain()
        var hasStatus = false
        do throws(Unusual) {
            try stack.forEach(index) { () throws(Unusual) in
                guard let key = unsafe stack.borrowed(-2) else { throw Unusual() }
                if unsafe key.equals("status") {
                    guard let status = stack.whole(-1), 200...999 ~= status else { throw Unusual() }
                    plain.status = Int(status)
                    hasStatus = true
                } else if unsafe key.equals("body") {
                    guard let body = unsafe stack.borrowed(-1) else { throw Unusual() }
                    plain.body = unsafe Array(body)
                } else if unsafe key.equals("headers") {
                    plain.fields = try fields(stack)
                } else {
                    throw Unusual()
                }
            }
        } catch {
            return nil
        }
        return hasStatus ? plain : nil
    }

    /// The fields of the table on top of the stack, sorted by name, since a Lua table has no order.
    private func fields(_ stack: LuaStack) throws(Unusual) -> ScriptAnswer.Fields {
        guard stack.type(-1) == LUA_TTABLE else { throw Unusual() }
        var fields = ScriptAnswer.Fields()
        fields.reserve(lineCount: 4, byteCount: 128)
        var byteCount = 0
        try stack.forEach(-1) { () throws(Unusual) in
            byteCount += stack.length(-2) + stack.length(-1)
            guard byteCount <= bounds.memoryByteCount else { throw Unusual() }
            guard let name = unsafe stack.borrowed(-2), name.count > 0, fields.count < 1000, unsafe name.isToken
            else { throw Unusual() }
            if let value = unsafe stack.borrowed(-1) {
                guard unsafe value.isFieldText else { throw Unusual() }
                unsafe fields.add(name, value)
            } else if let number = stack.text(-1) {
                unsafe number.withUnsafeBytes { unsafe fields.add(name, $0) }
            } else {
                throw Unusual()
            }
        }
        fields.sort()
        return fields
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func equals(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        for index in 0..<count where unsafe self[index] != word.utf8Start[index] { return false }
        return true
    }

    /// Whether the bytes are legal in a field name; the reader of fixtures checks all other names.
    fileprivate var isToken: Bool {
        for index in 0..<count {
            let byte = unsafe self[index]
            guard byte > 0x20, byte < 0x7F, byte != UInt8(ascii: ":") else { return false }
        }
        return true
    }

    /// Whether the bytes are legal in a field value without a tab; the reader of fixtures checks all others.
    fileprivate var isFieldText: Bool {
        for index in 0..<count where unsafe self[index] < 0x20 || self[index] == 0x7F { return false }
        return true
    }
}
