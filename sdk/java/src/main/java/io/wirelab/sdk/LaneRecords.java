package io.wirelab.sdk;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Records what lanes did. */
final class LaneRecords {
    private final Worker worker;
    private final Recorder recorder;

    LaneRecords(Worker worker) {
        this.worker = worker;
        recorder = worker.recorder();
    }

    /** Records a call of the measurement, and says what went wrong with it. From any thread. */
    void keep(LaneCall call, Outcome outcome) {
        if (call.isRecorded()) {
            recorder.record(call.intendedNs(), call.startNs(), call.endNs(), outcome.size(),
                    call.operation().code(), outcome.status().code(), call.lane());
        }
        if (!outcome.faults().isEmpty()) {
            tell(call, outcome);
        }
    }

    /** Results that are kept of a lane for answers that are asked for. */
    Asked.Kept keptOf(int lane) {
        return worker.asked().lane(lane);
    }

    private void tell(LaneCall call, Outcome outcome) {
        for (Fault fault : outcome.faults()) {
            worker.events().error(fault, call.operation().name(), call.intendedNs(), call.endNs());
        }
    }

    /** Records a call that has no end, or that nobody begins any more; returns it as it is over. */
    LaneCall giveUp(LaneCall call, boolean begun) {
        LaneCall over = call.givenUp(begun);
        long waitedMs = (over.endNs() - over.startNs()) / 1_000_000;
        String said = begun ? "no end after " + waitedMs + " ms" : "not begun when time was up";
        keep(over, Outcome.failed(Status.TIMEOUT,
                new Fault(Fault.Scope.CALL, "GivenUp", "", said)));
        return over;
    }

    /** Records that a user got what a step was to bring to it, or did not. */
    void keepReceipt(Spec.Timed operation, int user, long beginNs, long endNs, Status status) {
        recorder.record(beginNs, beginNs, endNs, 0, operation.code(), status.code(), user);
    }

    /** Writes the answer of a call that nobody has to ask for. */
    void writeAnswer(LaneCall call, Outcome outcome) {
        try {
            worker.answers().write(call.phase().written(), call.operation().name(), call.tick(),
                    call.startNs(), call.endNs(), outcome.answer().get());
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }
}
