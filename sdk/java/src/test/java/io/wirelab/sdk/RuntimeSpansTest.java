package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RuntimeSpansTest {
    private static final long MS = 1_000_000;

    @Test
    void whatStopsTheProgramLiesBetweenTwoLooks() {
        RuntimeSpans spans = new RuntimeSpans(true, 7, 100);
        spans.look(7, 200, 201);
        spans.look(10, 300, 301);
        assertEquals(List.of(List.of(200L, 301L, 3 * MS)), spans.taken());
        assertEquals(List.of(), spans.taken());
    }

    @Test
    void whatRunsBesideItMayHaveBegunBefore() {
        RuntimeSpans spans = new RuntimeSpans(false, 0, 50 * MS);
        spans.look(2, 60 * MS, 60 * MS + 1);
        assertEquals(List.of(List.of(48 * MS, 60 * MS + 1, 2 * MS)), spans.taken());
    }

    @Test
    void moreThanAnEventHolds() {
        RuntimeSpans spans = new RuntimeSpans(true, 0, 0);
        for (int n = 1; n <= RuntimeSpans.MOST + 3; n++) {
            spans.look(n, n, n);
        }
        assertEquals(RuntimeSpans.MOST, spans.taken().size());
        assertEquals(3, spans.untold());
        assertEquals(0, spans.untold());
    }
}
