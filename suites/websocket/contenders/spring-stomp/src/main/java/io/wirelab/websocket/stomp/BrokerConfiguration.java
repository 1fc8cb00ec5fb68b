package io.wirelab.websocket.stomp;

import org.springframework.context.annotation.Configuration;
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
@Configuration(proxyBeanMethods = false)
@EnableWebSocketMessageBroker
class BrokerConfiguration implements WebSocketMessageBrokerConfigurer {
    private final WhiteboardProperties properties;

    BrokerConfiguration(WhiteboardProperties properties) {
        this.properties = properties;
    }

    @Override
    public void registerStompEndpoints(StompEndpointRegistry registry) {
        registry.setPreserveReceiveOrder(properties.receiveOrder())
                .addEndpoint(WhiteboardApplication.PATH);
    }

    /**
     * The broker's own channel gets no executor: the inbound thread that handled a draw finds its
     * subscribers too. A pool there would undo the order that was kept until then.
     */
    @Override
    public void configureMessageBroker(MessageBrokerRegistry registry) {
        registry.setApplicationDestinationPrefixes(WhiteboardController.PREFIX)
                .setPreservePublishOrder(properties.publishOrder())
                .enableSimpleBroker(WhiteboardController.TOPIC);
    }

    @Override
    public void configureClientInboundChannel(ChannelRegistration channel) {
        size(channel, properties.inboundThreads());
    }

    @Override
    public void configureClientOutboundChannel(ChannelRegistration channel) {
        size(channel, properties.outboundThreads());
    }

    @Override
    public void configureWebSocketTransport(WebSocketTransportRegistration transport) {
        transport.setMessageSizeLimit((int) properties.messageLimit().toBytes())
                .setSendTimeLimit((int) properties.sendTimeLimit().toMillis())
                .setSendBufferSizeLimit((int) properties.sendBufferLimit().toBytes());
    }

    /** A fixed number of threads; the queue has no bound, because nothing may be dropped. */
    private static void size(ChannelRegistration channel, int threads) {
        channel.taskExecutor().corePoolSize(threads).maxPoolSize(threads);
    }
}
