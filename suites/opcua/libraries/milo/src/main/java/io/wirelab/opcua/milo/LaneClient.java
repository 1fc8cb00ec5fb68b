package io.wirelab.opcua.milo;

import io.wirelab.sdk.Closing;
import io.wirelab.sdk.Outcome;
import io.wirelab.sdk.ThreadedLanes;
import io.wirelab.sdk.Worker;
import java.util.Map;
import org.eclipse.milo.opcua.sdk.client.OpcUaClient;

/** The role {@code client} where the schedule has lanes: many callers at a time. */
final class LaneClient implements Worker.Part {
    /** Share of the time allowed to stop in that is for leaving the server. */
    private static final int STOP_SHARE = 4;

    @Override
    public void play(Worker worker) throws Exception {
        LaneReads reads = new LaneReads(worker.spec());
        try {
            reads.open();
            ThreadedLanes<OpcUaClient, Outcome> lanes = new ThreadedLanes<>(worker, reads);
            lanes.preflight();
            worker.ready(Map.of("library", MiloClient.LIBRARY,
                    "capabilities", MiloClient.CAPABILITIES));
            lanes.run();
        } finally {
            Closing.within(worker.spec().limits().stopNs() / STOP_SHARE, () -> reads.close().get());
        }
    }
}
