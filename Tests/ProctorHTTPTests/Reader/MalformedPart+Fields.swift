import ProctorHTTP

extension MalformedPart {
    /// Field lines, without the end of the last one.
    static let fieldLines: [MalformedPart] = [
        .init("CR in a value", "X: a▸\rb", .bareCR),
        .init("CR at the end of a value", "X: a▸\r", .bareCR),
        .init("CR before a name", "▸\rX: a", .bareCR),
        .init("CR in a name", "X▸\rY: a", .bareCR),
        .init("CR in a line without colon", "X▸\rY", .bareCR),
        .init("CR alone in a line", "▸\r", .bareCR),
        .init("a line without colon", "▸nonsense", .missingColon),
        .init("a line without colon but with spaces", "▸X y", .missingColon),
        .init("a line that begins with a colon", "▸: value", .emptyFieldName),
        .init("a colon alone", "▸:", .emptyFieldName),
        .init("a space in the name", "X▸ Y: z", .badFieldName),
        .init("a space in the name and before the colon", "X▸ Y : z", .badFieldName),
        .init("a NUL in the name", "X▸\u{00}: z", .badFieldName),
        .init("a control character in the name", "▸\u{01}X: z", .badFieldName),
        .init("a vertical tab before the colon", "X▸\u{0B}: z", .badFieldName),
        .init("a slash in the name", "X▸/Y: z", .illegalCharacterInFieldName),
        .init("parentheses in the name", "X▸(Y): z", .illegalCharacterInFieldName),
        .init("an at sign first in the name", "▸@X: z", .illegalCharacterInFieldName),
        .init("UTF-8 in the name", "▸\u{C3}\u{89}tat: z", .illegalCharacterInFieldName),
        .init("quotes around the name", "▸\"X\": z", .illegalCharacterInFieldName),
        .init("equals instead of a colon, and a colon later", "X▸=http://a", .illegalCharacterInFieldName),
        .init("a NUL in a value", "X: a▸\u{00}b", .nulInFieldValue),
        .init("a NUL as the value", "X:▸\u{00}", .nulInFieldValue),
        .init("a control character in a value", "X: a▸\u{01}b", .controlInFieldValue),
        .init("an escape sequence in a value", "X: ▸\u{1B}[31mred\u{1B}[0m", .controlInFieldValue),
        .init("DEL in a value", "X: ▸\u{7F}", .controlInFieldValue),
        .init("a vertical tab in a value", "X: a▸\u{0B}", .controlInFieldValue),
        .init(
            "control characters in two values", "X: ▸\u{01}\r\nY: ▸\u{02}\u{03}", .controlInFieldValue,
            .controlInFieldValue),
        .init("a folded value", "X: a\r\n▸ b", .obsFold),
        .init("a value folded by a tab", "X: a\r\n▸\tb", .obsFold),
        .init("a value folded twice", "X: a\r\n▸ b\r\n▸ c", .obsFold, .obsFold),
        .init("a fold before the value", "X:\r\n▸ a", .obsFold),
        .init("a fold with nothing in it", "X: a\r\n▸ ", .obsFold),
        .init("a fold ended by LF", "X: a▸\n▸ b▸\nY: z", .bareLF, .obsFold, .bareLF),
        .init("a fold that looks like a field", "X: a\r\n▸ Y: z", .obsFold),
        .init("a NUL in a fold", "X: a\r\n ▸\u{00}", .nulInFieldValue),
        .init("CR in a fold", "X: a\r\n ▸\rb", .bareCR),
        .init("two Content-Type", "Content-Type: a/b\r\n▸Content-Type: c/d", .duplicateField),
    ]

    /// Field lines about the connection.
    static let connections: [MalformedPart] = [
        .init("an empty element in Connection", "Connection: close,▸, x", .emptyListElement),
        .init("an empty Connection", "Connection:▸", .emptyListElement),
        .init("a Connection option in quotes", "Connection: ▸\"close\"", .badConnectionOption),
        .init("a Connection option with a space", "Connection: ▸keep alive", .badConnectionOption),
        .init("Upgrade without its option", "▸Upgrade: h2c", .upgradeWithoutConnection),
    ]

    /// Field lines of a message's framing, which has no other.
    static let framings: [MalformedPart] = [
        .init("a length of letters", "Content-Length: ▸five", .badContentLength),
        .init("an empty length", "Content-Length:▸", .badContentLength),
        .init("a negative length", "Content-Length: ▸-1", .badContentLength),
        .init("a length with a plus sign", "Content-Length: ▸+1", .badContentLength),
        .init("a hexadecimal length", "Content-Length: ▸0x10", .badContentLength),
        .init("a length with a fraction", "Content-Length: ▸1.0", .badContentLength),
        .init("a length with a space inside", "Content-Length: ▸1 0", .badContentLength),
        .init("a length with a unit", "Content-Length: ▸10 bytes", .badContentLength),
        .init("a list of lengths with an empty element", "Content-Length: ▸5,", .badContentLength),
        .init("a length in quotes", "Content-Length: ▸\"5\"", .badContentLength),
        .init("two lengths that differ", "Content-Length: 1\r\nContent-Length: ▸2", .differingContentLengths),
        .init("a list of lengths that differ", "Content-Length: 1, ▸2", .differingContentLengths),
        .init("a length over Int", "Content-Length: ▸9223372036854775808", .contentTooLarge),
        .init(
            "a length of a hundred digits", "Content-Length: ▸" + String(repeating: "9", count: 100), .contentTooLarge),
        .init("chunks and a bad length", "Transfer-Encoding: chunked\r\nContent-Length: ▸x", .badContentLength),
        .init("an empty Transfer-Encoding", "▸Transfer-Encoding:", .badTransferEncoding),
        .init("chunked with a parameter", "Transfer-Encoding: ▸chunked;a=b", .badTransferEncoding),
        .init("chunked in quotes", "Transfer-Encoding: ▸\"chunked\"", .badTransferEncoding),
        .init("two codings without comma", "Transfer-Encoding: ▸gzip chunked", .badTransferEncoding),
        .init(
            "chunked with a vertical tab", "Transfer-Encoding: ▸▸\u{0B}chunked", .controlInFieldValue,
            .badTransferEncoding),
        .init("gzip before chunked", "Transfer-Encoding: ▸gzip, chunked", .unsupportedTransferCoding),
        .init("identity before chunked", "Transfer-Encoding: ▸identity, chunked", .unsupportedTransferCoding),
        .init(
            "a coding of two lines", "Transfer-Encoding: ▸deflate;q=1\r\nTransfer-Encoding: chunked",
            .unsupportedTransferCoding),
        .init("chunked twice in a list", "Transfer-Encoding: chunked, ▸chunked", .chunkedTwice),
        .init(
            "chunked twice in two lines", "Transfer-Encoding: chunked\r\nTransfer-Encoding: ▸chunked", .chunkedTwice),
    ]
}
