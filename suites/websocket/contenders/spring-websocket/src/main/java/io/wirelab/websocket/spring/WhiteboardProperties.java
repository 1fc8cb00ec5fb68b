package io.wirelab.websocket.spring;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * The limits of the whiteboard.
 *
 * @param messageLimit longest message accepted; Tomcat keeps a buffer of this size a connection
 * @param sendTimeLimit how long one send to one member may take
 * @param sendBufferLimit what may wait for one member
 */
@ConfigurationProperties("whiteboard")
record WhiteboardProperties(
        DataSize messageLimit, Duration sendTimeLimit, DataSize sendBufferLimit) {}
