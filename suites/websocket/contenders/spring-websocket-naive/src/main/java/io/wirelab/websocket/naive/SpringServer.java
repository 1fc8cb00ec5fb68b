package io.wirelab.websocket.naive;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContextException;
import org.springframework.core.NestedExceptionUtils;

/** Spring Boot with its embedded Tomcat, configured by the contender's tuning. */
final class SpringServer implements Server {
    private final InetSocketAddress listen;
    private final WebServerApplicationContext context;

    SpringServer(Spec spec) {
        listen = spec.listenAddress();
        context = started(properties(listen, spec.parameters()));
    }

    private static WebServerApplicationContext started(Map<String, Object> properties) {
        try {
            return (WebServerApplicationContext)
                    new SpringApplicationBuilder(WhiteboardApplication.class)
                            .bannerMode(Banner.Mode.OFF)
                            .logStartupInfo(false)
                            // The worker closes it itself, within its time.
                            .registerShutdownHook(false)
                            .properties(properties)
                            .run();
        } catch (ApplicationContextException failed) {
            // Spring's own message says which bean did not start, but not why.
            String why = NestedExceptionUtils.getMostSpecificCause(failed).toString();
            throw new IllegalStateException(why, failed);
        }
    }

    @Override
    public Map<String, String> library() {
        return Map.of("name", "Spring Boot", "version", SpringBootVersion.getVersion());
    }

    @Override
    public String endpoint() {
        return "ws://" + listen.getHostString() + ":" + context.getWebServer().getPort()
                + WhiteboardApplication.PATH;
    }

    @Override
    public Map<String, ?> facts() {
        return Map.of("protocol", "json");
    }

    @Override
    public void close() throws Exception {
        ((AutoCloseable) context).close();
    }

    private static Map<String, Object> properties(InetSocketAddress listen, Fields tuning) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("server.address", listen.getHostString());
        properties.put("server.port", listen.getPort());
        // Graceful shutdown would wait for connections that nobody is going to end.
        properties.put("server.shutdown", "immediate");
        properties.put("server.tomcat.threads.max", tuning.integer("tomcat_threads"));
        properties.put("server.tomcat.max-connections", tuning.integer("max_connections"));
        properties.put("server.tomcat.accept-count", tuning.integer("accept_backlog"));
        properties.put("whiteboard.message-limit", tuning.integer("message_limit_bytes"));
        return properties;
    }
}
