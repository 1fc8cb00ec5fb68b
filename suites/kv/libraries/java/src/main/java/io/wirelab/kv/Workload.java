package io.wirelab.kv;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.util.Arrays;
import java.util.Locale;

/** YCSB's workloads of single records: how many of 100 operations are reads, and what the others are. */
enum Workload {
    A(50, Kind.UPDATE), B(95, Kind.UPDATE), C(100, Kind.READ), D(95, Kind.INSERT), F(50, Kind.MODIFY);

    private final int reads;
    private final Kind other;

    Workload(int reads, Kind other) {
        this.reads = reads;
        this.other = other;
    }

    /** Operation on a record. */
    enum Kind {
        READ, UPDATE, INSERT, MODIFY;

        /** Tells whether its fields come back. */
        boolean reads() {
            return this == READ || this == MODIFY;
        }

        /** Tells whether fields of it are replaced. */
        boolean changes() {
            return this == UPDATE || this == MODIFY;
        }

        /** Tells whether it holds something else afterwards. */
        boolean writes() {
            return this != READ;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Work of a lane at a tick, drawn from nothing but the seed.
     *
     * @param rank of the record: 0 is the one asked for most
     * @param field the one that is written
     */
    record Drawn(Kind kind, long rank, int field) {}

    /**
     * The workload of a step.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Workload of(Spec.Step step) {
        String name = step.parameters().text("workload", "c");
        return Arrays.stream(values()).filter(one -> one.name().equalsIgnoreCase(name)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "workload: expected one of " + Arrays.toString(values()) + ", found " + name));
    }

    /** Draws by what the database says of its table: how often each rank is asked for. */
    static final class Draws {
        private final long seed;
        private final long records;
        private final long[] first;
        private final long[] until;

        Draws(Spec spec) {
            Fields facts = spec.facts().object("server").object("popularity");
            seed = Draw.mix(spec.seed());
            records = facts.integer("records");
            first = facts.integers("first");
            until = facts.integers("until");
        }

        /** Records that were there before the first operation. */
        long records() {
            return records;
        }

        Drawn at(Workload workload, long tick, int lane) {
            long h = Draw.mix(seed ^ (tick << 16 | lane));
            long weight = Long.remainderUnsigned(Draw.mix(h + 1), until[until.length - 1]);
            int place = Arrays.binarySearch(until, weight);
            // A group begins with the weight at which the one before it ends.
            int group = place < 0 ? -place - 1 : place + 1;
            long end = group + 1 < first.length ? first[group + 1] : records;
            long rank = first[group] + Long.remainderUnsigned(Draw.mix(h + 2), end - first[group]);
            boolean reads = Long.remainderUnsigned(h, 100) < workload.reads;
            return new Drawn(reads ? Kind.READ : workload.other, rank,
                    (int) Long.remainderUnsigned(Draw.mix(h + 3), UserTable.FIELDS));
        }

        /** The record of a rank; {@code newest} is the last one that was inserted. */
        long recordOf(Workload workload, long rank, long newest) {
            return workload == D ? newest - rank
                    : Long.remainderUnsigned(Draw.mix(rank), records);
        }
    }
}
