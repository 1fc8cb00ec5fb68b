package io.wirelab.kv;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Numbers writes in the order in which they begin, and knows by it what a read may find: who finds
 * a value that was replaced by a write that had ended before the read began has read a stale one.
 */
final class Sequences {
    private static final Set<Long> LOADED = Set.of(0L);

    private final Map<Long, History[]> histories = new HashMap<>();
    private final Set<Long> waiting = new HashSet<>();
    private long last;
    private long inserted;
    private long newest;

    /** Writes of a field that a read may find. */
    private static final class History {
        /** Ended writes that no other one replaced: it began when they had ended. */
        private final Set<Long> ended = new HashSet<>(LOADED);
        /** By write: what had ended before it began. One that failed may have come through: it stays. */
        private final Map<Long, Set<Long>> underWay = new HashMap<>();
        /** Values that a change has replaced: it had read them, and nobody had written since. */
        private final Set<Long> changed = new HashSet<>();

        Set<Long> then() {
            Set<Long> all = new HashSet<>(ended);
            all.addAll(underWay.keySet());
            return all;
        }
    }

    /**
     * Writes that a read may find in each field.
     *
     * @param then the writes that may be there when it begins
     * @param since all that begin later may be found as well
     */
    record Seen(List<Set<Long>> then, long since) {
        boolean mayFind(int field, long sequence) {
            return sequence > since || then.get(field).contains(sequence);
        }
    }

    Sequences(long records) {
        inserted = records;
        newest = records - 1;
    }

    /** The highest number below which every record is there. */
    synchronized long newest() {
        return newest;
    }

    /** Number of a record that is to be inserted. */
    synchronized long insert() {
        return inserted++;
    }

    /** The record is there. */
    synchronized void inserted(long record) {
        waiting.add(record);
        while (waiting.remove(newest + 1)) {
            newest++;
        }
    }

    /** A read of all fields of a record begins. */
    synchronized Seen beginRead(long record) {
        History[] fields = histories.get(record);
        List<Set<Long>> then = new ArrayList<>(UserTable.FIELDS);
        for (int field = 0; field < UserTable.FIELDS; field++) {
            History one = fields == null ? null : fields[field];
            then.add(one == null ? LOADED : one.then());
        }
        return new Seen(then, last);
    }

    /** A write of fields from one until another begins; its sequence number. */
    synchronized long beginWrite(long record, int from, int until) {
        History[] fields = histories.computeIfAbsent(record, any -> new History[UserTable.FIELDS]);
        last++;
        for (int field = from; field < until; field++) {
            if (fields[field] == null) {
                fields[field] = new History();
            }
            fields[field].underWay.put(last, Set.copyOf(fields[field].ended));
        }
        return last;
    }

    /** The write was acknowledged. */
    synchronized void endWrite(long record, int from, int until, long sequence) {
        for (int field = from; field < until; field++) {
            History one = histories.get(record)[field];
            one.ended.removeAll(one.underWay.remove(sequence));
            one.ended.add(sequence);
        }
    }

    /**
     * A change replaced what it had read of the fields from one on; false where another one had
     * replaced any of it already.
     */
    synchronized boolean changed(long record, int from, List<Long> before) {
        boolean isFirst = true;
        for (int number = 0; number < before.size(); number++) {
            isFirst &= histories.get(record)[from + number].changed.add(before.get(number));
        }
        return isFirst;
    }
}
