package io.wirelab.messaging.jms;

import jakarta.jms.CompletionListener;
import jakarta.jms.Message;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** The provider's word for messages that were sent without waiting for it one by one. */
final class Confirmations implements CompletionListener {
    private final CountDownLatch outstanding;
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    Confirmations(int messages) {
        outstanding = new CountDownLatch(messages);
    }

    @Override
    public void onCompletion(Message message) {
        outstanding.countDown();
    }

    @Override
    public void onException(Message message, Exception why) {
        failure.compareAndSet(null, why);
        outstanding.countDown();
    }

    /**
     * Waits for all of them.
     *
     * @throws TimeoutException if that takes longer than the limit
     * @throws Exception what the first of them failed with
     */
    void await(long limitMs) throws Exception {
        if (!outstanding.await(limitMs, TimeUnit.MILLISECONDS)) {
            throw new TimeoutException(
                    outstanding.getCount() + " messages unconfirmed after " + limitMs + " ms");
        }
        if (failure.get() != null) {
            throw failure.get();
        }
    }
}
