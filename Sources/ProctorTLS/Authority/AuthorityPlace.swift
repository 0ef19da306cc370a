/// Where the private authority lives.
public enum AuthorityPlace: Sendable, Hashable {
    /// `PROCTOR_CA_DIR`, or the user's data directory: `$XDG_DATA_HOME/proctor/ca`, `~/.local/share/proctor/ca`, on
    /// Darwin `~/Library/Application Support/Proctor/CA`.
    case userData
    /// A folder that is made where it is missing; its parent must be there.
    case folder(String)
    /// In memory; what clients must read goes to a temporary folder that is removed with the authority.
    ///
    /// The same seed gives the same keys and, on one day, the same certificates; without one they are random.
    case ephemeral(seed: UInt64?)
}
