package io.wirelab.sdk;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Place where the outcome of an iteration is kept from the optimiser. */
public final class Sink {
    private static final VarHandle LAST = last();

    @SuppressWarnings("unused") // Only ever written, through the handle.
    private Object last;

    /**
     * Keeps {@code outcome}, so that it must exist as an object. An opaque store is a plain one to
     * the processor, but may be neither left out nor merged with that of another iteration.
     */
    public void keep(Object outcome) {
        LAST.setOpaque(this, outcome);
    }

    private static VarHandle last() {
        try {
            return MethodHandles.lookup().findVarHandle(Sink.class, "last", Object.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }
}
