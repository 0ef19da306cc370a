package import ProctorHTTP
package import ProctorHTTP3
internal import ProctorServing

extension HTTP3Event.FieldBlock: ReadHead {
    package var readFields: [HeaderField] { section.fields }

    package func isWritten(like other: Self) -> Bool {
        check.kind == other.check.kind && section.fields == other.section.fields
    }
}
