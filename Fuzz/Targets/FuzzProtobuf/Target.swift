import FuzzSupport
import ProctorBase
import ProctorProtobuf

/// Input: a byte that says what is read, and its bytes: a descriptor, a message, or a request of reflection.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var bytes = unsafe FuzzInput(start, count).remaining
    guard let kind = bytes.popLast() else { return 0 }
    switch kind % 3 {
    case 0:
        if let read = try? Descriptors(reading: bytes) { check(!read.files.isEmpty, "a descriptor without a file") }
    case 1: readMessage(bytes)
    default:
        let reflection = Reflection(descriptors, services: ["fuzz.Service"])
        let answer = try? reflection.response(to: bytes)
        check(answer?.isEmpty != true, "an empty answer")
    }
    return 0
}

private func readMessage(_ bytes: [UInt8]) {
    do throws(LineFault) {
        let json = try ProtobufReader.json(of: bytes, as: "fuzz.All", in: descriptors)
        do throws(LineFault) {
            _ = try JSONDocument(parsing: json)
        } catch {
            // Messages may be as deep as JSON, and each has a list or a map in it.
            check(error.sentence.contains("levels deep"), "no JSON: \(error.sentence): \(shown(json))")
        }
    } catch {
        check(
            !error.sentence.isEmpty && 0...bytes.count ~= error.offset, "a fault at \(error.offset): \(error.sentence)")
    }
}

/// A message with a field of each type, one of itself, a list, a map and a oneof.
private let descriptors: Descriptors = {
    func field(
        _ name: String, _ number: Int, _ type: UInt64, label: UInt64 = 1, of message: String? = nil,
        oneof: UInt64? = nil
    )
        -> [UInt8]
    {
        var writer = WireWriter()
        writer.addField(1, Array(name.utf8))
        writer.addField(3, varint: UInt64(number))
        writer.addField(4, varint: label)
        writer.addField(5, varint: type)
        if let message { writer.addField(6, Array(message.utf8)) }
        if let oneof { writer.addField(9, varint: oneof) }
        return writer.bytes
    }
    let scalars: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 15, 16, 17, 18]
    var all = WireWriter()
    all.addField(1, Array("All".utf8))
    for (index, type) in scalars.enumerated() { all.addField(2, field("f\(index)", index + 1, type)) }
    for (index, type) in scalars.enumerated() { all.addField(2, field("l\(index)", index + 31, type, label: 3)) }
    all.addField(2, field("own", 61, 11, of: ".fuzz.All", oneof: 0))
    all.addField(2, field("kind", 62, 14, of: ".fuzz.Kind", oneof: 0))
    all.addField(2, field("map", 63, 11, label: 3, of: ".fuzz.All.MapEntry"))
    all.addField(2, field("time", 64, 11, of: ".google.protobuf.Timestamp"))
    all.addField(2, field("length", 65, 11, of: ".google.protobuf.Duration"))
    all.addField(2, field("any", 66, 11, label: 3, of: ".google.protobuf.Any"))
    var options = WireWriter()
    options.addField(7, varint: 1)
    var entry = WireWriter()
    entry.addField(1, Array("MapEntry".utf8))
    entry.addField(2, field("key", 1, 9))
    entry.addField(2, field("value", 2, 11, of: ".fuzz.All"))
    entry.addField(7, options.bytes)
    all.addField(3, entry.bytes)
    var value = WireWriter()
    value.addField(1, Array("NONE".utf8))
    value.addField(2, varint: 0)
    var kind = WireWriter()
    kind.addField(1, Array("Kind".utf8))
    kind.addField(2, value.bytes)
    var file = WireWriter()
    file.addField(1, Array("fuzz.proto".utf8))
    file.addField(2, Array("fuzz".utf8))
    file.addField(4, all.bytes)
    file.addField(5, kind.bytes)
    file.addField(12, Array("proto3".utf8))
    var set = WireWriter()
    set.addField(1, file.bytes)
    guard let read = try? Descriptors(reading: set.bytes) else { finding("the descriptor is not read") }
    return read
}()
