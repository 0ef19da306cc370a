package import ProctorBase

/// A violation in what a peer sends over HTTP/2 or HTTP/3, of which `Fault` has a table.
package struct StreamViolation<Fault: StreamViolationKind>: Error, Sendable, Equatable {
    package typealias Kind = Fault

    package let kind: Kind
    /// What the violation ends.
    package let scope: ViolationScope
    /// Bytes to the frame or the instruction: over HTTP/2 from the first byte of the connection, over HTTP/3 of the stream.
    package let offset: Int
    /// nil if the violation is none of a frame.
    package let frame: Kind.Frame?
    /// The stream of the frame; over HTTP/2, 0 means the connection.
    package let stream: Kind.Stream
    /// What was received, for the sentence: a number, a name or quoted bytes.
    package let detail: String

    /// The scope of the table, unless the code that finds the violation knows it better.
    package init(
        _ kind: Kind, _ scope: ViolationScope? = nil, at offset: Int, frame: Kind.Frame?, stream: Kind.Stream,
        detail: String = ""
    ) {
        self.kind = kind
        self.scope = scope ?? Kind.table[kind].scope
        (self.offset, self.frame, self.stream, self.detail) = (offset, frame, stream, detail)
    }

    /// The code of the answer; nil if there is no answer.
    package var code: Kind.Code? { scope == .none ? nil : Kind.table[kind].code }

    /// The section of the rule, such as `RFC 9113 §6.1`; that of the frame's type, if it has a MUST of its own for this kind.
    package var section: String {
        let row = Kind.table[kind]
        return frame.flatMap { row.sectionsOfFrames[$0.description] } ?? row.section
    }

    /// The error and the correct form.
    package var sentence: String {
        let place = [frame?.description, Kind.place(of: stream)].compactMap(\.self).joined(separator: " ")
        return "\(place): \(Kind.table[kind].sentence)\(detail.isEmpty ? "" : "; here it is \(detail)")"
    }
}

extension StreamViolation: CustomStringConvertible {
    /// `wrong-length at byte 24: …  (RFC 9113 §6.4)`.
    package var description: String { "\(kind.rawValue) at byte \(offset): \(sentence) (\(section))" }
}

/// The kinds of violations of one version of HTTP, with the table of what its documents say of each.
///
/// The raw values never change, since fixtures and journals contain them. Those of ``FieldSectionFault/Kind`` are among
/// them.
package protocol StreamViolationKind: ContainedTableKind {
    associatedtype Frame: NamedNumber
    associatedtype Code: NamedNumber
    associatedtype Stream: UnsignedInteger & Sendable

    static var table: ContainedTable<Self, StreamViolationRow<Code>> { get }

    /// `on stream 3`; nil for what stands for the connection.
    static func place(of stream: Stream) -> String?
}

extension StreamViolationKind {
    package init(_ fault: FieldSectionFault.Kind) {
        guard let kind = Self(rawValue: fault.rawValue) else {
            preconditionFailure("\(Self.self) has no kind \(fault.rawValue), which a field section can have")
        }
        self = kind
    }
}

/// What a violation in frames of HTTP/2 or HTTP/3 ends.
package enum ViolationScope: String, Sendable, CaseIterable {
    /// The receiver continues as if nothing were wrong.
    case none
    /// A stream error: the receiver resets the stream (RFC 9113 §5.4.2), or asks to stop sending on it (RFC 9114 §8).
    case stream
    /// A connection error: the receiver ends the connection, by GOAWAY (RFC 9113 §5.4.1) or by closing it (RFC 9114 §8).
    case connection
}

/// What the specification of HTTP/2 or HTTP/3 says of one kind of violation, with the code of the answer.
package struct StreamViolationRow<Code: NamedNumber>: Sendable {
    let section: String
    /// The sections of the types of frames that have a MUST of their own, by the names of the types.
    let sectionsOfFrames: [String: String]
    let code: Code
    /// If a kind can be a stream error or a connection error, the code that finds it decides.
    let scope: ViolationScope
    let sentence: String

    /// A section of frames is `HEADERS RFC 9113 §6.2`, and several are parted by `; `.
    package init(_ cells: TableCells) {
        section = cells["section"]
        sectionsOfFrames = (cells.text("sections of frames") ?? "").split(separator: ";")
            .reduce(into: [:]) { sections, text in
                let words = text.split(separator: " ", maxSplits: 1)
                if let frame = words.first, let section = words.last { sections[String(frame)] = String(section) }
            }
        code = cells.value("code") { Code(named: $0) }
        scope = cells.value("ends", ViolationScope.init)
        sentence = cells["sentence"]
    }
}
