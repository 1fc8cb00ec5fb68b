package io.wirelab.messaging.aeron;

import io.aeron.Aeron;
import io.aeron.ChannelUriStringBuilder;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.wirelab.messaging.Waiting;
import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Spec;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** A media driver of this process, in the trial's folder, and the one client that uses it. */
final class Media implements AutoCloseable {
    private static final String UDP = "udp";
    private static final String ANY_PORT = "127.0.0.1:0";
    private static final int SHORTEST_TERM = 64 * 1024;
    private static final int LONGEST_TERM = 1 << 30;

    private final Fields tuning;
    private final long limitNs;
    private final MediaDriver driver;
    private final Aeron aeron;

    Media(Spec spec) {
        tuning = spec.parameters();
        limitNs = spec.limits().operationNs();
        int socketBytes = tuning.integerWithin("socket_bytes", 128 * 1024, 1 << 30);
        MediaDriver.Context driven = new MediaDriver.Context()
                .aeronDirectoryName(spec.paths().scratch().resolve("aeron").toString())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true)
                .termBufferSparseFile(true)
                .socketRcvbufLength(socketBytes)
                .socketSndbufLength(socketBytes)
                .threadingMode(ThreadingMode.SHARED)
                .sharedIdleStrategy(idle());
        driver = MediaDriver.launch(driven);
        aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(driver.aeronDirectoryName())
                .awaitingIdleStrategy(idle()));
    }

    Aeron aeron() {
        return aeron;
    }

    /** What one thread at a time sends by. */
    Publication publication(String channel, int stream) {
        return aeron.addExclusivePublication(channel, stream);
    }

    long limitNs() {
        return limitNs;
    }

    /** Yields a little, then sleeps: nothing here may spin on a core that others need. */
    IdleStrategy idle() {
        long longestNs = TimeUnit.MICROSECONDS.toNanos(tuning.integer("idle_park_us"));
        return new BackoffIdleStrategy(0, tuning.integer("idle_yields"), 1_000, longestNs);
    }

    /** Channel to send to. */
    String towards(String address) {
        return sending("term_bytes").endpoint(address).build();
    }

    /** Channel to send to all who ask at {@code address}, at the pace of the slowest. */
    String towardsAll(String address) {
        return sending("broadcast_term_bytes").controlEndpoint(address).controlMode("dynamic")
                .flowControl("min,t:" + tuning.text("receiver_timeout")).build();
    }

    private ChannelUriStringBuilder sending(String term) {
        int bytes = tuning.has("messages")
                ? tuning.integerWithin("stream_term_bytes", SHORTEST_TERM, LONGEST_TERM)
                : tuning.integerWithin(term, SHORTEST_TERM, LONGEST_TERM);
        return new ChannelUriStringBuilder().media(UDP)
                .termLength(bytes)
                .mtu(tuning.integerWithin("mtu_bytes", 1408, 65_504));
    }

    /** Channel to receive on: {@code address}, or with null a port of its own from the system. */
    static String at(String address) {
        return new ChannelUriStringBuilder().media(UDP)
                .endpoint(address == null ? ANY_PORT : address).build();
    }

    /** Receives on a port of its own what is sent to all at {@code address}. */
    static String from(String address) {
        return new ChannelUriStringBuilder().media(UDP).endpoint(ANY_PORT)
                .controlEndpoint(address).controlMode("dynamic").build();
    }

    /** The address at which {@code subscription} receives. */
    String addressOf(Subscription subscription) throws TimeoutException {
        return await(subscription::resolvedEndpoint, "a port for " + subscription.channel());
    }

    void await(BooleanSupplier condition, String what) throws TimeoutException {
        await(() -> condition.getAsBoolean() ? Boolean.TRUE : null, what);
    }

    /** Awaits what {@code source} gives, as soon as that is not null. */
    <T> T await(Supplier<T> source, String what) throws TimeoutException {
        return Waiting.polled(source, idle()::idle, limitNs, what + " did not come in time");
    }

    @Override
    public void close() {
        aeron.close();
        driver.close();
    }
}
