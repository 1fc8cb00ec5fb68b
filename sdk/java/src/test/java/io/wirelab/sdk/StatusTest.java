package io.wirelab.sdk;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Statuses by what Java's own exceptions tell, wherever a library has put them. */
class StatusTest {
    private static List<Status> of(Throwable... thrown) {
        return List.of(thrown).stream().map(Status::of).toList();
    }

    @Test
    void exceptionsOfJavaTellWhatHappened() {
        assertEquals(List.of(Status.TIMEOUT, Status.TIMEOUT),
                of(new SocketTimeoutException(), new TimeoutException()));
        assertEquals(List.of(Status.REFUSED), of(new ConnectException()));
        assertEquals(List.of(Status.DISCONNECTED, Status.DISCONNECTED, Status.DISCONNECTED),
                of(new EOFException(), new SocketException(), new ClosedChannelException()));
    }

    @Test
    void theOutermostOneThatTellsDecides() {
        assertEquals(List.of(Status.REFUSED, Status.TIMEOUT, Status.ERROR),
                of(new ExecutionException(new IOException(new ConnectException())),
                        new IOException(new TimeoutException().initCause(new EOFException())),
                        new IllegalStateException(new IOException())));
    }
}
