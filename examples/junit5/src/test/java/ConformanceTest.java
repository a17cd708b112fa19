import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.w3c.dom.Element;

/** Each endpoint of your server as a test of JUnit 5: CONFORM names the bundle, SERVER what starts your server. */
class ConformanceTest {
  static String env(String name, String otherwise) {
    return System.getenv().getOrDefault(name, otherwise);
  }

  static void waitFor(String url, Process server) throws Exception {
    for (int tries = 0; tries < 300; tries++) {
      assertTrue(server.isAlive(), "the server ended");
      try {
        ((HttpURLConnection) URI.create(url).toURL().openConnection()).getResponseCode();
        return;
      } catch (IOException notYet) {
        Thread.sleep(100);
      }
    }
    throw new AssertionError("the server does not answer");
  }

  @TestFactory
  Stream<DynamicTest> endpoints() throws Exception {
    String url = env("BASE_URL", "http://127.0.0.1:8080");
    Path out = Files.createTempDirectory("conform");
    Process server = new ProcessBuilder("sh", "-c", System.getenv("SERVER")).start();
    try {
      waitFor(url, server);
      List<String> words = new ArrayList<>(List.of("node", System.getenv("CONFORM"), "run"));
      words.addAll(List.of("--base-url", url, "--profile", "quick", "--out", out.toString()));
      if (System.getenv("CONFIG") != null) words.addAll(List.of("--config", System.getenv("CONFIG")));
      ProcessBuilder run = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(out.resolve("log").toFile());
      run.environment().put("SERVICE_API_KEY", env("SERVICE_API_KEY", "reference-key"));
      assertTrue(Set.of(0, 1, 3).contains(run.start().waitFor()), "the suite did not run, see " + out.resolve("log"));
    } finally {
      server.destroy();
      server.waitFor();
    }
    File report = out.resolve("junit.xml").toFile();
    var suites = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(report).getElementsByTagName("testsuite");
    assertTrue(suites.getLength() > 0, "there is no endpoint in the JUnit file");
    return Stream.iterate(0, index -> index + 1).limit(suites.getLength()).map(index -> (Element) suites.item(index))
        .map(suite -> DynamicTest.dynamicTest(suite.getAttribute("name"), () -> {
          var failures = suite.getElementsByTagName("failure");
          List<String> told = new ArrayList<>();
          for (int each = 0; each < failures.getLength(); each++)
            told.add(suite.getAttribute("name") + ": " + ((Element) failures.item(each)).getAttribute("message"));
          assertEquals(List.of(), told);
        }));
  }
}
