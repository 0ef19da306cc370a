internal import ProctorHTTP
internal import ProctorReference
internal import ProctorReferenceStorage

/// Faults with what the client keeps from one launch to the next.
extension Breakage {
    static let storage: [Breakage] = [
        .storing(
            "session-cookies-outlive-it", "send the cookies of a session after the next launch too", .sessionCookiesKept
        ),
        .storing("lasting-cookies-end-too", "forget every cookie when the process ends", .lastingCookiesLost),
        .storing("cookies-live-anew", "count Max-Age from the launch on", .cookiesLiveAnew),
        .storing("deleted-cookies-return", "add cookies to the file and remove none from it", .deletedCookiesReturn),
        .storing("secure-not-stored", "store cookies without Secure", .secureLost),
        .storing("http-only-not-stored", "store cookies without HttpOnly", .httpOnlyLost),
        .storing("host-only-not-stored", "store cookies of one host as those of its domain", .hostOnlyLost),
        .storing("path-not-stored", "store cookies without their paths", .pathLost),
        .storing("order-not-stored", "store cookies in another order", .cookieOrderLost),
        .storing("age-not-stored", "take what is stored for as old as the process", .ageLost),
        .storing("validators-not-stored", "store responses without ETag and Last-Modified", .validatorsLost),
        .storing("vary-not-stored", "store responses without Vary and what it names", .varyLost),
        .storing("memory-goes-to-disk", "store what the program permits in memory alone", .memoryWritten),
        .storing(
            "session-credentials-outlive-it", "keep the credential of a session for ever", .sessionCredentialsKept),
        .storing(
            "permanent-credentials-end-too", "forget every credential when the process ends", .permanentCredentialsLost),
        .storing("resumes-a-byte-late", "go on with a stored download one byte too late", .resumesAByteLate),
        .sending("resumes-any-version", "go on with a download whose content may have changed", keeping: ()) {
            request, _ in request.fields.removeAll(named: "If-Range")
        },
    ]

    private static func storing(_ label: String, _ name: String, _ fault: StorageFault) -> Breakage {
        setting(label, name) { $0.storageFault = fault }
    }
}
