package import ProctorBase

/// An action at a position of a reply, performed just before the byte of that position is sent.
package struct Effect: Sendable {
    /// The position just before whose first byte the action is performed.
    package let position: Position
    package let action: Action
    package let location: SourceLocation

    package init(position: Position, action: Action, location: SourceLocation) {
        (self.position, self.action, self.location) = (position, action, location)
    }

    /// A position in a reply; bytes count from 0.
    package enum Position: Sendable, Equatable {
        /// Byte N of the status line and fields; `head` means `head 0`.
        case head(Int)
        /// Byte N of the content, after its coding.
        case body(Int)
        /// Byte N of the body with its framing, chunk sizes included.
        case wire(Int)
        /// Before frame N of the reply over HTTP/2; 0 is the first HEADERS, also that of an interim reply.
        case frame(Int)
        /// After the last byte of the reply.
        case end

        /// The position as a fixture writes it.
        package var text: String {
            switch self {
            case .head(0): "head"
            case .head(let offset): "head \(offset)"
            case .body(let offset): "body \(offset)"
            case .wire(let offset): "wire \(offset)"
            case .frame(let number): "frame \(number)"
            case .end: "end"
            }
        }
    }
}

/// An event that the client must report before the reply continues.
package struct SyncPoint: Sendable, Equatable {
    /// The client-independent name of the event, such as `response` or `data`.
    package let event: String
    /// The index of the task from 0; nil: any task.
    package var task: Int?
    /// How many such events are awaited, 1 or more.
    package var count = 1
    /// The longest wait; nil: the server's bound.
    package var limit: Duration?

    package init(event: String, task: Int? = nil, count: Int = 1, limit: Duration? = nil) {
        (self.event, self.task, self.count, self.limit) = (event, task, count, limit)
    }
}
