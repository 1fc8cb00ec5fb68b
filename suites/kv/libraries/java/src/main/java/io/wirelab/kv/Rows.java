package io.wirelab.kv;

/** Checks of the results of a multi-get: rows in the order of its keys, null where there is none. */
final class Rows {
    private static final long PRIME = 0x100000001B3L;
    private static final long ABSENT = -1;

    private Rows() {}

    /**
     * Summary that every operation is checked by: cheap, and another one for nearly every mistake.
     */
    record RowSummary(int rows, int found, long sumOfC0) {}

    static RowSummary summary(Row[] rows) {
        int found = 0;
        long sum = 0;
        for (Row row : rows) {
            if (row != null) {
                found++;
                sum += row.integers()[0];
            }
        }
        return new RowSummary(rows.length, found, sum);
    }

    /** The suite's checksum, over the rows and their places. */
    static long checksum(Row[] rows) {
        long sum = 0;
        for (int i = 0; i < rows.length; i++) {
            // Odd factors, so that rows in each other's place are another sum.
            sum += (2L * i + 1) * folded(rows[i], i + 1L);
        }
        return sum;
    }

    private static long folded(Row row, long start) {
        long hash = start;
        if (row == null) {
            for (int j = 0; j < Row.INTEGERS + Row.DOUBLES; j++) {
                hash = hash * PRIME + ABSENT;
            }
            return hash;
        }
        for (long value : row.integers()) {
            hash = hash * PRIME + value;
        }
        for (double value : row.doubles()) {
            hash = hash * PRIME + Double.doubleToRawLongBits(value);
        }
        return hash;
    }
}
