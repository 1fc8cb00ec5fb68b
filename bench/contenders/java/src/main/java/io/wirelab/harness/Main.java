package io.wirelab.harness;

import io.wirelab.sdk.PacedClient;
import io.wirelab.sdk.Worker;

/** The Java contenders of the suite {@code harness}: the SDK on ticks or in a lane, no library. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        if (arguments.length == 1 && arguments[0].equals("lanes")) {
            Worker.main(HarnessLanes::play);
        } else {
            PacedClient.main(HarnessClient::new);
        }
    }
}
