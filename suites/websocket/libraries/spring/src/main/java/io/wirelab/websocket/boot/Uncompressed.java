package io.wirelab.websocket.boot;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings that the suite asks of every container: no compression. */
@Configuration(proxyBeanMethods = false)
public class Uncompressed {
    @Bean
    static WithoutCompression withoutCompression() {
        return new WithoutCompression();
    }
}
