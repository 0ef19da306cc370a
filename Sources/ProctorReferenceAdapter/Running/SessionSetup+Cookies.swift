internal import ProctorReference
internal import ProctorTrace

extension SessionSetup {
    /// nil for a word that is none.
    var cookiePolicy: CookiePolicy? {
        switch cookies {
        case "always": .always
        case "never": .never
        case "main-document": .mainDocument
        default: nil
        }
    }

    /// In lower case; at most one.
    var ownSchemes: Set<String> { Set([ownScheme?.lowercased()].compactMap(\.self)) }
}
