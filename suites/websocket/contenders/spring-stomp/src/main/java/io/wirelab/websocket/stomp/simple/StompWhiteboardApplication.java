package io.wirelab.websocket.stomp.simple;

import io.wirelab.sdk.Fields;
import io.wirelab.websocket.boot.SpringServer;
import io.wirelab.websocket.stomp.StompSettings;
import io.wirelab.websocket.stomp.WhiteboardController;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.SubscribableChannel;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;

/** STOMP over WebSocket with Spring's simple broker. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSocketMessageBroker
@Import(WhiteboardController.class)
class StompWhiteboardApplication extends StompSettings {
    private final long threads;
    private final boolean isByHttp;

    StompWhiteboardApplication(Fields tuning) {
        super(tuning);
        isByHttp = isByHttp(tuning);
        threads = tuning.integer("broker_threads_per_processor", 0);
    }

    public static void main(String[] arguments) {
        SpringServer.main(StompWhiteboardApplication.class, StompSettings::spoken);
    }

    /**
     * The broker's own channel gets no executor unless the tuning asks for one: the inbound thread
     * that handled a draw finds its subscribers too. A pool there undoes the order that was kept
     * until then.
     */
    @Override
    protected void broker(MessageBrokerRegistry registry, String topic) {
        registry.enableSimpleBroker(topic);
        if (threads > 0) {
            size(registry.configureBrokerChannel(), threads);
        }
    }

    @Bean
    BrokerThreads brokerThreads(@Qualifier("brokerChannel") SubscribableChannel channel) {
        return new BrokerThreads(channel, SpringServer.ofAll(threads));
    }

    /** Users of sessions by HTTP alone; on a WebSocket nothing more is asked for. */
    @Bean
    FilterRegistrationBean<SessionUsers> sessionUsers() {
        FilterRegistrationBean<SessionUsers> filter =
                new FilterRegistrationBean<>(new SessionUsers());
        filter.addUrlPatterns(PATH + "/*");
        filter.setEnabled(isByHttp);
        return filter;
    }
}
