import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import javax.net.SocketFactory;

/** The names of an assignment, in the place of Java's resolver: a name has an address for each of its ports. */
final class Places extends SocketFactory {
    private final Part session;

    Places(Part session) { this.session = session; }

    private static String plain(String host) {
        var lowered = host.toLowerCase();
        return lowered.endsWith(".") ? lowered.substring(0, lowered.length() - 1) : lowered;
    }

    /** The address of a name, which only a socket of this factory reaches; throws for one that nobody is to look up. */
    InetAddress resolve(String host) throws UnknownHostException {
        if (host.matches("\\[?[0-9a-fA-F:]*:[0-9a-fA-F:.]*\\]?|[0-9]+(\\.[0-9]+){3}")) return InetAddress.getByName(host);
        boolean isKnown = plain(host).equals("localhost")
            || session.parts("names").stream().anyMatch(one -> one.text("name").equals(plain(host)));
        if (isKnown) return InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1});
        throw new UnknownHostException(host + " is not among the names of the assignment, and no other is looked up");
    }

    private InetSocketAddress place(InetSocketAddress wanted) throws UnknownHostException {
        var host = plain(wanted.getHostString());
        for (var one : session.parts("names")) {
            if (!one.text("name").equals(host) || one.number("port") != wanted.getPort()) continue;
            var address = one.text("address");
            if (address.startsWith("unix:")) break;
            int colon = address.lastIndexOf(':');
            return new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
        }
        if (session.parts("names").stream().noneMatch(one -> one.text("name").equals(host))) return wanted;
        throw new UnknownHostException(host + " at port " + wanted.getPort() + " is not among the names of the assignment");
    }

    @Override
    public Socket createSocket() {
        return new Socket() {
            @Override
            public void connect(SocketAddress address, int timeout) throws IOException {
                super.connect(place((InetSocketAddress) address), timeout);
            }
        };
    }

    @Override
    public Socket createSocket(String host, int port) throws IOException {
        var socket = createSocket();
        socket.connect(new InetSocketAddress(resolve(host), port), 0);
        return socket;
    }

    @Override
    public Socket createSocket(InetAddress host, int port) throws IOException { return createSocket(host.getHostName(), port); }

    @Override
    public Socket createSocket(String host, int port, InetAddress own, int ownPort) throws IOException { return createSocket(host, port); }

    @Override
    public Socket createSocket(InetAddress host, int port, InetAddress own, int ownPort) throws IOException {
        return createSocket(host, port);
    }
}
