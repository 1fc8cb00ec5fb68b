package io.wirelab.opcua.milo;

import java.util.Locale;
import java.util.stream.IntStream;
import org.eclipse.milo.opcua.stack.core.types.builtin.NodeId;

/** The tags of the suite's neutral server, as the README of the suite defines them. */
final class Tags {
    /** Tags served. */
    static final int COUNT = 2000;

    private static final int NAMESPACE = 1;
    private static final int FIRST_DOUBLE = 1000;
    private static final int FIRST_STRING = 1800;
    private static final int WRITE_STRIDE = 10;

    private Tags() {}

    /** The node of tag {@code index}. */
    static NodeId node(int index) {
        return new NodeId(NAMESPACE, String.format(Locale.ROOT, "T%04d", index));
    }

    /** The first {@code count} of the tags that are written. */
    static int[] written(int count) {
        return IntStream.range(0, count).map(position -> position * WRITE_STRIDE).toArray();
    }

    /** Number of tags that can be written. */
    static int writable() {
        return COUNT / WRITE_STRIDE;
    }

    /** The value of tag {@code index} in {@code generation}, in the tag's type. */
    static Object value(int index, long generation) {
        int x = (int) ((index * 7919L + generation * 104729L) & 0x7fff_ffffL);
        if (index < FIRST_DOUBLE) {
            return x;
        }
        return index < FIRST_STRING ? x / 1000.0
                : String.format(Locale.ROOT, "tag%04d-%010d", index, x);
    }
}
