/// Is told what a ``Socket`` sends and how it ends; on the loop's thread only.
package protocol SocketTap: AnyObject {
    /// The system, or the layer, took these bytes of plaintext.
    func didSend(_ bytes: ArraySlice<UInt8>)
    /// FIN was sent, or is to follow the last byte of the layer's queue.
    func didHalfClose(sendingCloseNotify: Bool)
    func didClose(byReset: Bool)
}
