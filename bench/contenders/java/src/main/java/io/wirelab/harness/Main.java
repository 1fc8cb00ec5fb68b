package io.wirelab.harness;

import io.wirelab.sdk.PacedClient;

/** The Java contender of the suite {@code harness}: the SDK on the core's ticks, and no library. */
final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        PacedClient.main(HarnessClient::new);
    }
}
