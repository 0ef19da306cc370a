/// The values that Swift passes to Lua, as the bytes that `proctor_lua_build` reads.
///
/// The address is valid until the next values are written.
@safe package final class ValueBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1024
        unsafe start = .allocate(capacity: capacity)
    }

    deinit { unsafe start.deallocate() }

    /// Removes all values; frees a buffer of more than 1 MiB.
    func removeAll() {
        count = 0
        guard capacity > 1 << 20 else { return }
        unsafe start.deallocate()
        capacity = 1024
        unsafe start = .allocate(capacity: capacity)
    }

    private func reserve(_ byteCount: Int) {
        guard capacity - count < byteCount else { return }
        let larger = max(2 * capacity, count + byteCount)
        let other = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
        unsafe other.update(from: start, count: count)
        unsafe start.deallocate()
        unsafe start = other
        capacity = larger
    }

    private func appendBytes(_ letter: Unicode.Scalar, _ bytes: UnsafeRawBufferPointer) {
        appendLetter(letter)
        unsafe append(bytes)
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let base = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(start + count).copyMemory(from: base, byteCount: bytes.count)
        }
        count += bytes.count
    }

    private func appendLetter(_ letter: Unicode.Scalar) {
        reserve(1)
        unsafe start[count] = UInt8(truncatingIfNeeded: letter.value)
        count += 1
    }

    private func appendNumber<Number: BitwiseCopyable>(_ letter: Unicode.Scalar, _ number: Number) {
        unsafe withUnsafeBytes(of: number) { unsafe appendBytes(letter, $0) }
    }

    // MARK: Values

    package func none() { appendLetter("n") }
    func null() { appendLetter("N") }
    func flag(_ value: Bool) { appendLetter(value ? "t" : "f") }
    package func whole(_ value: Int64) { appendNumber("i", value) }
    func real(_ value: Double) { appendNumber("d", value) }

    /// Cuts a text after 4 GiB; the bounds permit none so long.
    func rawText(_ bytes: UnsafeRawBufferPointer) {
        let length = UInt32(clamping: bytes.count)
        appendNumber("s", length)
        unsafe append(UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]))
    }

    package func text(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe rawText($0) } }

    package func sliceText(_ bytes: ArraySlice<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe rawText($0) } }

    package func text(_ text: String) {
        var text = text
        text.withUTF8 { unsafe self.rawText(UnsafeRawBufferPointer($0)) }
    }

    /// Makes a new table; its members follow, each with ``setMember()`` or ``setElement(_:)`` after it.
    package func table(elements: Int, members: Int) {
        // A block with exactly the size of so many members would be refused by the bound on members.
        let room = elements > ScriptBounds.memberCount ? elements | 1 : elements
        appendNumber("T", UInt64(UInt32(clamping: room)) | UInt64(UInt32(clamping: members)) << 32)
    }

    /// Adds the last two values to the table before them, as key and value.
    package func setMember() { appendLetter("=") }

    /// Adds the last value to the table before it, as an element counted from 1.
    package func setElement(_ index: Int) { appendNumber("#", UInt32(clamping: index)) }

    package func setMetatable(_ table: Metatable) { appendNumber("M", UInt32(table.rawValue)) }

    func value(_ value: ScriptValue) {
        switch value {
        case .none: none()
        case .null: null()
        case .flag(let flag): self.flag(flag)
        case .whole(let number): whole(number)
        case .real(let number): real(number)
        case .text(let bytes): text(bytes)
        case .list(let items):
            table(elements: items.count, members: 0)
            for (index, item) in items.enumerated() {
                self.value(item)
                setElement(index + 1)
            }
            setMetatable(.array)
        case .table(let members):
            table(elements: 0, members: members.count)
            for member in members {
                text(member.key)
                self.value(member.value)
                setMember()
            }
        }
    }
}

/// The numbers of metatables in the prelude; 0 is that of a script's globals.
package enum Metatable: Int {
    case globals = 0
    case array = 1
    /// A table whose keys are in lower case and whose members are found in any letter case.
    case fields = 2
    case request = 3
    /// The globals of all libraries, which are in the shim; no metatable.
    case libraries = 4
}
