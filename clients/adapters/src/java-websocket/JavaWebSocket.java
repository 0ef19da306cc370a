import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.net.Authenticator;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.PasswordAuthentication;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An adapter of Proctor for java.net.http.WebSocket (Docs/clients/adapters.md).
 *
 * What it is told, so that it neither gets help nor is hindered:
 *
 * - The URL with `ws` for `http` and `wss` for `https`, `subprotocols`, and the caller's fields by `header`.
 * - A client as that of java-httpclient: names by the proxy that leads to all of them, Redirect.ALWAYS or NEVER, CookieManager with
 *   ACCEPT_ORIGINAL_SERVER or none, an Authenticator where the step has a name and a password.
 * - A ping is over at the `onPong` of its payload; one message is requested behind each call of the listener.
 * - Behind `onClose` the client answers by itself, and tells nobody when it has: the adapter leaves it a tenth of a second.
 */
final class JavaWebSocket implements Conversation.Socket, WebSocket.Listener {
    private static final String NAME = "java-websocket";
    private static final String ABILITIES =
        "websocket redirects redirect-refuse cookie-jar cookies-from-addresses basic challenge-default proxy proxy-tunnel trust identity several-loads";
    private static final String WITHOUT = "redirect challenge informational";
    private static final long ANSWER_MILLISECONDS = 100;
    private static final int LOST = 1006;
    /** Stands behind the last message. */
    private static final Object END = new Object();

    private final HttpClient client;
    private final Part step;
    private final LinkedBlockingQueue<Object> messages = new LinkedBlockingQueue<>();
    private final LinkedBlockingQueue<Object> pongs = new LinkedBlockingQueue<>();
    private final CompletableFuture<Throwable> ended = new CompletableFuture<>();
    private final StringBuilder text = new StringBuilder();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private WebSocket socket;
    private volatile Conversation.Close close;

    private JavaWebSocket(HttpClient client, Part step) {
        this.client = client;
        this.step = step;
    }

    public static void main(String[] words) throws Exception {
        Proctor.serve(new Proctor.Adapter(
            NAME, "1", Runtime.version().toString(), ABILITIES, Conversation.FACTS, "",
            assignment -> Conversation.check(assignment.parts("steps"), NAME), (assignment, trace) -> {
                try {
                    run(assignment.part("session"), assignment.parts("steps"), trace);
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }, Conversation.LANES), words);
    }

    private static void run(Part session, List<Part> steps, Proctor.Trace trace) throws Exception {
        var cookies = new CookieManager(null, CookiePolicy.ACCEPT_ORIGINAL_SERVER);
        var begun = new ArrayList<CompletableFuture<Void>>();
        for (int task = 0; task < steps.size(); task++) {
            if (!steps.get(task).has("together")) for (var one : begun) one.join();
            var step = steps.get(task);
            var conversation = new Conversation(step, task, trace, new JavaWebSocket(client(session, step, cookies), step));
            begun.add(CompletableFuture.runAsync(() -> {
                try {
                    conversation.run(WITHOUT);
                } catch (Exception error) {
                    throw new IllegalStateException(error);
                }
            }, work -> new Thread(work).start()));
        }
        for (var one : begun) one.join();
    }

    private static HttpClient client(Part session, Part step, CookieManager cookies) throws Exception {
        boolean follows = step.part("beforehand").has("follow");
        var builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(new Ways(session))
            .followRedirects(follows ? HttpClient.Redirect.ALWAYS : HttpClient.Redirect.NEVER);
        if (!"never".equals(session.text("cookies"))) builder.cookieHandler(cookies);
        if (session.has("trust") || session.has("identity")) builder.sslContext(Secrets.context(session));
        var credential = step.part("beforehand").part("credential");
        if (credential.has("user")) builder.authenticator(new Authenticator() {
            protected PasswordAuthentication getPasswordAuthentication() {
                return new PasswordAuthentication(credential.text("user"), credential.text("password").toCharArray());
            }
        });
        return builder.build();
    }

    // MARK: The socket

    public String open() throws Exception {
        var builder = client.newWebSocketBuilder();
        for (var one : step.list("headers")) builder.header((String) ((List<?>) one).get(0), (String) ((List<?>) one).get(1));
        var names = step.list("protocols").toArray(String[]::new);
        if (names.length > 0) builder.subprotocols(names[0], Arrays.copyOfRange(names, 1, names.length));
        socket = finish(builder.buildAsync(new URI("ws" + step.text("url").substring("http".length())), this));
        return socket.getSubprotocol();
    }

    private static <T> T finish(CompletableFuture<T> work) throws Exception {
        try {
            return work.get();
        } catch (ExecutionException error) {
            if (error.getCause() instanceof Exception cause) throw cause;
            throw error;
        }
    }

    public void send(String message) throws Exception { finish(socket.sendText(message, true)); }
    public void send(byte[] message) throws Exception { finish(socket.sendBinary(ByteBuffer.wrap(message), true)); }

    public void ping() throws Exception {
        var payload = ByteBuffer.wrap(new byte[] {'p', 'r', 'o', 'c', 't', 'o', 'r'});
        finish(socket.sendPing(payload.duplicate()));
        while (true) {
            var pong = pongs.take();
            if (pong == END) throw new EOFException("the connection is over");
            if (pong.equals(payload)) return;
        }
    }

    public Object receive() throws Exception {
        var message = messages.take();
        if (message != END) return message;
        messages.add(END);
        throw new EOFException("the connection is over");
    }

    public void close(int code, String reason) throws Exception { finish(socket.sendClose(code, reason)); }

    public Throwable end() throws Exception {
        var failure = ended.get();
        if (failure == null) Thread.sleep(ANSWER_MILLISECONDS);
        return failure;
    }

    public Conversation.Close closeFrame() { return close; }

    public void addFailure(Map<String, Object> facts, Throwable error) {
        Failures.add(facts, error instanceof CompletionException ? error.getCause() : error, NAME);
    }

    // MARK: The listener

    private void end(Throwable failure) {
        ended.complete(failure);
        messages.add(END);
        pongs.add(END);
    }

    public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        text.append(data);
        if (last) {
            messages.add(text.toString());
            text.setLength(0);
        }
        socket.request(1);
        return null;
    }

    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
        var piece = new byte[data.remaining()];
        data.get(piece);
        bytes.writeBytes(piece);
        if (last) {
            messages.add(bytes.toByteArray());
            bytes.reset();
        }
        socket.request(1);
        return null;
    }

    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer payload) {
        pongs.add(ByteBuffer.allocate(payload.remaining()).put(payload).flip());
        socket.request(1);
        return null;
    }

    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        // A connection that ends without a Close frame is told as 1006, which no frame has.
        boolean isLost = code == LOST;
        if (!isLost) close = new Conversation.Close(code, reason);
        end(isLost ? new EOFException("the connection ended without a Close frame") : null);
        return null;
    }

    public void onError(WebSocket socket, Throwable error) { end(error); }
}
