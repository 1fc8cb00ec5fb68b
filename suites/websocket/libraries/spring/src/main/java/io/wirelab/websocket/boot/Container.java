package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import java.util.Map;
import java.util.ServiceLoader;
import org.springframework.boot.web.server.WebServer;

/** The servlet container below a whiteboard: the one on the class path. */
public interface Container {
    /** Settings of Spring Boot for what the tuning gives. */
    Map<String, Object> settings(Fields tuning);

    /** Fails where the container that was started is set otherwise: its figures would be another's. */
    void check(WebServer started, Fields tuning);

    /** The container that the build has put on the class path. */
    static Container embedded() {
        return ServiceLoader.load(Container.class).findFirst()
                .orElseThrow(() -> new IllegalStateException(
                        "no servlet container on the class path: the build has none"));
    }

    /** Fails where a pool of threads has another size than the one asked for. */
    static void checkThreads(long wanted, int here) {
        if (here != wanted) {
            throw new IllegalStateException("the tuning asks for " + wanted
                    + " threads, the container may have " + here);
        }
    }
}
