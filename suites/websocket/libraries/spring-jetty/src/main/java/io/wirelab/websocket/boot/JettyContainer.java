package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import java.util.Map;
import org.eclipse.jetty.util.thread.ThreadPool.SizedThreadPool;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.web.server.WebServer;

/** Jetty, with the threads and connections that the tuning gives. */
public final class JettyContainer implements Container {
    @Override
    public Map<String, Object> settings(Fields tuning) {
        return Map.of(
                "server.jetty.threads.max", threads(tuning),
                "server.jetty.max-connections", tuning.integer("max_connections"));
    }

    @Override
    public void check(WebServer started, Fields tuning) {
        SizedThreadPool pool =
                (SizedThreadPool) ((JettyWebServer) started).getServer().getThreadPool();
        Container.checkThreads(threads(tuning), pool.getMaxThreads());
    }

    private static long threads(Fields tuning) {
        return SpringServer.ofAll(tuning.integer("jetty_threads_per_processor"));
    }
}
