import Foundation
import ProctorBase
import ProctorProtobuf

extension ReaderRunner {
    /// Messages in hexadecimal, `-` for one of no bytes, of the types in `Tests/Data/readers/protobuf/kinds.binpb`.
    static let protobuf: [String: DataReader] = [
        // `protobuf TYPE`: the JSON of the message.
        "protobuf": .protobuf { bytes, block, descriptors in
            guard let type = block.words.last else { throw TextError("the type of the message is missing") }
            return String(decoding: try ProtobufReader.json(of: bytes, as: type, in: descriptors), as: UTF8.self)
        },
        // A descriptor in hexadecimal: what it declares.
        "descriptor": .protobuf { bytes, _, _ in
            let read = try Descriptors(reading: bytes)
            return read.files.map { "\($0.name): \($0.symbols.sorted().joined(separator: ", "))" }.joined(
                separator: "; ")
        },
        // A request of reflection in hexadecimal: the bytes of its answer.
        "reflection": .protobuf { bytes, _, descriptors in
            let services = descriptors.services.map(\.name)
            let answer = try Reflection(descriptors, services: services)
                .response(to: bytes)
            return ByteText.inLine(answer.prefix(120)) + (answer.count > 120 ? " and \(answer.count - 120) bytes" : "")
        },
    ]
}

extension DataReader {
    fileprivate static func protobuf(
        _ read: @escaping @Sendable (_ bytes: [UInt8], _ block: Block, _ descriptors: Descriptors) throws -> String
    ) -> DataReader {
        .whole { input, block in
            let path = "Tests/Data/readers/protobuf/kinds.binpb"
            guard let file = FileManager.default.contents(atPath: path) else { throw TextError("there is no \(path)") }
            do {
                let descriptors = try Descriptors(reading: Array(file))
                let bytes = input == [UInt8(ascii: "-")] ? [] : try HexText.decode(input)
                return [try read(bytes, block, descriptors)]
            } catch let fault as LineFault {
                return ["refused at \(fault.offset): \(fault.sentence)"]
            }
        }
    }
}
