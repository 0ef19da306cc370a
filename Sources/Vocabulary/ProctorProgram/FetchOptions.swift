extension Assignment {
    /// What a page says to `fetch` (Fetch §5.4); nil: what the standard takes by itself.
    package struct FetchOptions: Sendable, Equatable {
        package var mode: Mode?
        package var credentials: Credentials?
        package var redirect: Redirect?
        package var referrerPolicy: ReferrerPolicy?

        package init() {}

        /// Whether a response of another origin may be read, and by whose permission (Fetch §2.2.5).
        package enum Mode: String, Sendable, CaseIterable, AssignmentWord {
            case cors
            case noCORS = "no-cors"
            case sameOrigin = "same-origin"
        }

        /// Whether cookies and credentials go with the request (Fetch §2.2.5).
        package enum Credentials: String, Sendable, CaseIterable, AssignmentWord {
            case omit, include
            case sameOrigin = "same-origin"
        }

        /// What becomes of a redirect (Fetch §2.2.5).
        package enum Redirect: String, Sendable, CaseIterable, AssignmentWord {
            case follow, error, manual
        }

        /// What the Referer field tells of the page (Referrer Policy §3).
        package enum ReferrerPolicy: String, Sendable, CaseIterable, AssignmentWord {
            case origin
            case noReferrer = "no-referrer"
            case noReferrerWhenDowngrade = "no-referrer-when-downgrade"
            case sameOrigin = "same-origin"
            case strictOrigin = "strict-origin"
            case originWhenCrossOrigin = "origin-when-cross-origin"
            case strictOriginWhenCrossOrigin = "strict-origin-when-cross-origin"
            case unsafeURL = "unsafe-url"
        }
    }
}
