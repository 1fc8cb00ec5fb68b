package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import io.wirelab.sdk.Server;
import io.wirelab.sdk.ServingPart;
import io.wirelab.sdk.Spec;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContextException;
import org.springframework.core.NestedExceptionUtils;

/** Spring Boot with its embedded container, configured by the contender's tuning. */
public final class SpringServer implements Server {
    private final InetSocketAddress listen;
    private final WebServerApplicationContext context;
    private final Spoken spoken;
    private final boolean isCompressing;

    private SpringServer(Spec spec, Class<?> application, Spoken spoken) {
        this.spoken = spoken;
        isCompressing = Uncompressed.isCompressing(spec.parameters());
        listen = spec.listenAddress();
        Collector.check(spec.parameters());
        Container container = Container.embedded();
        Map<String, Object> properties = properties(listen);
        properties.putAll(container.settings(spec.parameters()));
        context = started(application, spec, properties);
        container.check(context.getWebServer(), spec.parameters());
    }

    /**
     * Plays the role of the server; does not return.
     *
     * @param application what Spring starts; its beans get the tuning as {@link Fields}, and all
     *     that the server is told as {@link Spec}
     * @param path where clients connect
     * @param protocol the suite's word for what is spoken there
     */
    public static void main(Class<?> application, String path, String protocol) {
        main(application, tuning -> new Spoken(path, protocol));
    }

    /** The same where the tuning decides what is spoken. */
    public static void main(Class<?> application, Function<Fields, Spoken> spoken) {
        ServingPart.main(spec ->
                new SpringServer(spec, application, spoken.apply(spec.parameters())));
    }

    /** Figure that the tuning gives for each processor, times the processors there are. */
    public static int ofAll(long perProcessor) {
        return Math.toIntExact(perProcessor * Runtime.getRuntime().availableProcessors());
    }

    private static WebServerApplicationContext started(Class<?> application, Spec spec,
            Map<String, Object> properties) {
        try {
            return (WebServerApplicationContext) new SpringApplicationBuilder(application)
                    .bannerMode(Banner.Mode.OFF)
                    .logStartupInfo(false)
                    // The worker closes it itself, within its time.
                    .registerShutdownHook(false)
                    .properties(properties)
                    .initializers(fresh -> {
                        fresh.getBeanFactory().registerSingleton("spec", spec);
                        fresh.getBeanFactory().registerSingleton("tuning", spec.parameters());
                    })
                    .run();
        } catch (ApplicationContextException | IllegalStateException failed) {
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
        return spoken.scheme() + "://" + listen.getHostString() + ":" + context.getWebServer().getPort()
                + spoken.path();
    }

    @Override
    public Map<String, ?> facts() {
        return isCompressing
                ? Map.of("protocol", spoken.protocol(), "compression", "permessage-deflate")
                : Map.of("protocol", spoken.protocol());
    }

    @Override
    public void close() throws Exception {
        ((AutoCloseable) context).close();
    }

    private static Map<String, Object> properties(InetSocketAddress listen) {
        Map<String, Object> properties = new HashMap<>();
        properties.put("server.address", listen.getHostString());
        properties.put("server.port", listen.getPort());
        // Graceful shutdown would wait for connections that nobody is going to end.
        properties.put("server.shutdown", "immediate");
        return properties;
    }
}
