import CLua
import ProctorBase

/// Reads the values of one Lua thread by calls that never raise errors; metatables are ignored.
@safe struct LuaStack {
    private let lua: OpaquePointer
    private let bounds: ScriptBounds

    init(_ lua: OpaquePointer, _ bounds: ScriptBounds) {
        unsafe self.lua = lua
        self.bounds = bounds
    }

    var count: Int { unsafe Int(lua_gettop(lua)) }

    func type(_ index: Int) -> Int32 { unsafe lua_type(lua, Int32(index)) }

    func typeName(_ index: Int) -> String {
        switch type(index) {
        case LUA_TNIL, LUA_TNONE: "nil"
        case LUA_TBOOLEAN: "boolean"
        case LUA_TNUMBER: "number"
        case LUA_TSTRING: "string"
        case LUA_TTABLE: "table"
        case LUA_TFUNCTION: "function"
        case LUA_TTHREAD: "thread"
        case LUA_TLIGHTUSERDATA: "null"
        default: "object"
        }
    }

    func flag(_ index: Int) -> Bool { unsafe lua_toboolean(lua, Int32(index)) != 0 }

    /// An integer, or a float with an integer value; nil for anything else.
    func whole(_ index: Int) -> Int64? {
        guard type(index) == LUA_TNUMBER else { return nil }
        var isWhole: Int32 = 0
        let number = unsafe lua_tointegerx(lua, Int32(index), &isWhole)
        return isWhole == 0 ? nil : Int64(number)
    }

    func real(_ index: Int) -> Double? {
        guard type(index) == LUA_TNUMBER else { return nil }
        return unsafe lua_tonumberx(lua, Int32(index), nil)
    }

    /// Whether a number is stored as an integer.
    func isWholeNumber(_ index: Int) -> Bool { unsafe lua_isinteger(lua, Int32(index)) != 0 }

    /// The memory of a string, valid while the value is on the stack; nil for anything else.
    func borrowed(_ index: Int) -> UnsafeRawBufferPointer? {
        // lua_tolstring would convert a number to a string, which can raise an error.
        guard type(index) == LUA_TSTRING else { return nil }
        var length = 0
        let start = unsafe lua_tolstring(lua, Int32(index), &length)
        return unsafe UnsafeRawBufferPointer(start: start, count: length)
    }

    /// A string, or a number as text; nil for anything else.
    func text(_ index: Int) -> [UInt8]? {
        switch type(index) {
        case LUA_TSTRING: unsafe borrowed(index).map { unsafe Array($0) }
        case LUA_TNUMBER: number(index)
        default: nil
        }
    }

    private func number(_ index: Int) -> [UInt8] {
        if isWholeNumber(index), let whole = whole(index) { return Array("\(whole)".utf8) }
        return Array("\(real(index) ?? 0)".utf8)
    }

    func pop(_ count: Int = 1) { unsafe proctor_lua_pop(lua, Int32(count)) }

    /// Iterates a table; the key is at -2 and the value at -1, and `body` must leave both there.
    func forEach<Failure: Error>(
        _ table: Int, _ body: () throws(Failure) -> Void
    ) throws(Failure) {
        guard unsafe lua_checkstack(lua, 4) != 0 else { return }
        let absolute = unsafe lua_absindex(lua, Int32(table))
        unsafe lua_pushnil(lua)
        while unsafe lua_next(lua, absolute) != 0 {
            try body()
            pop()
        }
    }

    /// Whether the table is marked as a JSON array.
    func isMarkedArray(_ index: Int, _ mark: UnsafeRawPointer) -> Bool {
        guard unsafe lua_checkstack(lua, 2) != 0, unsafe lua_getmetatable(lua, Int32(index)) != 0 else { return false }
        unsafe lua_rawgetp(lua, proctor_LUA_REGISTRYINDEX, mark)
        defer { pop(2) }
        return unsafe lua_rawequal(lua, -1, -2) != 0
    }

