package import ProctorHTTP
package import ProctorHTTP3
internal import ProctorServing

extension HTTP3Event.FieldBlock: ReadHead {
    package var readFields: [HeaderField] { section.fields }

    package static var isObject: Bool { true }

    package func isWritten(like other: HTTP3Event.FieldBlock) -> Bool {
        self === other || check.kind == other.check.kind && section.fields == other.section.fields
    }
}
