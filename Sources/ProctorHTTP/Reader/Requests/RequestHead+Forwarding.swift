import ProctorBase

extension RequestHead {
    /// The head with the fields that a proxy hands on; bytes and meaning stay as they came.
    ///
    /// Without Connection, the fields that it names and Proxy-Connection (RFC 9110 §7.6.1), and without
    /// Proxy-Authorization, which the proxy has consumed (§11.7.2). A head that has none of them is handed back as it
    /// is, and nothing is allocated.
    public var forwarded: RequestHead {
        let span = bytes.span
        let entries = fields.entries
        var hasOptions = false
        var hasOthers = false
        for entry in entries {
            switch HopField(span.extracting(entry.name)) {
            case .connection: hasOptions = true
            case .proxy: hasOthers = true
            case nil: break
            }
        }
        guard hasOptions || hasOthers else { return self }
        let options = hasOptions ? fields.values(named: "Connection") : []
        let left = entries.filter { entry in
            let name = span.extracting(entry.name)
            return HopField(name) == nil && !options.contains { Self.names(name, in: $0.span) }
        }
        return RequestHead(self, fields: FieldSection(bytes: bytes, unfolded: fields.unfolded, entries: left))
    }

    /// Whether a list of connection options (RFC 9110 §7.6.1) has the name among them.
    private static func names(_ name: Span<UInt8>, in options: Span<UInt8>) -> Bool {
        var elements = ListElements()
        while let element = elements.next(in: options) {
            if name.equalsIgnoringCase(options.extracting(element)) { return true }
        }
        return false
    }
}

/// Fields that are for the next recipient alone, whatever they say.
private enum HopField {
    case connection
    /// Proxy-Connection and Proxy-Authorization.
    case proxy

    init?(_ name: Span<UInt8>) {
        switch name.count {
        case 10 where name.equalsIgnoringCase("Connection"): self = .connection
        case 16 where name.equalsIgnoringCase("Proxy-Connection"): self = .proxy
        case 19 where name.equalsIgnoringCase("Proxy-Authorization"): self = .proxy
        default: return nil
        }
    }
}
