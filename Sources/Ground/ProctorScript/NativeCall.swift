import CLua
import ProctorBase

/// The Swift functions that the prelude calls.
enum NativeFunction: Int, CaseIterable {
    case find = 1
    case match, search, random, jsonEncode, jsonDecode, base64Encode, base64Decode, hash, hmac, crc32, now, monotonic
    case httpDate, getState, setState, addToState, takeFromState, charge, property, step, wait
    case joinChannel, sendToChannel
    case base64URLEncode, base64URLDecode, keyPublic, keyPrivate, keySign, keyVerify
}

/// One call of a Swift function by a script; it never raises an error, and leaves its results in the buffer.
@safe struct NativeCall {
    let state: ScriptState
    let call: ScriptCall
    let stack: LuaStack
    /// Whether the caller is the script's main coroutine, not one that the script has made.
    let isMain: Bool

    var buffer: ValueBuffer { state.buffer }

    /// Returns the number of results, or that the script waits.
    func perform(_ function: NativeFunction) throws(ScriptFailure) -> Int32 {
        if call.isLibrary, let name = nameOfRequestFunction(function) {
            throw ScriptFailure(
                "'\(name)' can't be called while a library is loaded; call it in a function of the library")
        }
        switch function {
        case .find: return try find()
        case .match: return try match()
        case .search: return try searchSubject()
        case .random: try random()
        case .jsonEncode: try jsonEncode()
        case .jsonDecode: try jsonDecode()
        case .base64Encode: buffer.text(Base64Text.encode(try text(1, "base64.encode")))
        case .base64Decode: try base64Decode("base64.decode", Base64Text.decode)
        case .hash: buffer.text(try hash(try word(1), try text(2, "hash")))
        case .hmac: buffer.text(try hmac(try word(1), key: try text(2, "hash.hmac"), try text(3, "hash.hmac")))
        case .crc32: buffer.whole(Int64(CRC32.checksum(of: try text(1, "hash.crc32"))))
        case .now: buffer.real(call.host.unixTime())
        case .monotonic: buffer.real(call.host.monotonicTime())
        case .httpDate: try httpDate()
        case .getState: getState(try scope(), try text(2, "state.get"))
        case .setState: try setState()
        case .addToState: try addToState()
        case .takeFromState: try takeFromState()
        case .charge: try charge(stack.whole(1) ?? 0)
        case .property: try property()
        case .step: return try step()
        case .wait: return try wait()
        case .joinChannel: try joinChannel()
        case .sendToChannel: try sendToChannel()
        case .base64URLEncode: buffer.text(Base64Text.encodeURL(try text(1, "base64.url_encode")))
        case .base64URLDecode: try base64Decode("base64.url_decode", Base64Text.decodeURL)
        case .keyPublic: try showKey("key.public", withPrivate: false)
        case .keyPrivate: try showKey("key.private", withPrivate: true)
        case .keySign: try signByKey()
        case .keyVerify: return try verifyByKey()
        }
        return 1
    }

    /// The name of a function that answers or changes something for one request; nil for other functions.
    private func nameOfRequestFunction(_ function: NativeFunction) -> String? {
        let scope = stack.flag(1) ? "connection" : "state"
        return switch function {
        case .random: "math.random"
        case .getState: "\(scope).get"
        case .setState: "\(scope).set"
        case .addToState: "\(scope).add"
        case .takeFromState: "\(scope).take"
        case .wait: "wait"
        case .joinChannel: "channel.join"
        case .sendToChannel: "channel.send"
        case .keyPublic: "key.public"
        case .keyPrivate: "key.private"
        case .keySign: "key.sign"
        case .keyVerify: "key.verify"
        case .step: stack.text(1).map { String(decoding: $0, as: UTF8.self) } ?? "a step"
        default: nil
        }
    }

    // MARK: Arguments

    func text(_ index: Int, _ function: String) throws(ScriptFailure) -> [UInt8] {
        if let text = stack.text(index) {
            try charge(Int64(text.count / 16))
            return text
        }
        throw ScriptFailure(
            "bad argument to '\(function)' (string expected, got \(stack.typeName(index)))")
    }

    private func word(_ index: Int) throws(ScriptFailure) -> String {
        String(decoding: try text(index, "hash"), as: UTF8.self)
    }

    func charge(_ work: Int64) throws(ScriptFailure) {
        guard work > 0 else { return }
        call.count(work, state.bounds)
        if let bound = call.exceeded { throw ScriptFailure(state.bounds.sentence(bound)) }
    }

