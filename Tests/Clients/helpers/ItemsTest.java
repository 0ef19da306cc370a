import static org.junit.jupiter.api.Assertions.*;

import java.net.http.*;
import java.util.*;
import java.util.concurrent.*;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import proctor.Proctor;
import proctor.Stubs;

@ExtendWith(Proctor.class)
class ItemsTest {
    @Test
    void threadsShareTheStubs(Stubs stubs) throws Exception {
        stubs.on("GET /items").reply(200, Map.of("json", List.of())).times(5);
        var pool = Executors.newFixedThreadPool(5);
        try {
            var tasks = Collections.<Callable<String>>nCopies(5, () -> {
                var url = stubs.url("/items");
                stubs.client().build().send(HttpRequest.newBuilder(url).build(), HttpResponse.BodyHandlers.ofString());
                return url.toString();
            });
            var urls = new HashSet<String>();
            for (var url : pool.invokeAll(tasks)) urls.add(url.get());
            assertEquals(1, urls.size());
        } finally {
            pool.shutdown();
        }
    }

    @Test
    void whatJsonHasNoFormFor(Stubs stubs) throws Exception {
        var items = stubs.on("GET /items");
        var holder = new HashMap<String, Object>(Map.of("a", new Object()));
        var error = assertThrows(IllegalArgumentException.class, () -> items.reply(200, Map.of("json", holder)));
        assertTrue(error.getMessage().startsWith("json /a is java.lang.Object@"), error.getMessage());
        var list = new ArrayList<Object>();
        list.add(Double.NaN);
        error = assertThrows(IllegalArgumentException.class, () -> items.reply(200, Map.of("json", list)));
        assertTrue(error.getMessage().startsWith("json /0 is NaN of java.lang.Double, for which JSON has no form"), error.getMessage());
        // Stubs that no client is led to fail their test.
        stubs.client().build().send(HttpRequest.newBuilder(stubs.url("/items")).build(), HttpResponse.BodyHandlers.ofString());
    }
}
