package io.wirelab.websocket.stomp;

import io.wirelab.sdk.Fields;
import io.wirelab.websocket.boot.SpringServer;
import io.wirelab.websocket.boot.Tomcat;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;

/**
 * STOMP over WebSocket with Spring's simple broker.
 *
 * <p>Both executors hand messages to whichever thread is free, so a user's strokes overtake each
 * other unless the order is asked for, coming in and going out.
 */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSocketMessageBroker
@Import(Tomcat.class)
class WhiteboardApplication implements WebSocketMessageBrokerConfigurer {
    private static final String PATH = "/stomp";

    private final Fields tuning;

    WhiteboardApplication(Fields tuning) {
        this.tuning = tuning;
    }

    public static void main(String[] arguments) {
        SpringServer.main(WhiteboardApplication.class, PATH, "stomp");
    }

    @Override
    public void registerStompEndpoints(StompEndpointRegistry registry) {
        registry.setPreserveReceiveOrder(tuning.flag("preserve_receive_order")).addEndpoint(PATH);
    }

    /**
     * The broker's own channel gets no executor: the inbound thread that handled a draw finds its
     * subscribers too. A pool there would undo the order that was kept until then.
     */
    @Override
    public void configureMessageBroker(MessageBrokerRegistry registry) {
        registry.setApplicationDestinationPrefixes(WhiteboardController.PREFIX)
                .setPreservePublishOrder(tuning.flag("preserve_publish_order"))
                .enableSimpleBroker(WhiteboardController.TOPIC);
    }

    @Override
    public void configureClientInboundChannel(ChannelRegistration channel) {
        size(channel, tuning.integer("inbound_threads_per_processor"));
    }

    @Override
    public void configureClientOutboundChannel(ChannelRegistration channel) {
        size(channel, tuning.integer("outbound_threads_per_processor"));
    }

    @Override
    public void configureWebSocketTransport(WebSocketTransportRegistration transport) {
        int most = Integer.MAX_VALUE;
        transport.setMessageSizeLimit(tuning.integerWithin("message_limit_bytes", 1, most))
                .setSendTimeLimit(tuning.integerWithin("send_time_limit_ms", 1, most))
                .setSendBufferSizeLimit(tuning.integerWithin("send_buffer_limit_bytes", 1, most));
    }

    /** A fixed number of threads; the queue has no bound, because nothing may be dropped. */
    private static void size(ChannelRegistration channel, long perProcessor) {
        int threads = SpringServer.ofAll(perProcessor);
        channel.taskExecutor().corePoolSize(threads).maxPoolSize(threads);
    }
}
