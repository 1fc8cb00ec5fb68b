package io.wirelab.websocket.stomp;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.util.unit.DataSize;

/**
 * How messages travel through Spring's channels.
 *
 * @param messageLimit longest STOMP message accepted; Tomcat's buffer has this size too
 * @param sendTimeLimit how long one send to one member may take
 * @param sendBufferLimit what may wait for one member
 * @param inboundThreads threads that handle what clients sent
 * @param outboundThreads threads that send to clients
 * @param receiveOrder whether the messages of one session are handled one after the other
 * @param publishOrder whether messages to one session are sent one after the other
 */
@ConfigurationProperties("whiteboard")
record WhiteboardProperties(
        DataSize messageLimit,
        Duration sendTimeLimit,
        DataSize sendBufferLimit,
        int inboundThreads,
        int outboundThreads,
        boolean receiveOrder,
        boolean publishOrder) {}
