import CLua
import ProctorBase

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A Lua state with the scripts of a scenario, for one run and one thread; it shares nothing with other states.
///
/// Functions of the shim make every call that can raise an error, within a protected call.
@safe package final class ScriptState {
    package let bounds: ScriptBounds
    private let lua: OpaquePointer
    private let shared: UnsafeMutablePointer<proctor_lua>
    let account: UnsafeMutablePointer<MemoryAccount>
    let buffer = ValueBuffer()
    private var idle: [Thread] = []
    private var callCount: Int64 = 0
    /// The call whose script runs now.
    private(set) var present: ScriptCall?

    /// A coroutine of ours, which is reused after its script has ended without an error.
    @safe struct Thread {
        let lua: OpaquePointer
        let reference: Int64
    }

    /// A script that this state has compiled.
    package struct Compiled: Sendable {
        fileprivate let reference: Int64
        fileprivate let name: String
    }

    /// Throws if there is not enough memory.
    ///
    /// `effects`: the names of functions that play the effect of their name, see ``ScriptStep/effect(do:isAbrupt:)``.
    package convenience init(
        _ bounds: ScriptBounds = ScriptBounds(), effects: [String] = []
    ) throws(ScriptFailure) {
        try self.init(bounds, effects: effects, failingFrom: .max)
    }

    /// `failingFrom`: from this allocation on all allocations fail, for tests.
    init(_ bounds: ScriptBounds, effects: [String] = [], failingFrom: Int) throws(ScriptFailure) {
        self.bounds = bounds
        unsafe account = .allocate(capacity: 1)
        unsafe account.initialize(to: MemoryAccount(bounds, failingFrom: failingFrom))
        guard let lua = unsafe lua_newstate(allocateForLua, account) else {
            unsafe account.deinitialize(count: 1)
            unsafe account.deallocate()
            throw ScriptFailure("no memory for a state of Lua", bound: .memory)
        }
        unsafe self.lua = lua
        unsafe shared = .allocate(capacity: 1)
        unsafe shared.initialize(to: proctor_lua())
        unsafe shared.pointee.owner = Unmanaged.passUnretained(self).toOpaque()
        unsafe shared.pointee.call = callFromLua
        unsafe shared.pointee.tick = tickOfLua
        unsafe shared.pointee.request_metatable = Metatable.request.rawValue
        unsafe shared.pointee.property_count = Int32(RequestProperty.count)
        unsafe proctor_lua_set_host(lua, shared)
        unsafe account.pointee.setHookInterval(at: &shared.pointee.hook_interval)
        let text = Prelude.text(effects: effects)
        let status = unsafe text.withUnsafeBytes { bytes in
            unsafe shared.pointee.prelude = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
            unsafe shared.pointee.prelude_count = bytes.count
            return unsafe proctor_lua_try_open(lua)
        }
        guard status == LUA_OK else { throw unsafe failure(status, on: lua, nil, name: "prelude") }
        unsafe proctor_lua_set_hook(lua)
    }

    deinit {
        unsafe lua_close(lua)
        unsafe account.deinitialize(count: 1)
        unsafe shared.deallocate()
        unsafe account.deallocate()
    }

    var arrayMark: UnsafeRawPointer { unsafe UnsafeRawPointer(shared) + Metatable.array.rawValue }

    func stack(_ lua: OpaquePointer) -> LuaStack { unsafe LuaStack(lua, bounds) }

    // MARK: Compiling

    /// Compiles a script once for all its calls; libraries come before the scripts that see their globals.
    package func compile(_ source: ScriptSource) throws(ScriptFailure) -> Compiled {
        let status = unsafe source.load(into: lua, bounds)
        guard status == LUA_OK else { throw unsafe failure(status, on: lua, nil, name: source.name) }
        let adopted =
            unsafe source.role == .library ? proctor_lua_try_adopt_library(lua) : proctor_lua_try_adopt(lua)
        guard adopted == LUA_OK else { throw unsafe failure(adopted, on: lua, nil, name: source.name) }
        defer { unsafe lua_settop(lua, 0) }
        return Compiled(reference: unsafe stack(lua).whole(-1) ?? 0, name: source.name)
    }

    // MARK: Calling

    /// The result of starting or resuming a call.
    package enum Outcome {
        case answer(ScriptAnswer)
        /// The script waits for a step; ``resume(_:)`` continues after it, ``abandon(_:)`` ends the call.
        case step(ScriptStep, ScriptCall)
        case failure(ScriptFailure)
    }

    /// Runs a library once; it has no request, and can neither change state nor wait.
    package func load(_ library: Compiled, for host: some ScriptHost) throws(ScriptFailure) {
        let call = try makeCall(library, for: host, isLibrary: true)
        if case .failure(let failure) = resume(call, arguments: 0) { throw failure }
    }

    /// `pauses`: a script that runs long makes steps ``ScriptStep/pause``.
    package func start(_ script: Compiled, for host: some ScriptHost, pauses: Bool = false) -> Outcome {
        let call: ScriptCall
        do throws(ScriptFailure) {
            call = try makeCall(script, for: host, isLibrary: false)
            call.pauses = pauses
        } catch {
            return .failure(error)
        }
        guard unsafe lua_checkstack(call.thread.lua, 2) != 0 else {
            defer { forget(call.thread) }
            return .failure(unsafe failure(LUA_ERRMEM, on: call.thread.lua, call, name: script.name))
        }
        // The code that ``ScriptSource`` adds before the text calls the first value with both.
        unsafe proctor_lua_push_request(call.thread.lua, call.number)
        return resume(call, arguments: 2)
    }

    /// Makes a call, with its function on the stack of its thread.
    private func makeCall(
        _ script: Compiled, for host: some ScriptHost, isLibrary: Bool
    ) throws(ScriptFailure) -> ScriptCall {
        let thread = try takeThread(name: script.name)
        callCount += 1
        unsafe lua_rawgeti(thread.lua, proctor_LUA_REGISTRYINDEX, script.reference)
        return ScriptCall(number: callCount, name: script.name, host: host, thread: thread, isLibrary: isLibrary)
    }

    /// Continues after a step; the function that made the step returns `result`, and `others` behind it.
    package func resume(_ call: ScriptCall, with result: ScriptValue = .none, _ others: [ScriptValue] = []) -> Outcome {
        // No function of the script waits for a result.
        if call.step == .pause { return resume(call, arguments: 0) }
        switch result {
        // A step without a result returns nil, which a script can pass on.
        case .none where others.isEmpty, .flag where others.isEmpty:
            guard unsafe lua_checkstack(call.thread.lua, 1) != 0 else { return resume(call, arguments: 0) }
            if case .flag(let flag) = result {
                unsafe lua_pushboolean(call.thread.lua, flag ? 1 : 0)
            } else {
                unsafe lua_pushnil(call.thread.lua)
            }
            return resume(call, arguments: 1)
        default: break
        }
        unsafe account.pointee.reset(with: call.allocatedByteCount)
        buffer.removeAll()
        buffer.value(result)
        for other in others { buffer.value(other) }
        let count = Int32(1 + others.count)
        publishBuffer()
        // No function can be called in a suspended coroutine, so the value is made in the main thread.
        let status = unsafe proctor_lua_try_push(lua)
        call.allocatedByteCount = unsafe account.pointee.allocatedByteCount
        guard status == LUA_OK, unsafe lua_checkstack(call.thread.lua, count) != 0 else {
            defer {
                forget(call.thread)
                unsafe account.pointee.reset(with: 0)
            }
            return .failure(unsafe failure(status == LUA_OK ? LUA_ERRMEM : status, on: lua, nil, name: call.name))
        }
        unsafe lua_xmove(lua, call.thread.lua, count)
        return resume(call, arguments: count)
    }

    /// Lets the bounds of one call begin anew, for a script that has received a message: it is answered as a request is.
    package func beginPart(of call: ScriptCall) {
        guard call.exceeded == nil else { return }
        (call.instructionCount, call.stretchStart) = (0, 0)
        call.allocatedByteCount = 0
        call.time = ComputedTime()
    }

    /// Frees the resources of a call that is not resumed.
    package func abandon(_ call: ScriptCall) { forget(call.thread) }

    private func resume(_ call: ScriptCall, arguments: Int32) -> Outcome {
        let thread = call.thread
        present = call
        call.step = nil
        call.stretchStart = call.instructionCount
        call.time.startComputing()
        unsafe shared.pointee.pausing = call.pauses ? thread.lua : nil
        unsafe shared.pointee.has_paused = 0
        unsafe account.pointee.reset(with: call.allocatedByteCount)
        var resultCount: Int32 = 0
        let status = unsafe lua_resume(thread.lua, lua, arguments, &resultCount)
        present = nil
        call.allocatedByteCount = unsafe account.pointee.allocatedByteCount
        call.time.stopComputing()
        // Runs after `failure`, which reads whether the last allocation was refused.
        defer { unsafe account.pointee.reset(with: 0) }
        switch status {
        case LUA_OK:
            let outcome = ended(call, resultCount: Int(resultCount))
            unsafe lua_settop(thread.lua, 0)
            if case .failure = outcome { forget(thread) } else { recycle(thread) }
            return outcome
        case LUA_YIELD:
            if unsafe shared.pointee.has_paused != 0 { call.step = .pause }
            guard let step = call.step else {
                forget(thread)
                return .failure(ScriptFailure("\(call.name): coroutine.yield stands outside of a coroutine"))
            }
            return .step(step, call)
        default:
            defer { forget(thread) }
            return .failure(unsafe failure(status, on: thread.lua, call, name: call.name))
        }
    }

    /// The outcome of a script that has returned; its results are on its stack.
    private func ended(_ call: ScriptCall, resultCount: Int) -> Outcome {
        if let bound = call.exceeded {
            // The script has caught the error, and ended before the bound raised the next one.
            return .failure(ScriptFailure("\(call.name): \(bounds.sentence(bound))", bound: bound))
        }
        guard resultCount > 0 else { return .answer(.nothing) }
        let lua = unsafe call.thread.lua
        if call.isLibrary {
            let value = unsafe stack(lua)
            let first = value.count - resultCount + 1
            guard value.type(first) != LUA_TNIL else { return .answer(.nothing) }
            return .failure(
                ScriptFailure(
                    "\(call.name): the library returns a \(value.typeName(first)), which nothing takes; what scripts use "
                        + "stands in its globals, like function page(request) … end"))
        }
        do throws(ScriptFailure) {
            return .answer(try unsafe copyAnswer(Int(lua_gettop(lua)) - resultCount + 1, on: lua))
        } catch {
            return .failure(ScriptFailure("\(call.name): \(error.message)", bound: error.bound))
        }
    }

    private func takeThread(name: String) throws(ScriptFailure) -> Thread {
        if let thread = idle.popLast() { return thread }
        let status = unsafe proctor_lua_try_thread(lua)
        guard status == LUA_OK else { throw unsafe failure(status, on: lua, nil, name: name) }
        defer { unsafe lua_settop(lua, 0) }
        guard let pointer = unsafe lua_touserdata(lua, -1) else {
            throw ScriptFailure("no memory for a coroutine", bound: .memory)
        }
        return unsafe Thread(lua: OpaquePointer(pointer), reference: stack(lua).whole(-2) ?? 0)
    }

    private func recycle(_ thread: Thread) {
        guard idle.count < 16 else { return forget(thread) }
        idle.append(thread)
    }

    private func forget(_ thread: Thread) {
        // If even that fails, the state has no memory, and its owner closes it.
        if unsafe proctor_lua_try_forget(lua, lua_Integer(thread.reference)) != LUA_OK {}
        unsafe lua_settop(lua, 0)
    }

    // MARK: Failures

    private func failure(
        _ status: Int32, on lua: OpaquePointer, _ call: ScriptCall?, name: String
    ) -> ScriptFailure {
        // After an error the thread's stack is not cleared: that would run the script's to-be-closed variables.
        defer { if unsafe lua == self.lua { unsafe lua_settop(lua, 0) } }
        let stack = unsafe stack(lua)
        if status == LUA_ERRMEM {
            let bound = unsafe account.pointee.refusal ?? .memory
            return ScriptFailure("\(name): \(bounds.sentence(bound))", bound: bound)
        }
        if let bound = call?.exceeded {
            let text = stack.count > 0 ? stack.text(-1).map { String(decoding: $0, as: UTF8.self) } : nil
            let sentence = bounds.sentence(bound)
            return ScriptFailure(
                text.flatMap { $0.hasSuffix(sentence) ? $0 : nil } ?? "\(name): \(sentence)", bound: bound)
        }
        guard stack.count > 0 else { return ScriptFailure("\(name): an error without a value") }
        guard let text = stack.text(-1) else {
            return ScriptFailure("\(name): the error is a \(stack.typeName(-1)), not a text")
        }
        let sentence = Self.withoutPrelude(String(decoding: text.prefix(4096), as: UTF8.self))
        // Lua gives no position for some of its own errors, nor for those that a script raises without one.
        return ScriptFailure(sentence.hasPrefix("\(name):") ? sentence : "\(name): \(sentence)")
    }

    /// Removes a position in the prelude, which the script's author does not have.
    private static func withoutPrelude(_ sentence: String) -> String {
        guard sentence.hasPrefix("(prelude):"), let end = sentence.firstRange(ofText: ": ") else { return sentence }
        return String(sentence[end.upperBound...])
    }

    /// Makes the contents of the buffer visible to the shim.
    func publishBuffer() {
        unsafe shared.pointee.output = UnsafePointer(buffer.start)
        unsafe shared.pointee.output_count = buffer.count
    }

    // MARK: Callbacks

    /// Counts work, and says what follows; if a bound is reached, its name is in the buffer.
    fileprivate func tick(_ work: Int64) -> Int32 {
        guard let call = present else { return 0 }
        call.count(work, bounds)
        guard let bound = call.exceeded else {
            unsafe account.pointee.didLook()
            return call.isLong(bounds) ? proctor_lua_pauses : 0
        }
        buffer.removeAll()
        buffer.text(bounds.sentence(bound))
        publishBuffer()
        return proctor_lua_ends
    }

    fileprivate func call(_ function: Int32, on lua: OpaquePointer) -> Int32 {
        buffer.removeAll()
        defer { publishBuffer() }
        guard let call = present, let native = NativeFunction(rawValue: Int(function)) else {
            buffer.text("a function of the server is called outside of a call")
            return proctor_lua_fails
        }
        do throws(ScriptFailure) {
            return try unsafe NativeCall(state: self, call: call, stack: stack(lua), isMain: lua == call.thread.lua)
                .perform(native)
        } catch {
            buffer.removeAll()
            buffer.text(error.message)
            return proctor_lua_fails
        }
    }
}

