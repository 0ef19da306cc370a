import CLua
import ProctorBase

/// The text of a script and its place.
package struct ScriptSource: Sendable, Equatable {
    package let text: [UInt8]
    /// The path of the file that contains the text.
    package let file: String
    /// The line of the text's beginning in that file, from 1.
    package let firstLine: Int
    package let role: Role

    package enum Role: Sendable, Equatable {
        /// Runs for each request, available as `request`.
        case answer
        /// Runs once, before all scripts, which can use its globals.
        case library
    }

    package init(text: [UInt8], file: String, firstLine: Int = 1, role: Role = .answer) {
        (self.text, self.file, self.firstLine, self.role) = (text, file, firstLine, role)
    }

    /// The last component of the file's path, for errors; Lua cuts names after 59 bytes.
    package var name: String {
        let last = file.split(separator: "/").last.map { String($0) } ?? file
        return String(last.utf8.prefix(55)) ?? "script"
    }

    /// A text that is not valid Lua, or is too long.
    package struct Mistake: Error, Sendable, Equatable {
        /// The line in the file, from 1.
        package let line: Int
        /// The column in bytes, from 1.
        package let column: Int
        package let sentence: String
    }

    /// The first syntax error; nil for a text that compiles.
    package func mistake(_ bounds: ScriptBounds = ScriptBounds()) -> Mistake? {
        guard text.count <= bounds.sourceByteCount else {
            return Mistake(
                line: firstLine, column: 1,
                sentence: "the script has \(text.count) bytes; at most \(bounds.sourceByteCount) are compiled")
        }
        let account = UnsafeMutablePointer<MemoryAccount>.allocate(capacity: 1)
        unsafe account.initialize(to: MemoryAccount(bounds, failingFrom: .max))
        defer {
            unsafe account.deinitialize(count: 1)
            unsafe account.deallocate()
        }
        guard let lua = unsafe lua_newstate(allocateForLua, account) else {
            return Mistake(line: firstLine, column: 1, sentence: "no memory to compile the script")
        }
        defer { unsafe lua_close(lua) }
        guard unsafe load(into: lua, bounds) != LUA_OK else { return nil }
        let message = unsafe LuaStack(lua, bounds).text(-1).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return mistake(of: message)
    }

    /// Compiles without raising errors; leaves the function, or the error's text, on the stack.
    func load(into lua: OpaquePointer, _ bounds: ScriptBounds) -> Int32 {
        // The empty lines before the text make Lua's line numbers those of the file.
        var whole = [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, firstLine - 1))
        if role == .answer { whole += Self.opening }
        whole += text
        var clock = CompilingClock(bound: bounds.duration.wholeNanoseconds)
        let sentence = "the script takes longer than \(bounds.duration) to compile"
        return unsafe whole.withUnsafeBytes { bytes in
            unsafe sentence.withCString { sentence in
                unsafe withUnsafeMutablePointer(to: &clock) { clock in
                    var text = unsafe proctor_lua_text()
                    unsafe text.rest = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
                    unsafe text.rest_count = bytes.count
                    unsafe text.is_over = compilingIsOver
                    unsafe text.clock = UnsafeMutableRawPointer(clock)
                    unsafe text.sentence = sentence
                    return unsafe proctor_lua_load(lua, &text, "=\(name)")
                }
            }
        }
    }

    /// The first argument makes the request object, the second is its number.
    private static let opening = Array("local request = (...)(...); ".utf8)

    /// Parses `NAME:LINE: sentence near 'token'`; Lua reports no column, so the token is searched in its line.
    private func mistake(of message: String) -> Mistake {
        let rest = message.hasPrefix("\(name):") ? message.dropFirst(name.count + 1) : message[...]
        let digits = rest.prefix { $0.isASCII && $0.isNumber }
        guard let line = Int(digits), rest.dropFirst(digits.count).hasPrefix(": ") else {
            return Mistake(line: firstLine, column: 1, sentence: message)
        }
        let sentence = String(rest.dropFirst(digits.count + 2))
        return Mistake(line: line, column: column(of: sentence, line: line), sentence: sentence)
    }

    /// The line with that number from 0, as Lua counts: LF, CR, and both in either order end a line (manual §3.1).
    private func line(_ wanted: Int) -> [UInt8]? {
        var (number, start, index) = (0, 0, 0)
        while index < text.count {
            let byte = text[index]
            index += 1
            guard byte == 0x0A || byte == 0x0D else { continue }
            if number == wanted { return Array(text[start..<index - 1]) }
            if index < text.count, text[index] == 0x0A || text[index] == 0x0D, text[index] != byte { index += 1 }
            number += 1
            start = index
        }
        return number == wanted ? Array(text[start...]) : nil
    }

    private func column(of sentence: String, line: Int) -> Int {
        guard let own = self.line(line - firstLine) else { return 1 }
        guard sentence.hasSuffix("'"), let near = sentence.firstRange(ofText: " near '") else {
            return (own.firstIndex { $0 != 0x20 && $0 != 0x09 } ?? 0) + 1
        }
        let token = Array(sentence[near.upperBound...].utf8.dropLast())
        guard !token.isEmpty, token.count <= own.count else { return 1 }
        let tokenStart = (0...(own.count - token.count)).last { own[$0..<$0 + token.count].elementsEqual(token) }
        return (tokenStart ?? 0) + 1
    }
}

private struct CompilingClock {
    var time = ComputedTime()
    let bound: UInt64
}

private func compilingIsOver(_ clock: UnsafeMutableRawPointer?) -> Int32 {
    guard let clock = unsafe clock?.assumingMemoryBound(to: CompilingClock.self) else { return 0 }
    return unsafe clock.pointee.time.isOver(clock.pointee.bound) ? 1 : 0
}
