package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import java.util.Map;
import org.apache.tomcat.util.threads.ThreadPoolExecutor;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;

/** Tomcat, with the threads and connections that the tuning gives. */
public final class TomcatContainer implements Container {
    @Override
    public Map<String, Object> settings(Fields tuning) {
        return Map.of(
                "server.tomcat.threads.max", threads(tuning),
                "server.tomcat.max-connections", tuning.integer("max_connections"),
                "server.tomcat.accept-count", tuning.integer("accept_backlog"));
    }

    @Override
    public void check(WebServer started, Fields tuning) {
        ThreadPoolExecutor pool = (ThreadPoolExecutor) ((TomcatWebServer) started).getTomcat()
                .getConnector().getProtocolHandler().getExecutor();
        Container.checkThreads(threads(tuning), pool.getMaximumPoolSize());
    }

    private static long threads(Fields tuning) {
        return tuning.has("tomcat_threads")
                ? tuning.integer("tomcat_threads")
                : SpringServer.ofAll(tuning.integer("tomcat_threads_per_processor"));
    }
}
