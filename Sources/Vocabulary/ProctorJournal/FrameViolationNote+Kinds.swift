extension FrameViolationNote {
    /// Every ``kind`` that the server notes, in the order of its list, which a test compares; fixtures and facts name
    /// them.
    package static let kinds: [String] = [
        "bad-preface", "first-frame-not-settings", "frame-too-long", "wrong-length", "missing-stream",
        "unwanted-stream", "padding-too-long", "padding-not-zero", "reserved-bit", "undefined-flag",
        "window-increment-zero", "promised-stream-zero", "prioritized-stream-zero", "bad-enable-push",
        "bad-initial-window-size", "bad-max-frame-size", "bad-enable-connect-protocol", "connect-protocol-taken-back",
        "bad-no-priorities", "no-priorities-changed", "unexpected-settings-ack", "settings-not-acknowledged",
        "field-block-interrupted", "continuation-without-headers", "compression-error", "header-list-too-long",
        "frame-on-idle-stream", "frame-on-half-closed-stream", "frame-on-closed-stream", "frame-on-reserved-stream",
        "wrong-stream-parity", "stream-number-not-higher", "too-many-streams", "push-by-client", "push-not-enabled",
        "push-on-wrong-stream", "unsafe-push", "priority-update-by-server", "stream-after-goaway",
        "goaway-stream-higher", "connection-window-exceeded", "stream-window-exceeded", "window-too-large",
        "window-too-large-by-settings", "pseudo-field-missing", "pseudo-field-twice", "pseudo-field-unknown",
        "pseudo-field-misplaced", "pseudo-field-in-trailers", "bad-pseudo-field", "upper-case-name", "bad-field-name",
        "bad-field-value", "connection-specific-field", "bad-te", "host-differs-from-authority",
        "content-length-differs", "trailers-without-end", "interim-ends-stream", "data-before-head",
        "end-without-head", "content-not-allowed", "headers-in-tunnel", "connect-with-extra-fields",
        "protocol-not-enabled", "reset-flood", "settings-flood", "ping-flood", "empty-frame-flood",
        "continuation-flood", "window-update-flood", "priority-flood",
    ]
}
