import java.util.Map;

/** People and keys as responses name them. */
record Actor(String id, String name, String email) {
    /** All requests come with the one key of the project. */
    static final Actor KEY = new Actor("sdkkey_console_01", "CONSOLE API", "console-api@example.com");

    Map<String, Object> asOwner(String type) {
        return Json.obj("ownerID", id, "ownerType", type, "ownerName", name, "ownerEmail", email);
    }

    static long now() { return System.currentTimeMillis(); }
}
