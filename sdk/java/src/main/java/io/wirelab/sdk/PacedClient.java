package io.wirelab.sdk;

import io.wirelab.sdk.Client.Phase;
import io.wirelab.sdk.Client.Turn;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A client on the core's ticks: connects, performs the preflight, says {@code ready}, and at every
 * tick sends the operations due together. The next tick waits until all of them are settled; when
 * that makes it late it is performed at once, and none is skipped.
 */
public final class PacedClient implements Worker.Part {
    private static final String CONNECT = "connect";

    /** Connecting without the operation {@code connect} has a limit, but no record. */
    private static final Spec.Timed UNTIMED_CONNECT = new Spec.Timed(CONNECT, 0, 1, 1);

    /**
     * Share of the time allowed to stop in that is for the operation under way, and again for
     * disconnecting; the rest is for writing and for the JVM to end.
     */
    private static final int STOP_SHARE = 4;

    private final Client.Maker maker;
    private Worker worker;
    private Spec spec;
    private Client client;

    private PacedClient(Client.Maker maker) {
        this.maker = maker;
    }

    /** Runs the client as the process's only purpose; does not return. */
    public static void main(Client.Maker maker) {
        Worker.main(of(maker));
    }

    /** Makes the client a part of a worker that plays others as well. */
    public static PacedClient of(Client.Maker maker) {
        return new PacedClient(maker);
    }

    @Override
    public void play(Worker worker) throws Exception {
        this.worker = worker;
        spec = worker.spec();
        client = maker.make(spec);
        refuseUnknownOperations();
        if (!connectIsTimed()) {
            connectNow();
        }
        preflight();
        if (!stopped()) {
            worker.ready(Map.of("library", client.library(),
                    "capabilities", client.capabilities()));
            runTicks(worker.commands().awaitStart());
        }
        disconnect();
    }

    private void refuseUnknownOperations() {
        for (String name : spec.operations().keySet()) {
            if (!name.equals(CONNECT) && !client.operations().contains(name)) {
                throw new JsonException("operations." + name + ": this client has "
                        + client.operations());
            }
        }
    }

    private boolean connectIsTimed() {
        return spec.parameters().text(CONNECT, "before").equals("timed");
    }

    private void connectNow() {
        Call call = newCall(UNTIMED_CONNECT, 0, settled -> {});
        call.begin(client.prepareConnect());
        awaitBeforeReady(call);
        failUnlessAnswered(call);
    }

    private void preflight() throws IOException {
        for (Map.Entry<String, Integer> calls : spec.verify().preflight().entrySet()) {
            for (int index = 0; index < calls.getValue() && !stopped(); index++) {
                Spec.Timed operation = spec.operation(calls.getKey());
                Turn turn = new Turn(Phase.PREFLIGHT, index);
                Call call = newCall(operation, 0, settled -> {});
                call.begin(client.prepare(operation.name(), turn));
                awaitBeforeReady(call);
                failUnlessAnswered(call);
                writeAnswer(call, turn);
            }
        }
    }

    private void runTicks(OptionalLong start) throws IOException {
        if (start.isEmpty()) {
            return;
        }
        Asked.Kept kept = worker.asked().lane(0);
        Spec.Schedule schedule = spec.schedule();
        Ticker ticker = new Ticker(start.getAsLong() + schedule.firstNs(), schedule.periodNs(),
                this::stopped);
        worker.reportFrom(ticker.intendedNs(0) + schedule.periodNs() / 2);
        for (long tick = 0; tick < schedule.count(); tick++) {
            Turn turn = new Turn(Phase.MEASURE, tick);
            List<Call> calls = new ArrayList<>();
            List<Client.Request> requests = new ArrayList<>();
            for (Spec.Timed operation : dueAt(tick)) {
                calls.add(newCall(operation, ticker.intendedNs(tick), this::record));
                requests.add(prepare(operation, turn));
            }
            if (!ticker.await(tick)) {
                return;
            }
            kept.begin();
            for (int i = 0; i < calls.size(); i++) {
                calls.get(i).begin(requests.get(i));
            }
            calls.forEach(this::await);
            for (Call call : calls) {
                tell(call);
            }
            kept.end(calls.stream().map(call -> result(call, turn)).toList());
        }
    }

    private List<Spec.Timed> dueAt(long tick) {
        boolean mustConnect = connectIsTimed() && !client.connected();
        return spec.operations().values().stream()
                .filter(operation -> operation.dueAt(tick))
                .filter(operation -> operation.name().equals(CONNECT) == mustConnect)
                .toList();
    }

    private Client.Request prepare(Spec.Timed operation, Turn turn) {
        return operation.name().equals(CONNECT) ? client.prepareConnect()
                : client.prepare(operation.name(), turn);
    }

    private Call newCall(Spec.Timed operation, long intendedNs, Call.Listener listener) {
        return new Call(operation, client, intendedNs, listener);
    }

    private void await(Call call) {
        call.await(call.startNs() + spec.limits().operationNs(), stopShareNs(), worker.commands());
    }

    /** Nothing is timed yet: a cold runtime may take as long as the worker has to get ready. */
    private void awaitBeforeReady(Call call) {
        call.await(call.startNs() + spec.limits().readyNs(), stopShareNs(), worker.commands());
    }

    private void record(Call call) {
        worker.recorder().record(call.intendedNs(), call.startNs(), call.endNs(),
                call.outcome().size(), call.operation().code(), call.outcome().status().code(), 0);
    }

    private void tell(Call call) {
        for (Fault fault : call.outcome().faults()) {
            worker.events().error(fault, call.operation().name(), call.intendedNs(), call.endNs());
        }
    }

    private static Asked.Result result(Call call, Turn turn) {
        return new Asked.Result(call.operation().name(), turn.index(), call.startNs(),
                call.endNs(), call.outcome().answer());
    }

    private void writeAnswer(Call call, Turn turn) throws IOException {
        if (call.outcome().answer() != null) {
            worker.answers().write(turn.phase().written(), call.operation().name(), turn.index(),
                    call.startNs(), call.endNs(), call.outcome().answer().get());
        }
    }

    /** Without an answer before {@code ready} the worker ends; bad items are the verifier's. */
    private void failUnlessAnswered(Call call) {
        Status status = call.outcome().status();
        boolean answered = status == Status.OK || status == Status.ITEM_ERROR;
        if (!answered && !stopped()) {
            throw new WorkerFailure(call.operation().name(), call.outcome().faults().get(0));
        }
    }

    private void disconnect() throws InterruptedException {
        try {
            client.disconnect().toCompletableFuture().get(stopShareNs(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException serverHangs) {
            System.err.println("disconnecting was given up: the server does not answer");
        } catch (ExecutionException failed) {
            System.err.println("disconnecting failed: " + failed.getCause());
        }
    }

    private boolean stopped() {
        return worker.commands().stopped();
    }

    private long stopShareNs() {
        return spec.limits().stopNs() / STOP_SHARE;
    }
}
