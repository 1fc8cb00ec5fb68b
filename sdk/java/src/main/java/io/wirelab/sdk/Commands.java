package io.wirelab.sdk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Commands of the core to a worker: one JSON object a line on standard input, read by a daemon
 * thread.
 *
 * <p>Belongs to the thread that made it: that thread waits for {@code start} and runs the ticks,
 * and it is the one woken by a command. End of input means stop, and so does a line that is no
 * command: after it nothing that comes in can be trusted.
 */
public final class Commands {
    private final Thread owner = Thread.currentThread();
    private final InputStream in;
    private final Consumer<Asked.Asking> asked;
    private volatile Long startNs;
    private volatile boolean stopped;
    private volatile RuntimeException failure;

    Commands(InputStream in, Consumer<Asked.Asking> asked) {
        this.in = in;
        this.asked = asked;
    }

    /** Starts to read. */
    void listen() {
        Thread thread = new Thread(this::read, "wirelab-commands");
        thread.setDaemon(true);
        thread.start();
    }

    /** Tells whether the worker is to end. */
    public boolean stopped() {
        return stopped;
    }

    /** Waits for {@code start}: the time of tick 0 on CLOCK_MONOTONIC, or empty when stopped. */
    public OptionalLong awaitStart() {
        while (startNs == null && !stopped) {
            LockSupport.park(this);
        }
        return stopped ? OptionalLong.empty() : OptionalLong.of(startNs);
    }

    /** Waits for {@code stop}; for roles that serve until they are told to end. */
    public void awaitStop() {
        while (!stopped) {
            LockSupport.park(this);
        }
    }

    /** Throws why a line could not be understood, or obeyed, if there was one. */
    void refuseFailure() {
        if (failure != null) {
            throw failure;
        }
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
            String line = next(lines);
            while (line != null && obey(line)) {
                line = next(lines);
            }
        } catch (RuntimeException why) {
            failure = why;
        } catch (IOException | Error why) {
            failure = new IllegalStateException("a command of wirelab failed", why);
        } finally {
            // Whatever happened, nobody would hear of a stop any more.
            stopped = true;
            LockSupport.unpark(owner);
        }
    }

    /** The next line; null at the end of input, and where it cannot be read. */
    private static String next(BufferedReader lines) {
        try {
            return lines.readLine();
        } catch (IOException broken) {
            System.err.println("standard input cannot be read: " + broken.getMessage());
            return null;
        }
    }

    /** Does what {@code line} says; false when that is to stop. */
    private boolean obey(String line) {
        Fields command = Fields.of("", JsonReader.read(line));
        switch (command.text("command")) {
            case "start" -> startNs = command.integer("monotonic_ns");
            case "answer" -> {
                asked.accept(new Asked.Asking(command.integer("asked"),
                        command.text("operation"),
                        command.integerWithin("lane", 0, Integer.MAX_VALUE)));
                return true;
            }
            case "stop" -> {
                return false;
            }
            default -> throw new JsonException("unknown command: " + line);
        }
        LockSupport.unpark(owner);
        return true;
    }
}
