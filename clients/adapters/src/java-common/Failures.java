import java.io.EOFException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.SocketException;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import javax.net.ssl.SSLException;

/** The neutral names of what clients of Java throw. */
final class Failures {
    private Failures() {}

    /** Texts of exceptions whose class says less, in the order in which they are looked for. */
    private static final String[][] TEXTS = {
        {"restricted header name", "unknown"}, {"No credentials provided", "userCancelledAuthentication"},
        {"too many authentication", "userAuthenticationRequired"},
        {"unable to find valid certification path", "serverCertificateHasUnknownRoot"},
        {"certificate_required", "clientCertificateRequired"},
        {"fatal alert: bad_certificate", "clientCertificateRejected"},
        {"fatal alert: unsupported_certificate", "clientCertificateRejected"},
        {"fatal alert: certificate_", "clientCertificateRejected"},
        {"fatal alert: unknown_ca", "clientCertificateRejected"},
        {"Connection reset", "connectionLost"}, {"Broken pipe", "connectionLost"}, {"EOF reached", "connectionLost"},
        {"received no bytes", "connectionLost"}, {"fixed content-length", "connectionLost"},
        {"chunked transfer encoding, state: READING", "connectionLost"}, {"closed", "connectionLost"},
        {"Remote host terminated the handshake", "connectionLost"}, {"Connection refused", "cannotConnect"},
        {"invalid URI scheme", "unsupportedURL"}, {"URI with undefined scheme", "badURL"}, {"unsupported URI", "badURL"},
        {"Unexpected response code for CONNECT", "cannotConnect"}, {"gzip finished", "cannotDecodeContentData"},
        {"Tunnel failed", "cannotConnect"}, {"Invalid", "badServerResponse"}, {"header", "badServerResponse"},
    };

    /** The error and what caused it, the outermost first. */
    private static List<Throwable> chain(Throwable error) {
        var chain = new ArrayList<Throwable>();
        for (var one = error; one != null && chain.size() < 20; one = one.getCause()) chain.add(one);
        return chain;
    }

    static boolean isUnknownHost(Throwable error) { return name(chain(error)).equals("cannotFindHost"); }

    /** Adds error, domain and message; the domain is the name of the client. */
    static void add(Map<String, Object> facts, Throwable error, String client) {
        var chain = chain(error);
        facts.put("error", name(chain));
        facts.put("domain", client);
        var message = String.join("; ", chain.stream().map(Throwable::toString).distinct().toList());
        facts.put("message", message.substring(0, Math.min(2000, message.length())));
    }

    private static boolean has(List<Throwable> chain, Class<?> kind) {
        return chain.stream().anyMatch(kind::isInstance);
    }

    private static String name(List<Throwable> chain) {
        if (has(chain, CancellationException.class)) return "cancelled";
        if (has(chain, HttpTimeoutException.class)) return "timedOut";
        if (has(chain, UnresolvedAddressException.class)) return "cannotFindHost";
        if (has(chain, UnknownHostException.class)) return "cannotFindHost";
        if (has(chain, CertificateExpiredException.class)) return "serverCertificateHasBadDate";
        if (has(chain, CertificateNotYetValidException.class)) return "serverCertificateNotYetValid";
        if (has(chain, URISyntaxException.class)) return "badURL";
        for (var row : TEXTS) {
            for (var one : chain) if (one.getMessage() != null && one.getMessage().contains(row[0])) return row[1];
        }
        if (has(chain, CertificateException.class)) return "serverCertificateUntrusted";
        if (has(chain, SSLException.class)) return "secureConnectionFailed";
        if (has(chain, ConnectException.class)) return "cannotConnect";
        if (has(chain, EOFException.class) || has(chain, SocketException.class)) return "connectionLost";
        if (has(chain, ProtocolException.class)) return "badServerResponse";
        if (has(chain, IllegalArgumentException.class)) return "badURL";
        return "unknown";
    }
}
