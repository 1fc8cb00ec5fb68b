package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** What the suite asks of the Tomcat below every whiteboard; an application imports it. */
@Configuration(proxyBeanMethods = false)
public class Tomcat {
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

    @Bean
    static WithoutCompression withoutCompression() {
        return new WithoutCompression();
    }
}
