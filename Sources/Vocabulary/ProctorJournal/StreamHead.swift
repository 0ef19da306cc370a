import ProctorBase
import ProctorHTTP

/// Reads the head of a request of HTTP/2 or HTTP/3 from the keys of its entry.
///
/// Its bytes are not what arrived, and a method, a target or a value may hold what ends a line of HTTP/1.1; so they are
/// taken apart by the lengths of the method and the fields.
enum StreamHead {
    static func isToldBy(_ fields: JournalFields) -> Bool {
        versionOfStream(fields) != nil
    }

    private static func versionOfStream(_ fields: JournalFields) -> HTTPVersion? {
        let text = try? fields.text("version")
        return [.http2, .http3].first { $0.text == text }
    }

    static func read(_ fields: JournalFields, _ bytes: [UInt8]) throws(LineFault) -> RequestHead {
        let method = try fields.bytes("method")
        var lines = try JournalFields.fieldLines(try fields.member("fields"), "fields")
        let lineEnd = 2
        let version = " HTTP/2".utf8.count + lineEnd
        let fieldBytes = lines.reduce(lineEnd) { $0 + $1.name.count + 2 + $1.value.count + lineEnd }
        let targetEnd = bytes.count - fieldBytes - version
        guard method.count < targetEnd else { throw fault }
        let target = Array(bytes[(method.count + 1)..<targetEnd])
        var control = RequestHead.ControlData(
            method: method, path: target, authority: nil, endsStream: false, contentLength: nil,
            version: versionOfStream(fields) ?? .http2)
        if fields.hasBytes("protocol") {
            // An extended CONNECT names a resource as any other request does (RFC 8441 §4).
            control.protocolName = try fields.bytes("protocol")
        } else if method.elementsEqual("CONNECT".utf8), target.isEmpty {
            control.path = nil
        } else if method.elementsEqual("CONNECT".utf8), target.first != UInt8(ascii: "/"),
            target.first != UInt8(ascii: "*"),
            lines.first?.name.elementsEqual("host".utf8) == true
        {
            // An authority alone, which is the first field too.
            lines.removeFirst()
            (control.path, control.authority) = (nil, target)
        }
        switch try fields.text("framing") {
        case "none": control.endsStream = true
        case "length": control.contentLength = try fields.number("contentLength")
        default: break
        }
        if fields.has("stream") { control.stream = try fields.number("stream") }
        let head = RequestHead(control, fields: lines)
        guard head.bytes == bytes else { throw fault }
        return head
    }

    private static let fault = LineFault(0, "'bytes' of a requestHead of HTTP/2 are not its method, target and fields")
}
