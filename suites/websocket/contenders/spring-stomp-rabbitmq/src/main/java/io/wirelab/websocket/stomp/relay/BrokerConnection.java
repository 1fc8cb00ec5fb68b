package io.wirelab.websocket.stomp.relay;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.event.EventListener;
import org.springframework.messaging.simp.broker.BrokerAvailabilityEvent;

/** The server's own connection to the broker, without which nothing would be passed on. */
class BrokerConnection implements ApplicationRunner {
    private final CountDownLatch available = new CountDownLatch(1);
    private final long patienceMs;

    BrokerConnection(long patienceMs) {
        this.patienceMs = patienceMs;
    }

    @EventListener
    void heard(BrokerAvailabilityEvent event) {
        if (event.isBrokerAvailable()) {
            available.countDown();
        }
    }

    /** Holds up the start until the broker has answered. */
    @Override
    public void run(ApplicationArguments arguments) throws InterruptedException {
        if (!available.await(patienceMs, TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("the broker has not answered");
        }
    }
}
