package import ProctorBase
internal import ProctorHTTP

/// A request or a reply as it is held against a description.
package struct DescribedMessage {
    /// In the order of the message, names in lower case.
    package let fields: [(name: String, value: [UInt8])]
    package let content: Content

    package enum Content {
        case none
        case whole([UInt8])
        /// There is content that can't be judged; the text says why, half a sentence.
        case unknown(String)
    }

    package init(fields: [(name: String, value: [UInt8])], content: Content) {
        (self.fields, self.content) = (fields, content)
    }

    func values(_ name: String) -> [[UInt8]] { fields.filter { $0.name == name }.map(\.value) }

    var contentType: [UInt8]? { values("content-type").first }

    /// Whether the content is coded, so that it is not what the schema is about.
    var coding: [UInt8]? { values("content-encoding").first { !$0.elementsEqual("identity".utf8) } }
}

/// One departure of a message from its description.
package struct DescriptionFault: Sendable, Equatable {
    /// What part of the message it is about: `query parameter page`, `body`.
    package let part: String
    /// The JSON pointer within that part; empty for all of it.
    package let pointer: String
    /// The JSON pointer in the description.
    package let schemaPointer: String
    /// Where that stands.
    package let location: SourceLocation
    package let sentence: String

    package init(part: String, pointer: String = "", schemaPointer: String, location: SourceLocation, sentence: String)
    {
        (self.part, self.pointer, self.schemaPointer, self.location) = (part, pointer, schemaPointer, location)
        self.sentence = sentence
    }

    /// `body /items/0: wanted an integer, got "x" (orders.yaml:12:7 #/components/…)`.
    package var description: String {
        let place = pointer.isEmpty ? part : "\(part) \(EscapedText.escape(pointer.utf8))"
        return "\(place): \(sentence) (\(location) #\(EscapedText.escape(schemaPointer.utf8)))"
    }
}

/// What a description says of one message.
package struct DescriptionVerdict: Sendable, Equatable {
    /// The operation that the message belongs to: `POST /orders/{id}`; nil where there is none.
    package var operation: String?
    /// At most ``faultBound``.
    package private(set) var faults: [DescriptionFault] = []
    /// What could not be judged, each half a sentence with its reason.
    package private(set) var open: [String] = []

    package static let faultBound = 20

    package init(operation: String? = nil) { self.operation = operation }

    mutating func add(_ fault: DescriptionFault) {
        if faults.count < Self.faultBound { faults.append(fault) }
    }

    mutating func leaveOpen(_ what: String) {
        if open.count < Self.faultBound { open.append(what) }
    }

    package var isClean: Bool { faults.isEmpty && open.isEmpty }
}
