package io.wirelab.sdk;

import java.util.List;

/** Operations that a microbenchmark repeats at one of its steps. */
public interface Repeated {
    /** The name of the step. */
    String step();

    /** The operations that it has. */
    List<String> operations();

    /** A loop of {@code operation} that shares no compiled code with any other. */
    Loop loop(String operation) throws Exception;
}
