package io.wirelab.codec.loops;

import io.wirelab.sdk.Loop;
import io.wirelab.sdk.LoopTemplate;
import java.lang.invoke.MethodHandles;

/** Makes the loops of this package. */
public final class Loops {
    private Loops() {}

    /** A loop with code of its own; {@code parts} are what the template's constructor takes. */
    public static Loop own(Class<? extends Loop> template, Object... parts) throws Exception {
        return LoopTemplate.own(MethodHandles.lookup(), template, parts);
    }
}
