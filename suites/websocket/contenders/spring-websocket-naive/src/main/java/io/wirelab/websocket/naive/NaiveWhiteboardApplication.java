package io.wirelab.websocket.naive;

import io.wirelab.websocket.boot.SpringServer;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.socket.config.annotation.EnableWebSocket;
import org.springframework.web.socket.config.annotation.WebSocketConfigurer;
import org.springframework.web.socket.config.annotation.WebSocketHandlerRegistry;

/** A whiteboard on Spring Boot, plain sessions: one WebSocket endpoint on embedded Tomcat. */
@SpringBootApplication(proxyBeanMethods = false)
@EnableWebSocket
class NaiveWhiteboardApplication implements WebSocketConfigurer {
    private static final String PATH = "/board";

    private final NaiveWhiteboardHandler handler;

    NaiveWhiteboardApplication(NaiveWhiteboardHandler handler) {
        this.handler = handler;
    }

    public static void main(String[] arguments) {
        SpringServer.main(NaiveWhiteboardApplication.class, PATH, "json");
    }

    @Override
    public void registerWebSocketHandlers(WebSocketHandlerRegistry registry) {
        registry.addHandler(handler, PATH);
    }
}
