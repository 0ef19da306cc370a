package import ProctorHTTP
package import ProctorHTTP2

extension ConnectionEvent.FieldBlock: ReadHead {
    package var readFields: [HeaderField] { section.fields }

    package func isWritten(like other: Self) -> Bool {
        endsStream == other.endsStream && frameCount == other.frameCount && blockByteCount == other.blockByteCount
            && check.kind == other.check.kind && section.items == other.section.items
            && section.fields == other.section.fields
    }
}
