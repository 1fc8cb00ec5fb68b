package io.wirelab.websocket.stomp;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** The Spring application: embedded Tomcat under the broker of {@link BrokerConfiguration}. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableConfigurationProperties(WhiteboardProperties.class)
class WhiteboardApplication {
    static final String PATH = "/stomp";

    @Bean
    static ServletServerContainerFactoryBean webSocketContainer(WhiteboardProperties limits) {
        ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
        container.setMaxTextMessageBufferSize((int) limits.messageLimit().toBytes());
        return container;
    }

    /** Tomcat's own default, said because the suite asks for it. */
    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> withoutDelay() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setProperty("tcpNoDelay", "true"));
    }
}
