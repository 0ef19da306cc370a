#if os(Linux)
    internal import Glibc

    /// The system's list of authorities, as this process alone sees it.
    ///
    /// URLSession on Linux judges servers by that list alone; no variable of the environment names another one. So another
    /// file is laid over it in a mount namespace of the process's own, which ends with it (mount_namespaces(7)).
    enum PrivateAuthorities {
        /// Where libcurl of Debian's family looks.
        private static let list = "/etc/ssl/certs/ca-certificates.crt"
        /// CLONE_NEWNS and CLONE_NEWUSER of linux/sched.h.
        private static let newMounts: CInt = 0x0002_0000
        private static let newUser: CInt = 0x1000_0000

        /// Lays a PEM file over the list; false, and nothing is changed, where the system does not allow it.
        ///
        /// To be called while there is one thread: a namespace of users can't be entered by more (unshare(2)), and the
        /// threads that are begun later inherit both.
        static func replace(by path: String) -> Bool {
            guard let unshare = unshare else { return false }
            // Who may mount needs no namespace of users.
            guard unshare(newMounts) == 0 || unshare(newMounts | newUser) == 0 else { return false }
            guard unsafe mount(nil, "/", nil, UInt(MS_REC | MS_PRIVATE), nil) == 0 else { return false }
            return unsafe mount(path, list, nil, UInt(MS_BIND), nil) == 0
        }

        /// unshare(2), which the headers show to GNU sources only.
        private static var unshare: (@convention(c) (CInt) -> CInt)? {
            unsafe dlsym(nil, "unshare").map { unsafe unsafeBitCast($0, to: (@convention(c) (CInt) -> CInt).self) }
        }
    }
#endif
