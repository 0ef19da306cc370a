extension String {
    /// Decodes UTF-8; nil for invalid bytes.
    ///
    /// The standard library of iOS has `init(validating:as:)` only from iOS 18 on.
    @inline(__always)
    @inlinable
    package init?(validUTF8 bytes: some Collection<UInt8>) {
        if #available(iOS 18, *) {
            self.init(validating: bytes, as: UTF8.self)
        } else {
            self.init(decodingBackUTF8: bytes)
        }
    }

    /// Decodes valid UTF-8 without `init(validating:as:)`, for iOS 16 and 17; nil for other bytes.
    @usableFromInline
    package init?(decodingBackUTF8 bytes: some Collection<UInt8>) {
        // Decoding replaces invalid bytes by U+FFFD, so encoding the result gives other bytes.
        self.init(decoding: bytes, as: UTF8.self)
        guard utf8.elementsEqual(bytes) else { return nil }
    }
}
