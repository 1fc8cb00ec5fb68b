package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import java.util.List;
import org.apache.catalina.connector.Connector;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** Settings that the suite asks of the Tomcat below a whiteboard. */
@AutoConfiguration
@Import(Uncompressed.class)
public class Tomcat {
    private static final List<String> SIZES = List.of("socket.appReadBufSize",
            "socket.appWriteBufSize", "socket.rxBufSize", "socket.txBufSize");

    /** The longest message accepted; every connection holds a buffer of this size. */
    @Bean
    static ServletServerContainerFactoryBean webSocketContainer(Fields tuning) {
        ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
        container.setMaxTextMessageBufferSize(
                tuning.integerWithin("message_limit_bytes", 1, Integer.MAX_VALUE));
        return container;
    }

    /** Tomcat's own default, said because the suite asks for it. */
    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> withoutDelay() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setProperty("tcpNoDelay", "true"));
    }

    /** Sizes of buffers where the tuning names one: Tomcat's two of a connection, the kernel's two. */
    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> buffers(Fields tuning) {
        return factory -> {
            long bytes = tuning.integer("socket_buffer_bytes", 0);
            if (bytes > 0) {
                String size = Long.toString(bytes);
                factory.addConnectorCustomizers(
                        connector -> SIZES.forEach(name -> set(connector, name, size)));
            }
        };
    }

    private static void set(Connector connector, String name, String size) {
        if (!connector.setProperty(name, size)) {
            throw new IllegalStateException("Tomcat has no " + name);
        }
    }
}
