import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

/** Loads a URL with HttpURLConnection: METHOD URL, then +follow, @FILE with the content, and fields as NAME: VALUE. */
class Load {
    public static void main(String[] words) throws Exception {
        var load = (HttpURLConnection) URI.create(words[1]).toURL().openConnection();
        load.setRequestMethod(words[0]);
        load.setInstanceFollowRedirects(false);
        byte[] body = null;
        for (int index = 2; index < words.length; index++) {
            String word = words[index];
            if (word.equals("+follow")) load.setInstanceFollowRedirects(true);
            else if (word.startsWith("@")) body = Files.readAllBytes(Path.of(word.substring(1)));
            else load.addRequestProperty(word.split(": ", 2)[0], word.split(": ", 2)[1]);
        }
        if (body != null) {
            load.setDoOutput(true);
            load.getOutputStream().write(body);
        }
        var content = load.getResponseCode() < 400 ? load.getInputStream() : load.getErrorStream();
        if (content != null) content.transferTo(System.out);
        System.out.flush();
    }
}
