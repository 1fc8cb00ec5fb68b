package io.wirelab.websocket.stomp.simple;

import java.util.concurrent.Executor;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.messaging.SubscribableChannel;
import org.springframework.messaging.support.ExecutorSubscribableChannel;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

/** The threads of the broker's channel, held to what the tuning asks for. */
class BrokerThreads implements SmartInitializingSingleton {
    private final SubscribableChannel channel;
    private final int wanted;

    BrokerThreads(SubscribableChannel channel, int wanted) {
        this.channel = channel;
        this.wanted = wanted;
    }

    /** Fails where the channel has another number of threads. */
    @Override
    public void afterSingletonsInstantiated() {
        Executor executor = ((ExecutorSubscribableChannel) channel).getExecutor();
        int found = executor instanceof ThreadPoolTaskExecutor pool ? pool.getCorePoolSize() : 0;
        if (found != wanted) {
            throw new IllegalStateException("the tuning asks for " + wanted
                    + " threads of the broker's channel, it has " + found);
        }
    }
}
