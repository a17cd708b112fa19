import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The pieces of the in-memory database: tables with optimistic row versions, join tables, locks. */
final class Store {
    private Store() { }

    static final class StaleRow extends RuntimeException {
        StaleRow() { super("stale row", null, false, false); }
    }

    /** A stored row. Tables hand out copies and keep copies. */
    abstract static class Row<R extends Row<R>> implements Cloneable {
        long rowVersion;

        @SuppressWarnings("unchecked")
        R copy() {
            try {
                return (R) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /** Rows by primary key, in order of insertion. Its schema's lock guards it. */
    static final class Table<K, R extends Row<R>> {
        private final Map<K, R> rows = new LinkedHashMap<>();

        R find(K k) {
            R r = rows.get(k);
            return r == null ? null : r.copy();
        }

        void insert(K k, R r) {
            if (rows.containsKey(k)) throw new IllegalStateException("duplicate key " + k);
            r.rowVersion = 1;
            rows.put(k, r.copy());
        }

        /** UPDATE … WHERE pk = k AND row_version = r.rowVersion. */
        void update(K k, R r) {
            R now = rows.get(k);
            if (now == null || now.rowVersion != r.rowVersion) throw new StaleRow();
            r.rowVersion++;
            rows.put(k, r.copy());
        }

        /** UPDATE … WHERE pk = k, whatever stands there. */
        void overwrite(K k, R r) {
            r.rowVersion = rows.get(k).rowVersion + 1;
            rows.put(k, r.copy());
        }

        boolean has(K k) { return rows.containsKey(k); }

        List<R> where(Predicate<R> p) {
            List<R> out = new ArrayList<>();
            for (R r : rows.values()) if (p.test(r)) out.add(r.copy());
            return out;
        }

        List<R> all() { return where(r -> true); }
    }

    /** A join table: an owner's ordered values. */
    static final class Join<V> {
        private final Map<String, List<V>> links = new HashMap<>();

        List<V> of(String owner) { return new ArrayList<>(links.getOrDefault(owner, List.of())); }

        void replace(String owner, List<V> values) { links.put(owner, new ArrayList<>(values)); }

        void add(String owner, V v) {
            List<V> l = links.computeIfAbsent(owner, k -> new ArrayList<>());
            if (!l.contains(v)) l.add(v);
        }
    }

    /** Tables that are read and written together. */
    abstract static class Schema {
        private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

        <T> T reading(Supplier<T> s) {
            lock.readLock().lock();
            try {
                return s.get();
            } finally {
                lock.readLock().unlock();
            }
        }

        <T> T writing(Supplier<T> s) {
            lock.writeLock().lock();
            try {
                return s.get();
            } finally {
                lock.writeLock().unlock();
            }
        }

        /** Reads, changes and writes anew until nobody came between. */
        <T> T optimistic(Supplier<T> attempt) {
            while (true) {
                try {
                    return attempt.get();
                } catch (StaleRow e) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    /** Who did what to which entity. Bounded; not exposed by the API. */
    static final class Audit {
        record Entry(long at, String kind, String id, String action) { }

        private final List<Entry> entries = new ArrayList<>();

        synchronized void note(String kind, String id, String action) {
            if (entries.size() >= 10_000) entries.subList(0, 5_000).clear();
            entries.add(new Entry(System.currentTimeMillis(), kind, id, action));
        }
    }

    static final Audit AUDIT = new Audit();
    private static final AtomicLong SEQUENCE = new AtomicLong(4096);

    static String newId(String prefix) {
        long n = SEQUENCE.incrementAndGet();
        return prefix + "_" + Long.toString(n * 2654435761L & 0xffffffffffL, 36);
    }

    static void pause(int ms) {
        try {
            Thread.sleep(ms);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