    /// The number of an object made by ``ValueBuffer/object(_:)``; nil for anything else.
    func objectNumber(_ index: Int) -> Int64? {
        guard type(index) == LUA_TUSERDATA, length(index) == 8,
            let block = unsafe lua_touserdata(lua, Int32(index))
        else { return nil }
        return unsafe block.loadUnaligned(as: Int64.self)
    }

    func length(_ index: Int) -> Int { unsafe Int(clamping: lua_rawlen(lua, Int32(index))) }
}

/// Copies tables, with bounds on depth and number of values.
@safe struct LuaTreeReader {
    let stack: LuaStack
    let bounds: ScriptBounds
    let arrayMark: UnsafeRawPointer
    private var valueCount = 0
    private var textByteCount = 0

    init(_ stack: LuaStack, _ bounds: ScriptBounds, arrayMark: UnsafeRawPointer) {
        (self.stack, self.bounds) = (stack, bounds)
        unsafe self.arrayMark = arrayMark
    }

    /// Leaves the stack as before, unless it throws.
    mutating func value(_ index: Int, depth: Int = 1) throws(ScriptFailure) -> ScriptValue {
        valueCount += 1
        guard valueCount <= bounds.valueCount else {
            throw ScriptFailure("the table has more than \(bounds.valueCount) values")
        }
        switch stack.type(index) {
        case LUA_TNIL: return .none
        case LUA_TBOOLEAN: return .flag(stack.flag(index))
        case LUA_TLIGHTUSERDATA: return .null
        case LUA_TSTRING: return .text(try text(index))
        case LUA_TNUMBER:
            if stack.isWholeNumber(index), let whole = stack.whole(index) { return .whole(whole) }
            return .real(stack.real(index) ?? 0)
        case LUA_TTABLE: return try table(index, depth: depth)
        default: throw ScriptFailure("a \(stack.typeName(index)) is no value of a reply or of JSON")
        }
    }

    /// A table can contain the same Lua string any number of times; each time counts as a copy.
    private mutating func text(_ index: Int) throws(ScriptFailure) -> [UInt8] {
        textByteCount += stack.length(index)
        guard textByteCount <= bounds.memoryByteCount else {
            throw ScriptFailure("the texts of the table have more than \(bounds.memoryByteCount) bytes")
        }
        return stack.text(index) ?? []
    }

    private mutating func table(_ index: Int, depth: Int) throws(ScriptFailure) -> ScriptValue {
        guard depth <= bounds.depth else { throw ScriptFailure("the table has more than \(bounds.depth) levels") }
        var members: [ScriptValue.Member] = []
        var items: [(position: Int64, value: ScriptValue)] = []
        try stack.forEach(index) { () throws(ScriptFailure) in
            if stack.type(-2) == LUA_TSTRING {
                members.append(.init(try text(-2), try value(-1, depth: depth + 1)))
            } else if let position = stack.whole(-2) {
                // Throws at once: with colliding keys the whole iteration could take long.
                guard 1...Int64(bounds.valueCount) ~= position else {
                    throw ScriptFailure("the keys of a list are not 1, 2, 3 … without gaps")
                }
                items.append((position, try value(-1, depth: depth + 1)))
            } else {
                throw ScriptFailure("a key is a \(stack.typeName(-2)); keys are texts, or 1, 2, 3 …")
            }
        }
        guard !items.isEmpty else {
            let isArray = unsafe members.isEmpty && stack.isMarkedArray(index, arrayMark)
            return isArray ? .list([]) : .table(members.sorted { $0.key.lexicographicallyPrecedes($1.key) })
        }
        guard members.isEmpty else { throw ScriptFailure("a table has both numbers and texts as keys") }
        items.sort { $0.position < $1.position }
        guard items.first?.position == 1, items.last?.position == Int64(items.count) else {
            throw ScriptFailure("the keys of a list are not 1, 2, 3 … without gaps")
        }
        return .list(items.map(\.value))
    }
}
