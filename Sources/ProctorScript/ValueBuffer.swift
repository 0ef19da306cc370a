/// The values that Swift hands to Lua, as the bytes that `proctor_lua_build` reads; the address stays until the next ones.
@safe package final class ValueBuffer {
    private(set) var start: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init() {
        capacity = 1024
        unsafe start = .allocate(capacity: capacity)
    }

    deinit { unsafe start.deallocate() }

    /// Removes all; a buffer of more than 1 MiB is given back.
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

    private func put(_ letter: Unicode.Scalar, _ bytes: UnsafeRawBufferPointer) {
        put(letter)
        unsafe append(bytes)
    }

    private func append(_ bytes: UnsafeRawBufferPointer) {
        reserve(bytes.count)
        if let base = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(start + count).copyMemory(from: base, byteCount: bytes.count)
        }
        count += bytes.count
    }

    private func put(_ letter: Unicode.Scalar) {
        reserve(1)
        unsafe start[count] = UInt8(truncatingIfNeeded: letter.value)
        count += 1
    }

    private func put<Number: BitwiseCopyable>(_ letter: Unicode.Scalar, _ number: Number) {
        unsafe withUnsafeBytes(of: number) { unsafe put(letter, $0) }
    }

    // MARK: Values

    package func none() { put("n") }
    func null() { put("N") }
    func flag(_ value: Bool) { put(value ? "t" : "f") }
    package func whole(_ value: Int64) { put("i", value) }
    func real(_ value: Double) { put("d", value) }

    /// Longer than 4 GiB is cut; nothing is that long within the bounds.
    func text(_ bytes: UnsafeRawBufferPointer) {
        let length = UInt32(clamping: bytes.count)
        put("s", length)
        unsafe append(UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)]))
    }

    package func text(_ bytes: [UInt8]) { unsafe bytes.withUnsafeBytes { unsafe text($0) } }

    package func text(_ bytes: ArraySlice<UInt8>) { unsafe bytes.withUnsafeBytes { unsafe text($0) } }

    package func text(_ text: String) {
        var text = text
        text.withUTF8 { unsafe self.text(UnsafeRawBufferPointer($0)) }
    }

    /// A new table; its members follow, each with ``setMember()`` or ``setElement(_:)`` behind it.
    package func table(elements: Int, members: Int) {
        // Beyond the bound of members a list that has exactly their size would be refused as members.
        let room = elements > ScriptBounds.memberCount ? elements | 1 : elements
        put("T", UInt64(UInt32(clamping: room)) | UInt64(UInt32(clamping: members)) << 32)
    }

    /// The key and the value before it become a member of the table before them.
    package func setMember() { put("=") }

    /// The value before it becomes an element, counted from 1.
    package func setElement(_ index: Int) { put("#", UInt32(clamping: index)) }

    package func setMetatable(_ table: Metatable) { put("M", UInt32(table.rawValue)) }

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

/// Metatables that the prelude keeps under numbers; 0 is that of a script's globals.
package enum Metatable: Int {
    case globals = 0
    case array = 1
    /// Members are found without regard to case; their keys are in lower case.
    case fields = 2
    case request = 3
    /// No metatable: the globals of all libraries, which the shim keeps.
    case libraries = 4
}
