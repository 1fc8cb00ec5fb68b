package io.wirelab.websocket.boot;

import io.wirelab.sdk.Fields;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Settings that the suite asks of every container: no compression, unless the tuning has it. */
@Configuration(proxyBeanMethods = false)
public class Uncompressed {
    /** Whether the tuning lets the container compress. */
    static boolean isCompressing(Fields tuning) {
        return tuning.has("per_message_deflate") && tuning.flag("per_message_deflate");
    }

    @Bean
    static WithoutCompression withoutCompression(Fields tuning) {
        return new WithoutCompression(isCompressing(tuning));
    }
}