/// One call of a script, from its start to its answer.
package final class ScriptCall {
    let number: Int64
    let name: String
    package let host: any ScriptHost
    let thread: ScriptState.Thread
    /// Whether the call loads a library, instead of answering a request.
    let isLibrary: Bool
    fileprivate(set) var exceeded: ScriptBound?
    var step: ScriptStep?
    fileprivate var allocatedByteCount = 0
    /// Whether the script may pause between two instructions.
    fileprivate(set) var pauses = false
    fileprivate(set) var instructionCount: Int64 = 0
    /// The count when it began or went on.
    fileprivate var stretchStart: Int64 = 0
    fileprivate var time = ComputedTime()

    fileprivate init(
        number: Int64, name: String, host: any ScriptHost, thread: ScriptState.Thread, isLibrary: Bool
    ) {
        (self.number, self.name, self.host, self.thread, self.isLibrary) = (number, name, host, thread, isLibrary)
    }

    /// Adds work of any kind; records a bound that is reached.
    func count(_ work: Int64, _ bounds: ScriptBounds) {
        guard exceeded == nil else { return }
        instructionCount = instructionCount &+ work
        if instructionCount > bounds.instructionCount || instructionCount < 0 { return exceeded = .instructions }
        if instructionCount &- stretchStart > bounds.wholeStretchCount { return exceeded = .stretch }
        if time.isOver(bounds.duration.wholeNanoseconds) { exceeded = .time }
    }

    /// Whether others shall have their turn.
    func isLong(_ bounds: ScriptBounds) -> Bool { pauses && instructionCount &- stretchStart > bounds.stretchCount }
}

private func callFromLua(_ shared: UnsafeMutablePointer<proctor_lua>?, _ lua: OpaquePointer?, _ function: Int32)
    -> Int32
{
    guard let shared = unsafe shared, let lua = unsafe lua, let owner = unsafe shared.pointee.owner else {
        return proctor_lua_fails
    }
    return unsafe Unmanaged<ScriptState>.fromOpaque(owner)._withUnsafeGuaranteedRef {
        unsafe $0.call(function, on: lua)
    }
}

private func tickOfLua(_ shared: UnsafeMutablePointer<proctor_lua>?, _ work: Int64) -> Int32 {
    guard let shared = unsafe shared, let owner = unsafe shared.pointee.owner else { return 0 }
    return unsafe Unmanaged<ScriptState>.fromOpaque(owner)._withUnsafeGuaranteedRef { $0.tick(work) }
}