    // MARK: Libraries

    private func random() throws(ScriptFailure) {
        let bits = call.host.nextRandom()
        guard stack.count > 0 else { return buffer.real(Double(bits >> 11) / 9_007_199_254_740_992) }
        guard let first = stack.whole(1), stack.count < 2 || stack.whole(2) != nil else {
            throw ScriptFailure("bad argument to 'random' (whole number expected)")
        }
        // Lua's manual §6.7: `math.random(0)` returns all 64 bits.
        if first == 0, stack.count == 1 { return buffer.whole(Int64(bitPattern: bits)) }
        let (low, high) = stack.whole(2).map { (first, $0) } ?? (1, first)
        guard low <= high else { throw ScriptFailure("bad argument to 'random' (interval is empty)") }
        let (width, overflow) = UInt64(bitPattern: high &- low).addingReportingOverflow(1)
        // The high half of the product; its bias is too small to be noticed for a width below 2⁶⁴.
        let offset = overflow ? bits : bits.multipliedFullWidth(by: width).high
        buffer.whole(low &+ Int64(bitPattern: offset))
    }

    private func jsonEncode() throws(ScriptFailure) {
        guard stack.count > 0 else { throw ScriptFailure("bad argument to 'json.encode' (value expected)") }
        var reader = unsafe LuaTreeReader(stack, state.bounds, arrayMark: state.arrayMark)
        let value: ScriptValue
        do throws(ScriptFailure) {
            value = try reader.value(1)
        } catch {
            throw ScriptFailure("json.encode: \(error.message)")
        }
        var json = LuaJSON(try jsonForm())
        try json.write(value)
        try charge(Int64(json.bytes.count / 8))
        buffer.text(json.bytes)
    }

    /// The options in the second argument of `json.encode`.
    private func jsonForm() throws(ScriptFailure) -> LuaJSON.Form {
        var form = LuaJSON.Form()
        guard stack.type(2) > LUA_TNIL else { return form }
        var reader = unsafe LuaTreeReader(stack, state.bounds, arrayMark: state.arrayMark)
        guard case .table(let options) = try reader.value(2) else {
            throw ScriptFailure("bad argument to 'json.encode' (options expected as a table, like { indent = 2 })")
        }
        for option in options {
            switch (String(decoding: option.key, as: UTF8.self), option.value) {
            case ("indent", .whole(let count)) where LuaJSON.Form.indents.contains(Int(clamping: count)):
                form.indent = Int(count)
            case ("ascii", .flag(let flag)): form.isASCII = flag
            default:
                throw ScriptFailure("json.encode: the options are indent = 1 to 16, and ascii = true or false")
            }
        }
        return form
    }

    /// Returns the value, or nil and an error text.
    private func jsonDecode() throws(ScriptFailure) {
        let bytes = try text(1, "json.decode")
        try charge(Int64(bytes.count / 4))
        do throws(JSONToLua.Fault) {
            try JSONToLua.read(bytes, state.bounds, into: buffer)
        } catch {
            throw ScriptFailure(error.sentence)
        }
    }

    private func base64Decode(
        _ name: String, _ decode: ([UInt8]) throws(EncodedTextError) -> [UInt8]
    ) throws(ScriptFailure) {
        let encoded = try text(1, name)
        do throws(EncodedTextError) {
            buffer.text(try decode(encoded))
        } catch {
            throw ScriptFailure("\(name), offset \(error.offset): \(error.sentence)")
        }
    }

    private func hash(_ function: String, _ bytes: [UInt8]) throws(ScriptFailure) -> [UInt8] {
        try charge(Int64(bytes.count / 4))
        guard let hash = call.host.hash(function, bytes) else {
            throw ScriptFailure("the hash \(function) can't be computed; there are md5, sha1, sha256 and sha512")
        }
        return hash
    }

    /// HMAC (RFC 2104).
    private func hmac(_ function: String, key: [UInt8], _ bytes: [UInt8]) throws(ScriptFailure) -> [UInt8] {
        let blockByteCount = function == "sha512" ? 128 : 64
        var key = key.count > blockByteCount ? try hash(function, key) : key
        key += [UInt8](repeating: 0, count: blockByteCount - key.count)
        let inner = try hash(function, key.map { $0 ^ 0x36 } + bytes)
        return try hash(function, key.map { $0 ^ 0x5C } + inner)
    }

