package io.wirelab.harness;

import io.wirelab.sdk.BatchWorker;
import io.wirelab.sdk.PacedClient;
import io.wirelab.sdk.Worker;

/** The Java contenders of the suite {@code harness}: ticks, a lane or batches, and no library. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        switch (arguments.length == 1 ? arguments[0] : "") {
            case "lanes" -> Worker.main(HarnessLanes::play);
            case "batches" -> BatchWorker.main(HarnessBatches::play);
            default -> PacedClient.main(HarnessClient::new);
        }
    }
}
