import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** HTTP/1.1 over plain sockets: a thread for each connection, which is kept open. */
final class Wire {
    static final int MAX_BODY = 4 << 20;
    private static final int MAX_LINE = 64 << 10;
    private static final int MAX_FIELDS = 200;
    private static final int IDLE_MS = 300_000;

    /** Names of headers are in lower case; text is Latin-1, a character for a byte. */
    record Request(String method, String target, Map<String, List<String>> headers, byte[] body) {
        List<String> all(String name) { return headers.getOrDefault(name, List.of()); }

        String first(String name) { return all(name).isEmpty() ? null : all(name).get(0); }
    }

    /** A null body is an answer that has none. */
    record Response(int status, Map<String, String> headers, byte[] body) { }

    interface Application { Response answer(Request r); }

    /** The request cannot be understood; it is answered and the connection closed. */
    private static final class Unreadable extends IOException {
        private static final long serialVersionUID = 1L;
        final transient ApiError why;

        Unreadable(int status, String code, String message) { why = new ApiError(status, code, message); }
    }

    private final ServerSocket server;
    private final Application app;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    Wire(int port, Application app) throws IOException {
        this.server = new ServerSocket(port, 512, InetAddress.getByName("127.0.0.1"));
        this.app = app;
    }

    int port() { return server.getLocalPort(); }

    void start() {
        threads.execute(() -> {
            while (true) {
                try {
                    Socket s = server.accept();
                    threads.execute(() -> converse(s));
                } catch (IOException e) {
                    if (server.isClosed()) return;
                }
            }
        });
    }

    private void converse(Socket socket) {
        try (Socket s = socket) {
            s.setTcpNoDelay(true);
            s.setSoTimeout(IDLE_MS);
            InputStream in = new BufferedInputStream(s.getInputStream(), 16 << 10);
            OutputStream out = s.getOutputStream();
            while (true) {
                try {
                    String line = line(in);
                    if (line == null) return;
                    if (line.isEmpty()) continue;
                    Request r = request(line, in, out);
                    boolean close = !line.endsWith("HTTP/1.1") || String.join(",", r.all("connection")).toLowerCase(Locale.ROOT).contains("close");
                    send(out, app.answer(r), close, r.method().equals("HEAD"));
                    if (close) return;
                } catch (Unreadable e) {
                    byte[] body = Json.write(e.why.body("-")).getBytes(StandardCharsets.UTF_8);
                    send(out, new Response(e.why.status, Map.of("Content-Type", Gateway.JSON), body), true, false);
                    return;
                }
            }
        } catch (IOException e) {
            // the client has gone
        }
    }

    private static Request request(String line, InputStream in, OutputStream out) throws IOException {
        int a = line.indexOf(' ');
        int b = line.lastIndexOf(' ');
        if (a <= 0 || b <= a || !line.startsWith("HTTP/1.", b + 1)) throw new Unreadable(400, "BAD_REQUEST", "This is not HTTP/1.1.");
        Map<String, List<String>> headers = new LinkedHashMap<>();
        int fields = 0;
        for (String h = line(in); ; h = line(in)) {
            if (h == null) throw new EOFException();
            if (h.isEmpty()) break;
            int colon = h.indexOf(':');
            if (colon <= 0 || ++fields > MAX_FIELDS) throw new Unreadable(400, "BAD_REQUEST", "A header cannot be read.");
            headers.computeIfAbsent(h.substring(0, colon).trim().toLowerCase(Locale.ROOT), k -> new ArrayList<>()).add(h.substring(colon + 1).trim());
        }
        Request head = new Request(line.substring(0, a), line.substring(a + 1, b).trim(), headers, null);
        if ("100-continue".equalsIgnoreCase(head.first("expect"))) {
            out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }
        String coding = head.first("transfer-encoding");
        byte[] body = coding != null ? chunks(in) : sized(in, head.first("content-length"));
        return new Request(head.method(), head.target(), headers, body);
    }

    private static byte[] sized(InputStream in, String length) throws IOException {
        if (length == null) return new byte[0];
        if (!length.matches("[0-9]{1,18}")) throw new Unreadable(400, "BAD_REQUEST", "Content-Length cannot be read.");
        long n = Long.parseLong(length);
        if (n > MAX_BODY) throw new Unreadable(413, "BODY_TOO_LARGE", "The body is too large.");
        byte[] b = in.readNBytes((int) n);
        if (b.length < n) throw new EOFException();
        return b;
    }

    private static byte[] chunks(InputStream in) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (true) {
            String size = line(in);
            if (size == null) throw new EOFException();
            String hex = size.split(";")[0].trim();
            if (!hex.matches("[0-9a-fA-F]{1,7}")) throw new Unreadable(400, "BAD_REQUEST", "A chunk cannot be read.");
            int n = Integer.parseInt(hex, 16);
            if (all.size() + n > MAX_BODY) throw new Unreadable(413, "BODY_TOO_LARGE", "The body is too large.");
            if (n == 0) break;
            byte[] b = in.readNBytes(n);
            if (b.length < n) throw new EOFException();
            all.write(b);
            line(in);
        }
        for (String trailer = line(in); trailer != null && !trailer.isEmpty(); trailer = line(in)) { /* not used */ }
        return all.toByteArray();
    }

    /** Null at the end of the stream. */
    private static String line(InputStream in) throws IOException {
        ByteArrayOutputStream b = new ByteArrayOutputStream(128);
        while (true) {
            int c = in.read();
            if (c < 0) {
                if (b.size() == 0) return null;
                throw new EOFException();
            }
            if (c == '\n') break;
            if (b.size() >= MAX_LINE) throw new Unreadable(431, "HEADER_TOO_LARGE", "A header is too large.");
            b.write(c);
        }
        String s = b.toString(StandardCharsets.ISO_8859_1);
        return s.endsWith("\r") ? s.substring(0, s.length() - 1) : s;
    }

    private static void send(OutputStream out, Response r, boolean close, boolean head) throws IOException {
        StringBuilder b = new StringBuilder("HTTP/1.1 ").append(r.status()).append(' ').append(reason(r.status())).append("\r\n");
        r.headers().forEach((k, v) -> b.append(k).append(": ").append(v).append("\r\n"));
        if (r.body() != null) b.append("Content-Length: ").append(r.body().length).append("\r\n");
        b.append(close ? "Connection: close\r\n\r\n" : "Connection: keep-alive\r\n\r\n");
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(b.toString().getBytes(StandardCharsets.ISO_8859_1));
        if (r.body() != null && !head) all.writeBytes(r.body());
        out.write(all.toByteArray());
        out.flush();
    }

    private static String reason(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 201 -> "Created";
            case 204 -> "No Content";
            case 400 -> "Bad Request";
            case 401 -> "Unauthorized";
            case 404 -> "Not Found";
            case 405 -> "Method Not Allowed";
            case 409 -> "Conflict";
            case 413 -> "Content Too Large";
            case 415 -> "Unsupported Media Type";
            case 422 -> "Unprocessable Content";
            default -> status < 500 ? "Error" : "Internal Server Error";
        };
    }
}