    private func httpDate() throws(ScriptFailure) {
        let seconds = stack.whole(1) ?? stack.real(1).flatMap { Int64(exactly: $0.rounded(.down)) }
        guard let date = call.host.httpDate(seconds ?? Int64(call.host.unixTime())) else {
            throw ScriptFailure("time.http: the year is not within 1 and 9999")
        }
        buffer.text(date)
    }

    // MARK: State

    private func scope() throws(ScriptFailure) -> ScriptScope { stack.flag(1) ? .connection : .run }

    private func getState(_ scope: ScriptScope, _ name: [UInt8]) {
        guard let value = call.host.state(scope, name) else { return buffer.none() }
        buffer.text(value)
    }

    private func setState() throws(ScriptFailure) {
        let name = try text(2, "state.set")
        let value: [UInt8]? = stack.type(3) <= LUA_TNIL ? nil : try text(3, "state.set")
        if let refusal = call.host.setState(try scope(), name, to: value) { throw ScriptFailure(refusal) }
        buffer.none()
    }

    private func addToState() throws(ScriptFailure) {
        let name = try text(2, "state.add")
        guard let number = stack.type(3) <= LUA_TNIL ? 1 : stack.whole(3) else {
            throw ScriptFailure("bad argument to 'state.add' (whole number expected)")
        }
        buffer.whole(try call.host.addToState(try scope(), name, number).get())
    }

    private func takeFromState() throws(ScriptFailure) {
        let name = try text(2, "state.take")
        guard let value = try call.host.takeFromState(try scope(), name).get() else { return buffer.none() }
        buffer.text(value)
    }

    // MARK: The request

    private func property() throws(ScriptFailure) {
        guard let number = stack.objectNumber(1), number == call.number else {
            throw ScriptFailure("this request is over; a script keeps what it needs of it in variables")
        }
        guard let property = stack.whole(2).flatMap({ RequestProperty(number: $0) }) else { return buffer.none() }
        guard property == .json else { return call.host.write(property, to: buffer) }
        guard let body = call.host.body else { return buffer.none() }
        try charge(Int64(body.count / 4))
        do throws(JSONToLua.Fault) {
            try JSONToLua.read(body, state.bounds, into: buffer)
        } catch {
            // For content that is no JSON the property is nil; json.decode reports the error.
            buffer.removeAll()
            buffer.none()
        }
    }

    // MARK: Steps

    private func yields(_ step: ScriptStep, _ name: String) throws(ScriptFailure) -> Int32 {
        guard isMain else { throw ScriptFailure("'\(name)' can't be called in a coroutine of the script's own") }
        call.step = step
        return proctor_lua_yields
    }

    /// Reads the number of the step, and a text or a flag.
    private func step() throws(ScriptFailure) -> Int32 {
        let name = try word(1)
        switch name {
        case "send": return try yields(try sending(name), name)
        case "receive": return try yields(.receive(within: try receivingTime(name)), name)
        case "await":
            return try yields(.effect(do: "await \(String(decoding: try text(2, name), as: UTF8.self))"), name)
        case "close": return try yields(try closing(name), name)
        case "read":
            guard !call.host.hasMessages else {
                throw ScriptFailure("'read' reads the content of a request; a script of a WebSocket calls 'receive'")
            }
            guard let count = stack.whole(2), 1...Int64(ScriptStep.readByteLimit) ~= count else {
                throw ScriptFailure(
                    "bad argument to 'read' (number of bytes expected, 1 to \(ScriptStep.readByteLimit))")
            }
            return try yields(.read(Int(count)), name)
        default: return try yields(effect(name), name)
        }
    }

    /// The effect that a function of the prelude is named after; argument 2 is whether it is abrupt.
    func effect(_ name: String) -> ScriptStep {
        .effect(do: name.split(separator: "_").joined(separator: "-"), isAbrupt: stack.flag(2))
    }

    private func wait() throws(ScriptFailure) -> Int32 { try yields(.wait(try seconds(1, "wait")), "wait") }

    func seconds(_ index: Int, _ name: String) throws(ScriptFailure) -> Duration {
        guard let seconds = stack.real(index), seconds > 0, seconds <= 600 else {
            throw ScriptFailure("bad argument to '\(name)' (seconds expected, more than 0 and at most 600)")
        }
        return .nanoseconds(Int64(seconds * 1e9))
    }
}
