import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.impl.client.HttpClients;

/** Loads a URL with Apache HttpClient 4: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE. */
class Load {
    public static void main(String[] words) throws Exception {
        var request = RequestBuilder.create(words[0]).setUri(words[1]);
        boolean follows = false;
        for (int index = 2; index < words.length; index++) {
            String word = words[index];
            if (word.equals("+follow")) follows = true;
            else if (word.startsWith("@")) request.setEntity(new ByteArrayEntity(Files.readAllBytes(Path.of(word.substring(1)))));
            else request.addHeader(word.split(": ", 2)[0], word.split(": ", 2)[1]);
        }
        request.setConfig(RequestConfig.custom().setRedirectsEnabled(follows).build());
        try (var client = HttpClients.createDefault(); var reply = client.execute(request.build())) {
            if (reply.getEntity() != null) reply.getEntity().writeTo(System.out);
            System.out.flush();
        }
    }
}
