package io.wirelab.websocket.naive;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;
import org.springframework.web.socket.server.standard.ServletServerContainerFactoryBean;

/** The Spring application: one WebSocket endpoint on embedded Tomcat. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSocket
class WhiteboardApplication implements WebSocketConfigurer {
    static final String PATH = "/board";

    private final WhiteboardHandler handler;

    WhiteboardApplication(WhiteboardHandler handler) {
        this.handler = handler;
    }

    @Override
    public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
        registry.addHandler(handler, PATH);
    }

    @Bean
    static ServletServerContainerFactoryBean webSocketContainer(
            @Value("${whiteboard.message-limit}") int messageLimit) {
        ServletServerContainerFactoryBean container = new ServletServerContainerFactoryBean();
        container.setMaxTextMessageBufferSize(messageLimit);
        return container;
    }

    /** Tomcat's own default, said because the suite asks for it. */
    @Bean
    static WebServerFactoryCustomizer<TomcatServletWebServerFactory> withoutDelay() {
        return factory -> factory.addConnectorCustomizers(
                connector -> connector.setProperty("tcpNoDelay", "true"));
    }
}
