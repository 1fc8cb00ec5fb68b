package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.ServerConnector;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.jetty.servlet.JettyServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Settings that the suite asks of the Jetty below a whiteboard. */
@AutoConfiguration
@Import(Uncompressed.class)
public class Jetty {
    /** Spring Boot has no setting for connections that wait to be accepted. */
    @Bean
    static WebServerFactoryCustomizer<JettyServletWebServerFactory> backlog(Fields tuning) {
        int backlog = tuning.integerWithin("accept_backlog", 1, Integer.MAX_VALUE);
        return factory -> factory.addServerCustomizers(server -> {
            for (Connector connector : server.getConnectors()) {
                ((ServerConnector) connector).setAcceptQueueSize(backlog);
            }
        });
    }
}
