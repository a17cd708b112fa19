/** Which single regression, if any, this process was started with. */
final class Faults {
    private static volatile int active = 0;

    private Faults() { }

    static void activate(String id) {
        if (!id.matches("r[0-9]{2}")) throw new IllegalArgumentException("no such regression: " + id);
        int n = Integer.parseInt(id.substring(1));
        if (n < 1 || n > 60) throw new IllegalArgumentException("no such regression: " + id);
        active = n;
    }

    static boolean on(int n) { return active == n; }
}
