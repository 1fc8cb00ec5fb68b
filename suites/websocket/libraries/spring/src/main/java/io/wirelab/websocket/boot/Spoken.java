package io.wirelab.websocket.boot;

/**
 * Path at which clients connect, and the protocol in which they are spoken to.
 *
 * @param path behind host and port
 * @param protocol the suite's word for what is spoken there
 */
public record Spoken(String path, String protocol) {}
