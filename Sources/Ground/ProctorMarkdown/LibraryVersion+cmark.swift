internal import CMarkdown
package import ProctorBase

extension LibraryVersion {
    package static var cmark: LibraryVersion { unsafe LibraryVersion("cmark-gfm", cmark_version_string()) }
}
