/// Why instructions or a field section cannot be decoded (RFC 9204); from then on the tables of both ends differ.
package struct QPACKError: Error, Sendable, Equatable, CustomStringConvertible {
    package let reason: Reason
    /// Bytes from the beginning of the field section, or of the instruction.
    package let offset: Int

    package enum Reason: String, Sendable, CaseIterable {
        // Field sections: QPACK_DECOMPRESSION_FAILED.
        case truncated = "the field section ends within an item"
        case integerTooLarge = "an integer is beyond 62 bits, or is written with more than ten bytes"
        case huffman = "a string is no Huffman code: its padding is no beginning of EOS, too long, or EOS is in it"
        case badInsertCount = "the Required Insert Count can't be that of an encoder whose table is this large"
        case badBase = "the Base is below 0"
        case staticIndexTooLarge = "an index is beyond the 99 fields of the static table"
        case indexTooLarge = "an index is beyond the Base, or a post-base index beyond the Required Insert Count"
        case indexEvicted = "an index names a field that the table no longer has"
        case tooManyBlocked = "more streams wait for insertions than QPACK_BLOCKED_STREAMS permits"
        // Instructions of the encoder: QPACK_ENCODER_STREAM_ERROR.
        case capacityTooLarge = "the capacity is beyond QPACK_MAX_TABLE_CAPACITY"
        case fieldTooLarge = "a field is larger than the table"
        case nameIndexTooLarge = "an insertion or a duplicate names a field that no table has"
        case instructionInteger =
            "an integer of an instruction is beyond 62 bits, or is written with more than ten bytes"
        case instructionHuffman = "a string of an instruction is no Huffman code"
        // Instructions of the decoder: QPACK_DECODER_STREAM_ERROR.
        case incrementZero = "an Insert Count Increment is 0"
        case incrementTooLarge = "an Insert Count Increment acknowledges more than was inserted"
        case acknowledgedNothing = "a Section Acknowledgment names a stream without a section that uses the table"
    }

    /// `the Base is below 0, at byte 1`.
    package var description: String { "\(reason.rawValue), at byte \(offset)" }
}
