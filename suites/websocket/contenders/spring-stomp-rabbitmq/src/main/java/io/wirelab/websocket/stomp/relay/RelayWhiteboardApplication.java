package io.wirelab.websocket.stomp.relay;

import io.wirelab.sdk.Spec;
import io.wirelab.websocket.boot.SpringServer;
import io.wirelab.websocket.stomp.StompSettings;
import io.wirelab.websocket.stomp.WhiteboardController;
import java.net.URI;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;

/** STOMP over WebSocket with a broker behind it: every client has a connection to the broker. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSocketMessageBroker
@Import(WhiteboardController.class)
class RelayWhiteboardApplication extends StompSettings {
    private final URI broker;
    private final long patienceNs;

    RelayWhiteboardApplication(Spec spec) {
        super(spec.parameters());
        broker = broker(spec);
        patienceNs = spec.limits().readyNs() / 2;
    }

    public static void main(String[] arguments) {
        SpringServer.main(RelayWhiteboardApplication.class, StompSettings::spoken);
    }

    /** The one role that speaks STOMP: RabbitMQ or ActiveMQ, as the manifest says. */
    private static URI broker(Spec spec) {
        return spec.endpoints().keys().stream()
                .map(role -> spec.endpoints().text(role))
                .filter(endpoint -> endpoint.startsWith("stomp://"))
                .map(URI::create)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("none of the roles "
                        + spec.endpoints().keys() + " is a broker that speaks STOMP"));
    }

    /** The broker's way to name a topic is Spring's own: destinations pass as they are. */
    @Override
    protected void broker(MessageBrokerRegistry registry, String topic) {
        String[] login = broker.getUserInfo().split(":", 2);
        registry.enableStompBrokerRelay(topic)
                .setRelayHost(broker.getHost())
                .setRelayPort(broker.getPort())
                // RabbitMQ's; ActiveMQ has none and passes over it.
                .setVirtualHost("/")
                .setSystemLogin(login[0])
                .setSystemPasscode(login[1])
                .setClientLogin(login[0])
                .setClientPasscode(login[1]);
    }

    @Bean
    BrokerConnection brokerConnection() {
        return new BrokerConnection(TimeUnit.NANOSECONDS.toMillis(patienceNs));
    }
}
