package io.wirelab.websocket.stomp;

import io.wirelab.sdk.Fields;
import io.wirelab.websocket.boot.Spoken;
import io.wirelab.websocket.boot.SpringServer;
import org.springframework.messaging.simp.config.ChannelRegistration;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.SockJsServiceRegistration;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.StompWebSocketEndpointRegistration;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketTransportRegistration;

/**
 * STOMP over WebSocket as every contender has it; which broker is behind it says the application.
 *
 * <p>Both executors hand messages to whichever thread is free, so a user's strokes overtake each
 * other unless the order is asked for, coming in and going out.
 */
public abstract class StompSettings implements WebSocketMessageBrokerConfigurer {
    /** Path of the endpoint. */
    protected static final String PATH = "/stomp";

    private final Fields tuning;

    /** Settings by the tuning of a contender. */
    protected StompSettings(Fields tuning) {
        this.tuning = tuning;
    }

    /** Address and protocol of a server of this tuning; SockJS has a path without sessions, too. */
    public static Spoken spoken(Fields tuning) {
        if (!isSockJs(tuning)) {
            return new Spoken(PATH, "stomp");
        }
        return isByHttp(tuning)
                ? new Spoken("http", PATH, "stomp-sockjs-" + tuning.text("sockjs_transport"))
                : new Spoken(PATH + "/websocket", "stomp-sockjs");
    }

    /** Tells whether clients speak SockJS without WebSocket. */
    protected static boolean isByHttp(Fields tuning) {
        return tuning.has("sockjs_transport");
    }

    private static boolean isSockJs(Fields tuning) {
        return tuning.has("sockjs") && tuning.flag("sockjs");
    }

    /** Names the broker to which whatever is sent to {@code topic} goes. */
    protected abstract void broker(MessageBrokerRegistry registry, String topic);

    @Override
    public void registerStompEndpoints(StompEndpointRegistry registry) {
        StompWebSocketEndpointRegistration endpoint = registry
                .setPreserveReceiveOrder(tuning.flag("preserve_receive_order"))
                .addEndpoint(PATH);
        if (isSockJs(tuning)) {
            SockJsServiceRegistration sockJs = endpoint.withSockJS();
            if (tuning.has("sockjs_cached_messages")) {
                sockJs.setHttpMessageCacheSize(
                        tuning.integerWithin("sockjs_cached_messages", 1, Integer.MAX_VALUE));
            }
        }
    }

    @Override
    public void configureMessageBroker(MessageBrokerRegistry registry) {
        registry.setApplicationDestinationPrefixes(WhiteboardController.PREFIX)
                .setPreservePublishOrder(tuning.flag("preserve_publish_order"));
        broker(registry, WhiteboardController.TOPIC);
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
    protected static void size(ChannelRegistration channel, long perProcessor) {
        int threads = SpringServer.ofAll(perProcessor);
        channel.taskExecutor().corePoolSize(threads).maxPoolSize(threads);
    }
}
