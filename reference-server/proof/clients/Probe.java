import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HexFormat;

/** Sends GET requests one after another, each by a client of its own, and prints what came of each. */
class Probe {
  public static void main(String[] given) throws InterruptedException {
    // The client would send a GET again whose connection was lost.
    System.setProperty("jdk.httpclient.disableRetryConnect", "true");
    System.setProperty("jdk.httpclient.enableAllMethodRetry", "false");
    System.setProperty("jdk.httpclient.redirects.retrylimit", "1");
    for (int sent = 0; sent < Integer.parseInt(given[2]); sent++) {
      var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
      var request = HttpRequest.newBuilder(URI.create(given[0])).header("SERVICE-API-KEY", given[1]).build();
      try {
        var answer = client.send(request, BodyHandlers.ofByteArray());
        var after = answer.headers().firstValue("Retry-After").orElse("-");
        System.out.println(answer.statusCode() + " " + after + " " + HexFormat.of().formatHex(answer.body()));
      } catch (IOException lost) {
        System.out.println("lost");
      }
    }
  }
}
