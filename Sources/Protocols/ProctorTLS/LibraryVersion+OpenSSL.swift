internal import COpenSSL
package import ProctorBase

extension LibraryVersion {
    package static var openSSL: LibraryVersion {
        unsafe LibraryVersion("OpenSSL", OpenSSL_version(OPENSSL_FULL_VERSION_STRING))
    }
}
